//! `GET /security/audit`. It must show changes of the account in the request alone.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use http::StatusCode;
use wire::security::audit::{self, ChangesPart};

pub(super) async fn list(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let zone = call.zone();
    let query = audit::parse(&call.attributes, call.handling, &zone)?;
    let found = gateway.account_changes(&call.merchant, &query).await;
    let found = found.map_err(|failed| HttpReply::unavailable(&failed))?;
    let part = ChangesPart {
        changes: &found.changes,
        total: found.total,
        found: found.found,
    };
    let fields = audit::view(part, &query, &zone);
    let links = audit::link_header(part, &query);
    let message = "What was changed of your account.";
    let reply = HttpReply::success(StatusCode::OK, message, fields);
    Ok(collection::part(reply, found.found, &links))
}

#[cfg(test)]
mod tests;
