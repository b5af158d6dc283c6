//! Reports over a period, one operation for each type. A report must show the account of its
//! request alone.

mod commission;
mod file;
mod float;
mod reconciliation;
mod settlement;
mod transactions;

use super::collection;
use super::row::{RouteKind, RouteRow, operation};
use crate::authenticated_request::AuthenticatedRequest;
use crate::error_response::unknown;
use crate::reply::HttpReply;
use application::reports::ReportScope;
use domain::reporting::ReportDays;
use http::StatusCode;
use wire::account::transactions::TransactionCategory;
use wire::attribute::CATEGORY;
use wire::reporting::{GroupedQuery, GroupedReport};

/// Their operations.
pub(super) fn rows() -> Vec<RouteRow> {
    let list = |path, handler| RouteKind::List.at(path, handler);
    vec![
        list(
            "/reporting/transactions/{category}",
            operation(transactions::handle),
        ),
        list(
            "/reporting/commission/{category}",
            operation(commission::handle),
        ),
        list(
            "/reporting/settlement/{category}",
            operation(settlement::handle),
        ),
        list("/reporting/float/{category}", operation(float::handle)),
        list(
            "/reporting/reconciliation/{category}",
            operation(reconciliation::handle),
        ),
        RouteKind::Page.at("/reporting/run", operation(file::handle)),
    ]
}

/// The category that the path of a request names.
fn category(call: &AuthenticatedRequest) -> Result<TransactionCategory, HttpReply> {
    let category = TransactionCategory::parse(&call.path_word);
    category.ok_or_else(|| unknown(&CATEGORY, &TransactionCategory::unknown()))
}

/// What a report of a category and a period is about.
fn scope(category: TransactionCategory, days: &ReportDays) -> ReportScope {
    ReportScope::of(category.service(), days.clone())
}

/// A page of a report of sums.
fn grouped(report: GroupedReport, query: &GroupedQuery) -> HttpReply {
    let (found, links) = (report.found(), report.link_header(query));
    let reply = HttpReply::success(StatusCode::OK, "The report.", report.view(query));
    collection::part(reply, found, &links)
}

#[cfg(test)]
mod tests;
