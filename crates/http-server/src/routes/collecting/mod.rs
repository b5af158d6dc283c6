//! `/collection`: account numbers and payment references, one file for each, and what is paid to
//! them. Nothing here may show another account, nor decide what was paid.

mod account;
mod invoice;
mod payment;
mod reading;
mod step;

use super::row::{RouteKind, RouteRow, operation};
use crate::authenticated_request::AuthenticatedRequest;
use crate::layers::if_match;
use crate::reply::HttpReply;
use application::{Gateway, ReplayMark};
use domain::access::AccessScope;
use domain::collection::CollectionState;
use domain::top_up::ReceivingAccount;
use http::StatusCode;
use wire::collection::{CollectionContext, view_one};
use wire::zone::Zone;

/// Its operations. What money comes in by is for keys that may pay: who closes a collection decides
/// about money too.
pub(super) fn rows() -> Vec<RouteRow> {
    let change = |row: RouteRow| row.needing(AccessScope::Pay);
    vec![
        RouteKind::Page.at("/collection/account", operation(account::list)),
        RouteKind::Money.at("/collection/account", operation(account::make)),
        RouteKind::Read.at(
            "/collection/account/transaction",
            operation(account::report),
        ),
        RouteKind::Page.at("/collection/invoice", operation(invoice::list)),
        RouteKind::Money.at("/collection/invoice", operation(invoice::make)),
        RouteKind::Read.at(
            "/collection/invoice/transaction",
            operation(invoice::report),
        ),
        RouteKind::Page.at("/collection/transaction", operation(payment::list)),
        RouteKind::Money.at("/collection/simulate", operation(payment::simulate)),
        change(RouteKind::Change.at("/collection/suspend", operation(step::suspend))),
        change(RouteKind::Change.at("/collection/resume", operation(step::resume))),
        change(RouteKind::Change.at("/collection/close", operation(step::close))),
    ]
}

/// What the collections of a request are shown with.
struct ShownWith {
    receiving: Option<ReceivingAccount>,
    zone: Zone,
}

impl ShownWith {
    fn of(gateway: &Gateway, call: &AuthenticatedRequest) -> Self {
        Self {
            receiving: gateway.collecting_account(call.merchant.account.environment),
            zone: call.zone(),
        }
    }

    fn context(&self, gateway: &Gateway) -> CollectionContext<'_> {
        CollectionContext {
            receiving: self.receiving.as_ref(),
            now: gateway.now(),
            zone: &self.zone,
        }
    }
}

/// An answer that shows a collection, with its version for `If-Match`.
fn shown(
    (status, message): (StatusCode, &'static str),
    state: &CollectionState,
    context: CollectionContext<'_>,
) -> HttpReply {
    let reply = HttpReply::success(status, message, view_one(state, context));
    match if_match::tag(state.collection.version) {
        (name, Some(tag)) => reply.with_header(name, tag),
        // Digits in quotes are a header.
        (_, None) => reply,
    }
}

fn replayed(reply: HttpReply, mark: ReplayMark) -> HttpReply {
    match mark {
        ReplayMark::New => reply,
        ReplayMark::Replayed => reply.replayed(),
    }
}

#[cfg(test)]
mod tests;
