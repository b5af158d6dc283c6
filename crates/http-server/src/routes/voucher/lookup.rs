//! `GET /voucher/lookup`. An unknown code must cost the same work as a known one.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use http::StatusCode;
use wire::voucher::lookup;

pub(super) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let asked = lookup::parse(&call.attributes, call.handling)?;
    let about = (asked.amount, asked.service);
    let found = gateway.voucher(&call.merchant, &asked.code, about).await?;
    let shown = (gateway.now(), &call.zone());
    let fields = lookup::view(&found.voucher, found.discount, shown);
    Ok(HttpReply::success(StatusCode::OK, "The code.", fields))
}
