//! `GET /reporting/transactions/{category}`: every transaction that was accepted in a period. It
//! must return pages, never everything at once.

use super::{category, collection, file, scope};
use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use application::reports::ReportFilter;
use http::StatusCode;
use wire::reporting::ReportFormat;
use wire::reporting::run::of_transactions;
use wire::reporting::transactions::{self, ReportedPart};

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let zone = call.zone();
    let asked = (&call.attributes, call.handling);
    let query = transactions::parse(category(&call)?, asked, &zone)?;
    if query.format == ReportFormat::Csv {
        let request = of_transactions(&query, &call.merchant.account.time_zone);
        return file::begin(&gateway, &call, request).await;
    }
    let filter = ReportFilter {
        status: query.status,
        number: query.number.clone(),
        offset: query.offset,
        length: query.length,
        sort: query.sort,
    };
    let scope = scope(query.category, &query.days);
    let report = gateway
        .report_transactions(&call.merchant, &scope, &filter)
        .await?;
    let part = ReportedPart {
        transactions: &report.transactions,
        total: report.total,
        found: report.found,
        sums: &report.sums,
    };
    let fields = transactions::view(part, &query, &zone);
    let links = transactions::link_header(part, &query);
    let reply = HttpReply::success(StatusCode::OK, "The report.", fields);
    Ok(collection::part(reply, part.found, &links))
}
