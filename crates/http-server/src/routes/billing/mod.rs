//! What is settled between the account and the gateway. Nothing here may show another account.

mod invoice;
mod refund;
mod subscription;

use super::row::{RouteKind, RouteRow, operation};
use domain::access::AccessScope;

/// Its operations. A refund is asked for by those who may pay, and so is what is paid on a
/// schedule, and what customers are to pay.
pub(super) fn rows() -> Vec<RouteRow> {
    let change = |row: RouteRow| row.needing(AccessScope::Pay);
    vec![
        RouteKind::Page.at("/billing/invoice", operation(invoice::list)),
        RouteKind::Money.at("/billing/invoice", operation(invoice::create)),
        RouteKind::Read.at("/billing/invoice/transaction", operation(invoice::report)),
        RouteKind::Read.at("/billing/invoice/pdf", operation(invoice::document)),
        change(RouteKind::Change.at("/billing/invoice/open", operation(invoice::open))),
        change(RouteKind::Change.at("/billing/invoice/void", operation(invoice::void))),
        RouteKind::Page.at("/billing/refund", operation(refund::list)),
        RouteKind::Change
            .at("/billing/refund", operation(refund::ask))
            .needing(AccessScope::Pay),
        RouteKind::Read.at("/billing/refund/transaction", operation(refund::report)),
        RouteKind::Page.at("/billing/subscription", operation(subscription::list)),
        RouteKind::Change
            .at("/billing/subscription", operation(subscription::create))
            .needing(AccessScope::Pay),
        RouteKind::Change
            .at(
                "/billing/subscription/pause",
                operation(subscription::pause),
            )
            .needing(AccessScope::Pay),
        RouteKind::Change
            .at(
                "/billing/subscription/resume",
                operation(subscription::resume),
            )
            .needing(AccessScope::Pay),
        RouteKind::Change
            .at(
                "/billing/subscription/cancel",
                operation(subscription::cancel),
            )
            .needing(AccessScope::Pay),
        RouteKind::Page.at("/billing/subscription/runs", operation(subscription::runs)),
    ]
}
