//! `POST /collection/suspend`, `/collection/resume` and `/collection/close`. They must change the
//! version that the merchant saw, or nothing.

use super::shown;
use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::shown_with::ShownWith;
use application::Gateway;
use application::collections::{CollectionSort, SeenCollection};
use domain::collection::CollectionStep;
use http::StatusCode;
use wire::collection::step;

/// Checkout sessions have steps of their own.
const KINDS: [CollectionSort; 2] = [CollectionSort::Account, CollectionSort::Invoice];

pub(super) async fn suspend(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let said = "The collection takes no payments for now; what arrives is credited still.";
    change((gateway, call), CollectionStep::Suspend, said).await
}

pub(super) async fn resume(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let said = "The collection takes payments.";
    change((gateway, call), CollectionStep::Resume, said).await
}

pub(super) async fn close(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let said = "The collection is closed; what arrives is credited still.";
    change((gateway, call), CollectionStep::Close, said).await
}

async fn change(
    (gateway, call): (Gateway, AuthenticatedRequest),
    step: CollectionStep,
    said: &'static str,
) -> Result<HttpReply, HttpReply> {
    let (number, stated) = step::parse(&call.attributes, call.handling)?;
    let seen = SeenCollection {
        stated,
        only_in: call.only_in.clone(),
    };
    let changed = gateway.change_collection(&call.merchant, (number, step), (&seen, &KINDS));
    let changed = changed.await?;
    let shown_with = ShownWith::of(&gateway, &call);
    Ok(shown(
        (StatusCode::OK, said),
        &changed,
        shown_with.context(&gateway),
    ))
}
