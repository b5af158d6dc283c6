//! Every operation there is. Nothing else may add a route.

use super::row::{RouteKind, RouteRow, public};
use super::verb::{Verb, allowing};
use super::{
    account, airtime, bank, bill, billing, booking, bulk, cabletv, card, checkout, collecting,
    documentation, electricity, geolocation, group, health, hlr, international, internet, ivr,
    logos, messaging, messaging_library, mobile_money, operations, paid_lookup, payroll, rcs,
    reporting, security, sms, tools, user, voice, voucher, wallet, webhook, whatsapp, xsd,
};
use crate::edge::HEALTH;
use crate::layers::rate_limit::RateLimitClass;
use domain::access::AccessScope;
use http::Method;
use http::header::HeaderValue;
use std::sync::LazyLock;

/// Every operation; each family lists its own.
static ENDPOINTS: LazyLock<Vec<RouteRow>> = LazyLock::new(|| {
    let families = [
        airtime::rows(),
        cabletv::rows(),
        electricity::rows(),
        internet::rows(),
        bill::rows(),
        sms::rows(),
        whatsapp::rows(),
        rcs::rows(),
        voice::rows(),
        ivr::rows(),
        messaging_library::rows(),
        messaging::rows(),
        bank::rows(),
        bulk::rows(),
        payroll::rows(),
        mobile_money::rows(),
        card::rows(),
        international::rows(),
        wallet::rows(),
        tools::rows(),
        user::rows(),
        checkout::rows(),
        collecting::rows(),
        voucher::rows(),
        group::rows(),
        hlr::rows(),
        paid_lookup::rows(),
        geolocation::rows(),
        account::rows(),
        billing::rows(),
        booking::rows(),
        reporting::rows(),
        operations::rows(),
        security::rows(),
        webhook::rows(),
        process(),
    ];
    families.into_iter().flatten().collect()
});

/// What belongs to no family: the health of the process and the documentation.
fn process() -> Vec<RouteRow> {
    vec![
        RouteKind::Health.at(HEALTH, public(health::handle)),
        RouteKind::Documentation.at("/", public(documentation::root)),
        RouteKind::Documentation.at("/openapi.json", public(documentation::document)),
        RouteKind::Documentation.at("/docs", public(documentation::page)),
        RouteKind::Documentation.at("/docs/page.js", public(documentation::script)),
        RouteKind::Documentation.at("/docs/page.css", public(documentation::style)),
        RouteKind::Documentation.at("/docs/scalar.js", public(documentation::viewer_script)),
        RouteKind::Documentation.at("/docs/scalar.css", public(documentation::viewer_style)),
    ]
}

/// Every operation there is.
pub fn endpoints() -> &'static [RouteRow] {
    &ENDPOINTS
}

/// The path of an operation as listed, for logs: arbitrary paths of clients must not fill them.
pub(crate) fn known(path: &str) -> Option<&'static str> {
    let found = ENDPOINTS.iter().find(|endpoint| endpoint.is_at(path));
    found.map(|endpoint| endpoint.path)
}

/// Whether a path is answered without credentials, for any verb.
pub(crate) fn is_public(path: &str) -> bool {
    let mut here = ENDPOINTS.iter().filter(|endpoint| endpoint.is_at(path));
    here.any(|endpoint| endpoint.kind.is_public()) || is_file(path)
}

/// Whether a GET of a path is charged.
pub(crate) fn is_charged_read(path: &str) -> bool {
    let mut here = ENDPOINTS.iter().filter(|endpoint| endpoint.is_at(path));
    here.any(|endpoint| endpoint.kind == RouteKind::PaidLookup)
}

/// The limit a request counts against. A request that matches no operation is a read: it costs as
/// little.
pub(crate) fn class(method: &Method, path: &str) -> RateLimitClass {
    row(method, path).map_or(RateLimitClass::Reads, |row| row.kind.class())
}

/// The scope that a request needs; none where it matches no operation and does nothing.
pub(crate) fn scope(method: &Method, path: &str) -> Option<AccessScope> {
    row(method, path).and_then(|row| row.scope)
}

fn row(method: &Method, path: &str) -> Option<&'static RouteRow> {
    let asked = |endpoint: &&RouteRow| endpoint.is_at(path) && endpoint.verb.answers(method);
    ENDPOINTS.iter().find(asked)
}

/// Whether the content of a path has a format of its own, regardless of `Accept`.
pub(crate) fn has_own_format(path: &str) -> bool {
    let mut here = ENDPOINTS.iter().filter(|endpoint| endpoint.is_at(path));
    here.any(|endpoint| endpoint.kind == RouteKind::Documentation) || is_file(path)
}

/// Whether a path is a file and no operation.
fn is_file(path: &str) -> bool {
    xsd::is_at(path) || logos::is_at(path)
}

/// The value of `Allow` where only POST is taken.
pub(super) fn allowing_post() -> HeaderValue {
    allowing(Verb::Post.allows().to_owned())
}

/// The value of `Allow` for a path.
pub(crate) fn allow(path: &str) -> HeaderValue {
    let here = ENDPOINTS.iter().filter(|endpoint| endpoint.is_at(path));
    let verbs: String = here.map(RouteRow::allows).collect();
    if is_file(path) {
        return allowing(Verb::Get.allows().to_owned());
    }
    allowing(verbs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::order::Service;
    use std::collections::HashSet;

    #[test]
    fn no_operation_is_listed_twice() {
        let names: HashSet<_> = endpoints().iter().map(|e| (e.verb, e.path)).collect();
        assert_eq!(names.len(), endpoints().len());
    }

    #[test]
    fn what_makes_changes_or_quotes_something_is_posted_and_what_reads_is_not() {
        for endpoint in endpoints() {
            let expected = match endpoint.kind {
                RouteKind::Money | RouteKind::Bulk | RouteKind::Change | RouteKind::Quote => {
                    Verb::Post
                }
                RouteKind::Read
                | RouteKind::List
                | RouteKind::Page
                | RouteKind::Lookup
                | RouteKind::PaidLookup
                | RouteKind::Health
                | RouteKind::Documentation => Verb::Get,
            };
            assert_eq!(endpoint.verb, expected, "{endpoint:?}");
        }
    }

    /// What needs no scope is answered without credentials, and nothing else is.
    #[test]
    fn every_operation_of_an_account_needs_a_scope() {
        for endpoint in endpoints() {
            assert_eq!(
                endpoint.scope.is_none(),
                endpoint.kind.is_public(),
                "{endpoint:?}"
            );
            let moves_money = matches!(
                endpoint.kind,
                RouteKind::Money | RouteKind::Bulk | RouteKind::PaidLookup
            );
            if moves_money {
                assert_eq!(endpoint.scope, Some(AccessScope::Pay), "{endpoint:?}");
            }
            // What quotes or examines is posted and changes nothing.
            if endpoint.verb == Verb::Post && endpoint.kind != RouteKind::Quote {
                let reads = [AccessScope::Read, AccessScope::Lookup].map(Some);
                assert!(!reads.contains(&endpoint.scope), "{endpoint:?}");
            }
        }
    }

    /// Whom money goes to, and who may do what, is not for keys that only manage settings.
    #[test]
    fn operations_of_more_consequence_need_another_scope_than_their_kind() {
        let others = endpoints().iter();
        let others = others.filter(|endpoint| endpoint.scope != endpoint.kind.scope());
        let mut others: Vec<_> = others.map(|it| (it.path, it.verb, it.scope)).collect();
        others.sort_by_key(|(path, _, _)| *path);
        let (pay, admin) = (Some(AccessScope::Pay), Some(AccessScope::Admin));
        let expected = [
            ("/account/approvals", Verb::Get, pay),
            ("/account/approvals", Verb::Post, pay),
            ("/account/keys", Verb::Post, admin),
            ("/account/keys/revoke", Verb::Post, admin),
            ("/account/limits", Verb::Post, admin),
            ("/account/users", Verb::Get, admin),
            ("/account/users", Verb::Post, admin),
            ("/account/users/activate", Verb::Post, admin),
            ("/account/users/disable", Verb::Post, admin),
            ("/billing/invoice/open", Verb::Post, pay),
            ("/billing/invoice/void", Verb::Post, pay),
            ("/billing/refund", Verb::Post, pay),
            ("/billing/subscription", Verb::Post, pay),
            ("/billing/subscription/cancel", Verb::Post, pay),
            ("/billing/subscription/pause", Verb::Post, pay),
            ("/billing/subscription/resume", Verb::Post, pay),
            ("/booking/appointment", Verb::Post, pay),
            ("/booking/cancel", Verb::Post, pay),
            ("/booking/complete", Verb::Post, pay),
            ("/booking/miss", Verb::Post, pay),
            ("/booking/reschedule", Verb::Post, pay),
            ("/booking/service", Verb::Post, pay),
            ("/booking/service/change", Verb::Post, pay),
            ("/checkout/cancel", Verb::Post, pay),
            ("/collection/close", Verb::Post, pay),
            ("/collection/resume", Verb::Post, pay),
            ("/collection/suspend", Verb::Post, pay),
            ("/messaging/bulk/cancel", Verb::Post, pay),
            ("/messaging/flow", Verb::Post, pay),
            ("/messaging/flow/delete", Verb::Post, pay),
            ("/messaging/template", Verb::Post, pay),
            ("/messaging/template/delete", Verb::Post, pay),
            ("/security/allowlist", Verb::Post, admin),
            ("/security/allowlist/remove", Verb::Post, admin),
            ("/security/audit", Verb::Get, admin),
            ("/security/freeze", Verb::Post, admin),
            ("/security/logs", Verb::Get, admin),
            ("/security/rotate", Verb::Post, admin),
            ("/security/unfreeze", Verb::Post, admin),
            ("/transfer/bulk/cancel", Verb::Post, pay),
            ("/transfer/group", Verb::Post, pay),
            ("/transfer/group/delete", Verb::Post, pay),
            ("/transfer/group/update", Verb::Post, pay),
            ("/transfer/payroll/cancel", Verb::Post, pay),
            ("/voucher/void", Verb::Post, pay),
        ];
        assert_eq!(others, expected);
    }

    #[test]
    fn allow_lists_the_verbs_of_a_path() {
        assert_eq!(allow("/payment/airtime"), "GET, HEAD, POST, OPTIONS");
        assert_eq!(allow("/transfer/bank/payout"), "POST, OPTIONS");
        assert_eq!(allow("/account/balance"), "GET, HEAD, OPTIONS");
        assert_eq!(allow("/vas/hlrlookup"), "GET, OPTIONS");
        assert_eq!(allow("/webhook/endpoint"), "GET, HEAD, POST, OPTIONS");
    }

    #[test]
    fn every_product_that_is_posted_to_its_path_lists_its_transactions_there() {
        for service in Service::all() {
            let path = wire::product_path(service);
            let listed = endpoints().iter().any(|endpoint| {
                (endpoint.verb, endpoint.kind, endpoint.path) == (Verb::Get, RouteKind::List, path)
            });
            // A lookup is a GET on its own path, and so is its report.
            let is_lookup = matches!(service, Service::Hlr | Service::Lookup(_));
            assert_eq!(listed, !is_lookup, "{path}");
        }
    }

    #[test]
    fn every_product_but_the_lookups_has_a_report() {
        let reference = testkit::builders::reference("order-1");
        for service in Service::all() {
            let address = wire::report_path(service, &reference);
            let path = address.split('?').next().unwrap();
            let listed = endpoints().iter().any(|endpoint| {
                (endpoint.verb, endpoint.kind, endpoint.path) == (Verb::Get, RouteKind::Read, path)
            });
            let is_lookup = matches!(service, Service::Hlr | Service::Lookup(_));
            assert_eq!(listed, !is_lookup, "{path}");
        }
    }
}
