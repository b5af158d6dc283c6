//! A customer of a biller. It must show the biller's answer and nothing cached.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use domain::bill::BillCategory;
use http::StatusCode;
use wire::bill::validation;

pub(super) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
    category: BillCategory,
) -> Result<HttpReply, HttpReply> {
    let query = validation::parse(&call.attributes, call.handling, category)?;
    let found = gateway.validate_bill(&call.merchant, &query).await?;
    let asked = (&found.biller, &query);
    let fields = validation::view(asked, &found.account, found.limits, &call.zone());
    Ok(HttpReply::success(StatusCode::OK, "The customer.", fields))
}
