//! `POST /transfer/payroll`. It must leave every decision about the salaries to the application.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::bulk::accepted;
use application::Gateway;
use wire::payroll::order;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let zone = call.zone();
    let of_account = (call.merchant.account.currency, &zone);
    let command = order::parse(&call.attributes, call.handling, of_account)?;
    let purchase = call.purchase(command);
    let opened = gateway.pay_salaries(&call.merchant, purchase).await?;
    Ok(accepted(&opened, &zone))
}
