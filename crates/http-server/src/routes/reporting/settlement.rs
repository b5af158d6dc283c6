//! `GET /reporting/settlement/{category}`: money that settled in a period.
//! It must add nothing up itself.

use super::{category, grouped, scope};
use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use wire::reporting::{GroupedQuery, settlement};

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let zone = call.zone();
    let asked = (&call.attributes, call.handling);
    let query = GroupedQuery::parse(category(&call)?, asked, &zone)?;
    let grouping = query.grouping.unwrap_or(settlement::GROUPING);
    let scope = scope(query.category, &query.days);
    let sums = gateway.report_settlement(&call.merchant, &scope, grouping);
    Ok(grouped(settlement::report(&sums.await?, &zone), &query))
}
