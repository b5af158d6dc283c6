//! The payment of a bill. It must leave every decision about the order to the application.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::payment;
use application::Gateway;
use domain::bill::BillCategory;
use wire::bill::pay;

pub(super) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
    category: BillCategory,
) -> Result<HttpReply, HttpReply> {
    let currency = call.merchant.account.currency;
    let command = pay::parse(&call.attributes, call.handling, (category, currency))?;
    let purchase = call.quoted_purchase(command);
    let paid = gateway.pay_bill(&call.merchant, purchase).await?;
    Ok(payment::paid(&paid, &call.zone()))
}
