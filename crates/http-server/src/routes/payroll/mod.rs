//! Payroll, one operation per file; a batch of salaries is shown and cancelled as any batch.

mod order;
mod slip;

use super::bulk::{cancel, list, report};
use super::row::{RouteKind, RouteRow, operation};
use domain::batch::BatchKind;

const KIND: BatchKind = BatchKind::Payroll;

/// Its operations.
pub(super) fn rows() -> Vec<RouteRow> {
    vec![
        RouteKind::List.at(
            "/transfer/payroll",
            operation(|gateway, call| list::handle(gateway, call, KIND)),
        ),
        RouteKind::Bulk.at("/transfer/payroll", operation(order::handle)),
        RouteKind::Page.at(
            "/transfer/payroll/transaction",
            operation(|gateway, call| report::handle(gateway, call, KIND)),
        ),
        RouteKind::Change.at(
            "/transfer/payroll/cancel",
            operation(|gateway, call| cancel::handle(gateway, call, KIND)),
        ),
        RouteKind::Read.at("/transfer/payroll/payslip", operation(slip::handle)),
    ]
}
