//! `POST /voucher/redeem`. It must leave every decision about the code to the application.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use http::StatusCode;
use wire::voucher::redeem;

pub(super) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let wanted = redeem::parse(&call.attributes, call.handling)?;
    let target = wanted.target.clone();
    let made = gateway.redeem_voucher(&call.merchant, wanted).await?;
    let of = (&made.redemption, &made.voucher);
    let fields = redeem::view(of, target.as_ref(), &call.zone());
    let reply = HttpReply::success(StatusCode::OK, "The code is redeemed.", fields);
    Ok(reply.marked(made.replay))
}
