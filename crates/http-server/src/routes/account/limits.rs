//! `/account/limits`. It must not decide which version of a limit is current.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use http::StatusCode;
use wire::account::{limits, profile};

pub(super) async fn list(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    profile::parse(&call.attributes, call.handling)?;
    let (found, spent) = gateway.spending_limits(&call.merchant).await?;
    let fields = limits::view(&found, spent, &call.zone());
    let message = "The limits, and what was spent today.";
    Ok(HttpReply::success(StatusCode::OK, message, fields))
}

pub(super) async fn set(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let currency = call.merchant.account.currency;
    let wanted = limits::parse(&call.attributes, call.handling, currency)?;
    let set = gateway.set_spending_limit(&call.merchant, wanted, call.only_in.as_deref());
    let (limit, replay) = set.await?;
    let fields = limits::view_one(&limit, &call.zone());
    let answer = HttpReply::success(StatusCode::OK, "The limit counts from now on.", fields);
    let answer = answer.in_version(limit.version);
    Ok(answer.marked(replay))
}

#[cfg(test)]
mod tests;
