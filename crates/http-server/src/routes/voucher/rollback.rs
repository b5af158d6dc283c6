//! `POST /voucher/rollback`. It must leave every decision about the code to the application.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use http::StatusCode;
use wire::voucher::rollback;

pub(super) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let wanted = rollback::parse(&call.attributes, call.handling)?;
    let done = gateway.roll_voucher_back(&call.merchant, wanted).await?;
    let of = (&done.redemption, &done.rollback);
    let fields = rollback::view(of, &done.voucher, &call.zone());
    let reply = HttpReply::success(StatusCode::OK, "The redemption is rolled back.", fields);
    Ok(reply.marked(done.replay))
}
