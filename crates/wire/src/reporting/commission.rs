//! `GET /reporting/commission/{category}`: what was delivered, less what was taken back.

use super::groups::GroupedReport;
use super::prices;
use crate::tree::{Node, Object};
use crate::zone::Zone;
use domain::reporting::{GroupedSums, PriceSums, ReportGrouping};

/// By what rows are grouped where the request does not say.
pub const GROUPING: ReportGrouping = ReportGrouping::Service;

/// The columns of its file.
const COLUMNS: [&str; 11] = [
    "day",
    "service",
    "provider",
    "count",
    "face",
    "commission",
    "charges",
    "vat",
    "duty",
    "net",
    "currency",
];

/// The report.
pub fn report(sums: &GroupedSums<PriceSums>, zone: &Zone) -> GroupedReport {
    let named = ("commissions", "commission");
    GroupedReport::of(("commission", named, &COLUMNS), sums, zone, |sum| {
        Object::new()
            .with("count", Node::Integer(sum.count))
            .and(prices(sum))
    })
}
