//! `GET /tools/fees`. It must store nothing: a quote is its own proof.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use http::StatusCode;
use std::future::{Future, ready};
use wire::attribute::PROVIDER;
use wire::tools::fees;

pub(in crate::routes) fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> impl Future<Output = Result<HttpReply, HttpReply>> {
    ready(quoted(&gateway, &call))
}

fn quoted(gateway: &Gateway, call: &AuthenticatedRequest) -> Result<HttpReply, HttpReply> {
    let currency = call.merchant.account.currency;
    let asked = fees::parse(&call.attributes, call.handling, currency)?;
    let quoted = gateway.quote_fees(&call.merchant, &asked);
    let named = quoted.map_err(|refused| HttpReply::refused_provider(refused, &PROVIDER))?;
    let fields = fees::view(&named.identifier, &named.quote, &call.zone());
    Ok(HttpReply::success(StatusCode::OK, "The price.", fields))
}
