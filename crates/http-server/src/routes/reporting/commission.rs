//! `GET /reporting/commission/{category}`: what was delivered in a period.
//! It must add nothing up itself.

use super::{category, grouped, scope};
use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use wire::reporting::{GroupedQuery, commission};

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let zone = call.zone();
    let asked = (&call.attributes, call.handling);
    let query = GroupedQuery::parse(category(&call)?, asked, &zone)?;
    let grouping = query.grouping.unwrap_or(commission::GROUPING);
    let scope = scope(query.category, &query.days);
    let sums = gateway.report_commission(&call.merchant, &scope, grouping);
    Ok(grouped(commission::report(&sums.await?, &zone), &query))
}
