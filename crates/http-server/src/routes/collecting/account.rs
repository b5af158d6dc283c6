//! `/collection/account`: account numbers that payers transfer to. They must leave it to what was
//! credited how much was paid.

use super::reading::KindOfCollections;
use super::shown;
use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::shown_with::ShownWith;
use application::Gateway;
use application::collections::CollectionSort;
use http::StatusCode;
use wire::collection::account;

const KIND: KindOfCollections = KindOfCollections {
    sort: CollectionSort::Account,
    all: "The account numbers.",
    one: "The account number.",
    view: account::view,
    links: account::link_header,
};

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
    Ok(reply.marked(made.replay))
}

pub(super) async fn list(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    KIND.list(gateway, call).await
}

pub(super) async fn report(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    KIND.report(gateway, call).await
}
