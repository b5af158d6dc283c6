//! `GET /reporting/reconciliation/{category}`: prices and what became of them.

use super::groups::GroupedReport;
use crate::tree::{Node, Object};
use crate::zone::Zone;
use domain::reporting::{GroupedSums, ReconciliationSums, ReportGrouping};

/// By what rows are grouped where the request does not say.
pub const GROUPING: ReportGrouping = ReportGrouping::Day;

/// The columns of its file.
const COLUMNS: [&str; 10] = [
    "day",
    "service",
    "provider",
    "count",
    "held",
    "captured",
    "released",
    "open",
    "difference",
    "currency",
];

/// The report.
pub fn report(sums: &GroupedSums<ReconciliationSums>, zone: &Zone) -> GroupedReport {
    let named = ("reconciliations", "reconciliation");
    GroupedReport::of(("reconciliation", named, &COLUMNS), sums, zone, |sum| {
        Object::new()
            .with("count", Node::Integer(sum.count))
            .with("held", sum.held)
            .with("captured", sum.captured)
            .with("released", sum.released)
            .with("open", sum.open)
            .with("difference", sum.difference)
    })
}
