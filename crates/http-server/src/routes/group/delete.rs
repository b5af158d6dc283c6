//! `POST /transfer/group/delete`. It must leave alone what was paid to the group.

use super::seen;
use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use http::StatusCode;
use wire::group::{change, deleted};

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let (id, version) = change::parse_deletion(&call.attributes, call.handling)?;
    let seen = seen(version, call.only_in.as_deref());
    gateway.delete_group(&call.merchant, (id, &seen)).await?;
    let message = "The group is gone.";
    Ok(HttpReply::success(StatusCode::OK, message, deleted(id)))
}
