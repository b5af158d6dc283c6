//! `/security/allowlist`. It must not decide where a key is used from.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use http::StatusCode;
use wire::attribute::{ALLOWED, ALLOWED_NETWORK};
use wire::security::allowlist;

pub(super) async fn list(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let paging = allowlist::parse_list(&call.attributes, call.handling)?;
    let found = gateway.allowlist(&call.merchant).await;
    let found = found.map_err(|refused| HttpReply::allowlist_refused(refused, &ALLOWED))?;
    let entries = found.into_iter().map(|of_key| (of_key.key, of_key.entry));
    let listing = allowlist::listing(entries, &call.zone());
    let fields = allowlist::view_list(&listing, &paging);
    let links = allowlist::link_header(&listing, &paging);
    let message = "The networks that your keys may be used from.";
    let reply = HttpReply::success(StatusCode::OK, message, fields);
    Ok(collection::part(reply, listing.found.len(), &links))
}

pub(super) async fn add(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let wanted = allowlist::parse(&call.attributes, call.handling)?;
    let added = gateway.allow_network(&call.merchant, &wanted).await;
    let refused = |refused| HttpReply::allowlist_refused(refused, &ALLOWED_NETWORK);
    let (added, mark) = added.map_err(refused)?;
    let fields = allowlist::view((added.key, &added.entry), &call.zone());
    let message = "The key may be used from the network.";
    Ok(HttpReply::success(StatusCode::OK, message, fields).marked(mark))
}

pub(super) async fn remove(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let id = allowlist::parse_removal(&call.attributes, call.handling)?;
    let removed = gateway.remove_allowed(&call.merchant, id).await;
    let removed = removed.map_err(|refused| HttpReply::allowlist_refused(refused, &ALLOWED))?;
    let fields = allowlist::view((removed.key, &removed.entry), &call.zone());
    let message = "The network is removed.";
    Ok(HttpReply::success(StatusCode::OK, message, fields))
}

#[cfg(test)]
mod tests;
