//! What stops and what protects an account. Nothing here may act on another one.

mod allowlist;
mod audit;
mod freezes;
mod logs;
mod rotation;

use super::row::{RouteKind, RouteRow, operation};
use domain::access::AccessScope;

/// Its operations. What is frozen and what goes on is for keys that may say who does what.
pub(super) fn rows() -> Vec<RouteRow> {
    let admin = |path, handler| {
        RouteKind::Change
            .at(path, handler)
            .needing(AccessScope::Admin)
    };
    vec![
        RouteKind::Read.at("/security/freeze", operation(freezes::list)),
        admin("/security/freeze", operation(freezes::freeze)),
        admin("/security/unfreeze", operation(freezes::unfreeze)),
        admin("/security/rotate", operation(rotation::rotate)),
        RouteKind::Read.at("/security/allowlist", operation(allowlist::list)),
        admin("/security/allowlist", operation(allowlist::add)),
        admin("/security/allowlist/remove", operation(allowlist::remove)),
        RouteKind::Read
            .at("/security/audit", operation(audit::list))
            .needing(AccessScope::Admin),
        RouteKind::Read
            .at("/security/logs", operation(logs::list))
            .needing(AccessScope::Admin),
    ]
}
