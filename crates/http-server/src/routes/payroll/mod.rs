//! Payroll, one operation per file; a batch of salaries is shown and cancelled as any batch.

mod order;
mod slip;

use super::bulk;
use super::row::{RouteKind, RouteRow, operation};
use domain::batch::BatchKind;

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    let mut rows = bulk::rows_of(
        BatchKind::Payroll,
        [
            "/transfer/payroll",
            "/transfer/payroll/transaction",
            "/transfer/payroll/cancel",
        ],
    );
    rows.extend([
        RouteKind::Bulk.at("/transfer/payroll", operation(order::handle)),
        RouteKind::Read.at("/transfer/payroll/payslip", operation(slip::handle)),
    ]);
    rows
}
