//! What is settled between the account and the gateway. Nothing here may show another account.

mod refund;

use super::row::{RouteKind, RouteRow, operation};
use domain::access::AccessScope;

/// Its operations. A refund is asked for by those who may pay.
pub(super) fn rows() -> Vec<RouteRow> {
    vec![
        RouteKind::Page.at("/billing/refund", operation(refund::list)),
        RouteKind::Change
            .at("/billing/refund", operation(refund::ask))
            .needing(AccessScope::Pay),
        RouteKind::Read.at("/billing/refund/transaction", operation(refund::report)),
    ]
}
