//! `POST /transfer/user`. It must leave every decision about the order to the application.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::payment;
use application::Gateway;
use wire::user::transfer;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let command = transfer::parse(&call.attributes, call.handling)?;
    let purchase = call.purchase(command);
    let paid = gateway.transfer_to_user(&call.merchant, purchase).await?;
    Ok(payment::paid(&paid, &call.zone()))
}
