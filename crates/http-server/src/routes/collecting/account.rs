//! `/collection/account`: account numbers that payers transfer to. They must leave it to what was
//! credited how much was paid.

use super::{ShownWith, replayed, shown};
use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use application::collections::{CollectionName, CollectionSort};
use http::StatusCode;
use wire::collection::{CollectionsPart, account, parse_list};
use wire::transaction::parse_reference;

pub(super) async fn make(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let shown_with = ShownWith::of(&gateway, &call);
    let wanted = account::parse(&call.attributes, call.handling, &shown_with.zone)?;
    let made = gateway.collect(&call.merchant, wanted, call.retry_key());
    let made = made.await?;
    let said = (StatusCode::CREATED, "The account number takes payments.");
    let reply = shown(said, &made.state, shown_with.context(&gateway));
    let reply = reply.located(&account::path(&made.state.collection.reference));
    Ok(replayed(reply, made.replay))
}

pub(super) async fn list(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let paging = parse_list(&call.attributes, call.handling)?;
    let page = collection::page_of(&paging);
    let found = gateway.collections(&call.merchant, CollectionSort::Account, page);
    let found = found.await?;
    let part = CollectionsPart {
        collections: &found.collections,
        total: found.total,
    };
    let shown_with = ShownWith::of(&gateway, &call);
    let fields = account::view(part, &paging, shown_with.context(&gateway));
    let reply = HttpReply::success(StatusCode::OK, "The account numbers.", fields);
    let links = account::link_header(part, &paging);
    Ok(collection::part(reply, found.total, &links))
}

pub(super) async fn report(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let reference = parse_reference(&call.attributes, call.handling)?;
    let name = CollectionName::Reference(&reference);
    let found = gateway.collection(&call.merchant, name, CollectionSort::Account);
    let found = found.await?;
    let shown_with = ShownWith::of(&gateway, &call);
    let said = (StatusCode::OK, "The account number.");
    Ok(shown(said, &found, shown_with.context(&gateway)))
}
