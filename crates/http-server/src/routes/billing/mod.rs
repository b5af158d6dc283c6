//! What is settled between the account and the gateway. Nothing here may show another account.

mod refund;
mod subscription;

use super::row::{RouteKind, RouteRow, operation};
use domain::access::AccessScope;

/// Its operations. A refund is asked for by those who may pay, and so is what is paid on a
/// schedule.
pub(super) fn rows() -> Vec<RouteRow> {
    vec![
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
