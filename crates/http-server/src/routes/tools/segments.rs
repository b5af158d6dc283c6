//! `GET /tools/segments`.

use super::fees;
use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use domain::fees::FeeRequest;
use http::StatusCode;
use wire::tools::segments;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let message = segments::parse(&call.attributes, call.handling)?;
    let asked = FeeRequest::Sms(message.country, message.segments.parts);
    let quoted = gateway.quote_fees(&call.merchant, &asked);
    let cost = quoted.map_err(fees::refused)?.quote.price.price;
    let fields = segments::view(&message, cost);
    Ok(HttpReply::success(
        StatusCode::OK,
        "The parts of the message.",
        fields,
    ))
}
