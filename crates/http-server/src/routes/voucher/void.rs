//! `POST /voucher/void`. It must leave every decision about the code to the application.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use http::StatusCode;
use wire::voucher::void;

pub(super) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let wanted = void::parse(&call.attributes, call.handling)?;
    let which = (wanted.id, wanted.seen);
    let ended = gateway.void_voucher(&call.merchant, which, wanted.reason);
    let fields = void::view(&ended.await?, gateway.now());
    Ok(HttpReply::success(
        StatusCode::OK,
        "The code is void.",
        fields,
    ))
}
