//! `/security/freeze` and `/security/unfreeze`. They must not decide what a freeze stops.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use domain::freeze::FreezeState;
use http::StatusCode;
use wire::security::freezes;

pub(super) async fn list(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let paging = freezes::parse_list(&call.attributes, call.handling)?;
    let found = gateway.freezes(&call.merchant).await?;
    let listing = freezes::listing(found, &call.zone());
    let fields = freezes::view_list(&listing, &paging);
    let links = freezes::link_header(&listing, &paging);
    let reply = HttpReply::success(StatusCode::OK, "What is frozen.", fields);
    Ok(collection::part(reply, listing.found.len(), &links))
}

pub(super) async fn freeze(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    set(&gateway, &call, FreezeState::Frozen).await
}

pub(super) async fn unfreeze(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    set(&gateway, &call, FreezeState::Active).await
}

async fn set(
    gateway: &Gateway,
    call: &AuthenticatedRequest,
    state: FreezeState,
) -> Result<HttpReply, HttpReply> {
    let order = freezes::parse(&call.attributes, call.handling)?;
    let (outcome, mark) = gateway.set_freeze(&call.merchant, &order, state).await?;
    let of = (outcome.target, outcome.state);
    let fields = freezes::view(of, outcome.latest.as_ref(), &call.zone());
    let message = match state {
        FreezeState::Frozen => "It is frozen.",
        FreezeState::Active => "It goes on.",
    };
    let reply = HttpReply::success(StatusCode::OK, message, fields);
    Ok(reply.marked(mark))
}

#[cfg(test)]
mod tests;
