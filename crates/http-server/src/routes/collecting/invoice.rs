//! `/collection/invoice`: payment references that payers type. They must leave it to what was
//! credited how much was paid.

use super::reading::KindOfCollections;
use super::shown;
use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::shown_with::ShownWith;
use application::Gateway;
use application::collections::CollectionSort;
use http::StatusCode;
use wire::collection::invoice;

const KIND: KindOfCollections = KindOfCollections {
    sort: CollectionSort::Invoice,
    all: "The payment references.",
    one: "The payment reference.",
    view: invoice::view,
    links: invoice::link_header,
};

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
