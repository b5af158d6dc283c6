//! The report of a bill's payment. It must show nothing of another account or category.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::payment;
use application::Gateway;
use domain::bill::BillCategory;
use domain::order::Service;
use wire::bill::transaction;

pub(super) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
    category: BillCategory,
) -> Result<HttpReply, HttpReply> {
    let reference = transaction::parse(&call.attributes, call.handling)?;
    let report = gateway.report(&call.merchant, Service::Bill(category), &reference);
    payment::report(report.await?.as_ref(), &call.zone())
}
