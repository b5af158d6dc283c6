//! `/collection/invoice`: payment references that payers type. They must leave it to what was
//! credited how much was paid.

use super::{ShownWith, replayed, shown};
use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use application::collections::{CollectionName, CollectionSort};
use http::StatusCode;
use wire::collection::{CollectionsPart, invoice, parse_list};
use wire::transaction::parse_reference;

pub(super) async fn make(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let shown_with = ShownWith::of(&gateway, &call);
    let wanted = invoice::parse(&call.attributes, call.handling, &shown_with.zone)?;
    let made = gateway.collect(&call.merchant, wanted, call.retry_key());
    let made = made.await?;
    let said = (StatusCode::CREATED, "The payment reference can be paid.");
    let reply = shown(said, &made.state, shown_with.context(&gateway));
    let reply = reply.located(&invoice::path(&made.state.collection.reference));
    Ok(replayed(reply, made.replay))
}

pub(super) async fn list(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let paging = parse_list(&call.attributes, call.handling)?;
    let page = collection::page_of(&paging);
    let found = gateway.collections(&call.merchant, CollectionSort::Invoice, page);
    let found = found.await?;
    let part = CollectionsPart {
        collections: &found.collections,
        total: found.total,
    };
    let shown_with = ShownWith::of(&gateway, &call);
    let fields = invoice::view(part, &paging, shown_with.context(&gateway));
    let reply = HttpReply::success(StatusCode::OK, "The payment references.", fields);
    let links = invoice::link_header(part, &paging);
    Ok(collection::part(reply, found.total, &links))
}

pub(super) async fn report(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let reference = parse_reference(&call.attributes, call.handling)?;
    let name = CollectionName::Reference(&reference);
    let found = gateway.collection(&call.merchant, name, CollectionSort::Invoice);
    let found = found.await?;
    let shown_with = ShownWith::of(&gateway, &call);
    let said = (StatusCode::OK, "The payment reference.");
    Ok(shown(said, &found, shown_with.context(&gateway)))
}
