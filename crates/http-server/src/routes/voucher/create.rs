//! `POST /voucher/create`. A code must be shown in its answer alone.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use http::StatusCode;
use wire::voucher::create;

pub(super) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let zone = call.zone();
    let wanted = create::parse(&call.attributes, call.handling, &zone)?;
    let made = gateway.make_vouchers(&call.merchant, wanted).await?;
    let fields = create::view(&made.batch, &made.codes, &zone);
    let message = "The codes are made; keep them, they are shown for a day only.";
    let reply = HttpReply::success(StatusCode::OK, message, fields);
    Ok(reply.marked(made.replay))
}
