//! Templates and flows that a merchant keeps. It must not know what they are used for.

mod create;
mod list;
mod remove;

use super::row::{RouteKind, RouteRow, operation};
use domain::access::AccessScope;

/// Their operations.
pub(super) fn rows() -> Vec<RouteRow> {
    vec![
        RouteKind::Page.at("/messaging/template", operation(list::templates)),
        RouteKind::Change
            .at("/messaging/template", operation(create::template))
            .needing(AccessScope::Pay),
        RouteKind::Change
            .at("/messaging/template/delete", operation(remove::template))
            .needing(AccessScope::Pay),
        RouteKind::Page.at("/messaging/flow", operation(list::flows)),
        RouteKind::Change
            .at("/messaging/flow", operation(create::flow))
            .needing(AccessScope::Pay),
        RouteKind::Change
            .at("/messaging/flow/delete", operation(remove::flow))
            .needing(AccessScope::Pay),
    ]
}
