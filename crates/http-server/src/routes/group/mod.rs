//! Groups of bank accounts, one operation per file. It must not decide which version is current.

mod create;
mod delete;
mod list;
mod update;

use super::row::{RouteKind, RouteRow, operation};
use crate::reply::HttpReply;
use application::payout_groups::SeenVersion;
use domain::access::AccessScope;
use domain::bank::{Group, GroupVersion};
use http::StatusCode;
use wire::group::view;
use wire::zone::Zone;

/// Its operations. Whom a payment to a group reaches is decided by who changes the group, so that a
/// change needs what a payment needs.
pub(super) fn rows() -> Vec<RouteRow> {
    vec![
        RouteKind::Page.at("/transfer/group", operation(list::handle)),
        RouteKind::Change
            .at("/transfer/group", operation(create::handle))
            .needing(AccessScope::Pay),
        RouteKind::Change
            .at("/transfer/group/update", operation(update::handle))
            .needing(AccessScope::Pay),
        RouteKind::Change
            .at("/transfer/group/delete", operation(delete::handle))
            .needing(AccessScope::Pay),
    ]
}

/// An answer that shows a group, with its version for `If-Match`.
fn shown(status: StatusCode, message: &'static str, (group, zone): (&Group, &Zone)) -> HttpReply {
    let reply = HttpReply::success(status, message, view(group, zone));
    reply.in_version(group.version.get())
}

/// The version that the body names, and those of `If-Match`.
fn seen(stated: GroupVersion, only_in: Option<&[u32]>) -> SeenVersion {
    let versions = |all: &[u32]| all.iter().copied().filter_map(GroupVersion::new).collect();
    SeenVersion {
        stated,
        only_in: only_in.map(versions),
    }
}
