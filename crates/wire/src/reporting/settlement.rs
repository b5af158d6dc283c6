//! `GET /reporting/settlement/{category}`: the money that settled.

use super::groups::GroupedReport;
use crate::tree::{Node, Object};
use crate::zone::Zone;
use domain::reporting::{GroupedSums, ReportGrouping, SettlementSums};

/// By what rows are grouped where the request does not say.
pub const GROUPING: ReportGrouping = ReportGrouping::DayAndService;

/// The columns of its file.
const COLUMNS: [&str; 9] = [
    "day", "service", "provider", "count", "captured", "refunded", "credited", "net", "currency",
];

/// The report.
pub fn report(sums: &GroupedSums<SettlementSums>, zone: &Zone) -> GroupedReport {
    let named = ("settlements", "settlement");
    GroupedReport::of(("settlement", named, &COLUMNS), sums, zone, |sum| {
        Object::new()
            .with("count", Node::Integer(sum.count))
            .with("captured", sum.captured)
            .with("refunded", sum.refunded)
            .with("credited", sum.credited)
            .with("net", sum.net)
    })
}
