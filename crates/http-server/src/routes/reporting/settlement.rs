//! `GET /reporting/settlement/{category}`: money that settled in a period.
//! It must add nothing up itself.

use super::{category, file, grouped, scope};
use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use application::reports::files::ReportKind;
use wire::reporting::run::of_sums;
use wire::reporting::{GroupedQuery, ReportFormat, settlement};

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let zone = call.zone();
    let asked = (&call.attributes, call.handling);
    let query = GroupedQuery::parse(category(&call)?, asked, &zone)?;
    let grouping = query.grouping.unwrap_or(settlement::GROUPING);
    if query.format == ReportFormat::Csv {
        let asked = (ReportKind::Settlement, &query);
        let request = of_sums(asked, grouping, &call.merchant.account.time_zone);
        return file::begin(&gateway, &call, request).await;
    }
    let scope = scope(query.category, &query.days);
    let sums = gateway.report_settlement(&call.merchant, &scope, grouping);
    Ok(grouped(settlement::report(&sums.await?, &zone), &query))
}
