//! `POST /transfer/group/update`. It must replace the group as a whole or not at all.

use super::{seen, shown};
use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use http::StatusCode;
use wire::group::change;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let ((id, version), content) = change::parse(&call.attributes, call.handling)?;
    let seen = seen(version, call.only_in.as_deref());
    let changed = gateway.update_group(&call.merchant, (id, &seen), content);
    let changed = changed.await?;
    let reply = shown(StatusCode::OK, "The group.", (&changed.group, &call.zone()));
    Ok(reply.marked(changed.replay))
}
