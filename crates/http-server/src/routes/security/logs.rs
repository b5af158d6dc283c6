//! `GET /security/logs`. It must show requests of the account in the request alone.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use http::StatusCode;
use wire::security::logs;

pub(super) async fn list(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let zone = call.zone();
    let query = logs::parse(&call.attributes, call.handling, &zone)?;
    let found = gateway.logged_requests(&call.merchant, &query).await;
    let found = found.map_err(|failed| HttpReply::unavailable(&failed))?;
    let part = logs::RequestsPart {
        requests: &found.requests,
        total: found.total,
        found: found.found,
    };
    let fields = logs::view(part, &query, &zone);
    let links = logs::link_header(part, &query);
    let reply = HttpReply::success(StatusCode::OK, "The requests of your account.", fields);
    Ok(collection::part(reply, found.found, &links))
}

#[cfg(test)]
mod tests;
