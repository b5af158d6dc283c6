//! Every operation as data: its verb, path, kind and handler. Nothing else may add a route.

use super::{
    account, airtime, bank, bill, cabletv, documentation, electricity, fallback, geolocation,
    health, hlr, internet, logos, report, sms, transactions, webhook, xsd,
};
use crate::admission::WorkClass;
use crate::authenticated_request::{App, AuthenticatedRequest, run};
use crate::layers::rate_limit::RateLimitClass;
use crate::reply::HttpReply;
use application::Gateway;
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::routing::{MethodRouter, get, post};
use domain::order::Service;
use http::header::HeaderValue;
use http::{Method, Request};
use std::fmt;
use std::future::Future;
use std::sync::LazyLock;

/// The verb of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verb {
    Get,
    Post,
}

/// The effect of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RouteKind {
    /// Creates a transaction.
    Money,
    /// Changes the settings of an account, or sends something, and moves no money.
    Change,
    /// Reads.
    Read,
    /// Lists transactions, for which many are read.
    List,
    /// Shows many lines of the gateway's own ledger.
    Page,
    /// Queries a third party: a biller, a bank, a network.
    Lookup,
    /// Queries a third party and is charged, although it is a GET.
    PaidLookup,
    /// Reports that the process answers, with or without credentials.
    Health,
    /// Serves the documentation of the interface, with or without credentials; it is no operation,
    /// and has no envelope.
    Documentation,
}

impl RouteKind {
    /// The limit its requests count against.
    const fn class(self) -> RateLimitClass {
        match self {
            Self::Money => RateLimitClass::Payments,
            // An address is looked up, something is sent, or much is read.
            Self::Lookup | Self::PaidLookup | Self::Change | Self::List => RateLimitClass::Lookups,
            // The last two admit requests without an account, so nothing is counted there.
            Self::Read | Self::Page | Self::Health | Self::Documentation => RateLimitClass::Reads,
        }
    }

    /// The cost of its requests while they are processed.
    const fn work(self) -> WorkClass {
        match self {
            Self::Money => WorkClass::Payment,
            Self::Change | Self::Lookup | Self::PaidLookup => WorkClass::Lookup,
            Self::List | Self::Page => WorkClass::Page,
            Self::Read | Self::Health | Self::Documentation => WorkClass::Read,
        }
    }

    /// Whether no credentials are required. Nothing of an account may be shown there.
    const fn is_public(self) -> bool {
        match self {
            Self::Health | Self::Documentation => true,
            Self::Money
            | Self::Change
            | Self::Read
            | Self::List
            | Self::Page
            | Self::Lookup
            | Self::PaidLookup => false,
        }
    }

    /// Operations that create or change something are POST; all others are GET.
    const fn verb(self) -> Verb {
        match self {
            Self::Money | Self::Change => Verb::Post,
            Self::Read
            | Self::List
            | Self::Page
            | Self::Lookup
            | Self::PaidLookup
            | Self::Health
            | Self::Documentation => Verb::Get,
        }
    }

    /// An operation of this kind at a path.
    pub(super) fn at(
        self,
        path: &'static str,
        route: impl Fn() -> MethodRouter<App> + Send + Sync + 'static,
    ) -> RouteRow {
        RouteRow {
            verb: self.verb(),
            path,
            kind: self,
            route: Box::new(route),
        }
    }
}

/// One operation.
pub struct RouteRow {
    pub verb: Verb,
    pub path: &'static str,
    pub kind: RouteKind,
    route: Box<dyn Fn() -> MethodRouter<App> + Send + Sync>,
}

impl fmt::Debug for RouteRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {} ({:?})", self.verb, self.path, self.kind)
    }
}

impl Verb {
    pub const fn method(self) -> Method {
        match self {
            Self::Get => Method::GET,
            Self::Post => Method::POST,
        }
    }

    /// The verbs a path with such an operation takes; HEAD comes with GET (RFC 9110 §9.3.2).
    pub(super) const fn allows(self) -> &'static str {
        match self {
            Self::Get => "GET, HEAD, ",
            Self::Post => "POST, ",
        }
    }
}

impl RouteRow {
    /// The verbs it adds to its path. A client that sends HEAD checks whether something exists and
    /// expects no charge, so HEAD is not answered where GET is charged.
    const fn allows(&self) -> &'static str {
        match self.kind {
            RouteKind::PaidLookup => "GET, ",
            RouteKind::Money
            | RouteKind::Change
            | RouteKind::Read
            | RouteKind::List
            | RouteKind::Page
            | RouteKind::Lookup
            | RouteKind::Health
            | RouteKind::Documentation => self.verb.allows(),
        }
    }
}

/// Every operation; each family lists its own.
static ENDPOINTS: LazyLock<Vec<RouteRow>> = LazyLock::new(|| {
    let families = [
        airtime::rows(),
        cabletv::rows(),
        electricity::rows(),
        internet::rows(),
        bill::rows(),
        sms::rows(),
        bank::rows(),
        hlr::rows(),
        geolocation::rows(),
        account::rows(),
        webhook::rows(),
        process(),
    ];
    families.into_iter().flatten().collect()
});

/// What belongs to no family: the health of the process and the documentation.
fn process() -> Vec<RouteRow> {
    vec![
        RouteKind::Health.at("/healthz", || get(health::handle)),
        RouteKind::Documentation.at("/", || get(documentation::root)),
        RouteKind::Documentation.at("/openapi.json", || get(documentation::document)),
        RouteKind::Documentation.at("/docs", || get(documentation::page)),
        RouteKind::Documentation.at("/docs/page.js", || get(documentation::script)),
        RouteKind::Documentation.at("/docs/page.css", || get(documentation::style)),
        RouteKind::Documentation.at("/docs/scalar.js", || get(documentation::viewer_script)),
        RouteKind::Documentation.at("/docs/scalar.css", || get(documentation::viewer_style)),
    ]
}

/// Every operation there is.
pub fn endpoints() -> &'static [RouteRow] {
    &ENDPOINTS
}

/// The router of every operation.
pub(crate) fn router(app: &App) -> Router {
    let empty = Router::new();
    let routes = ENDPOINTS.iter().fold(empty, |router, endpoint| {
        router.route(endpoint.path, (endpoint.route)().with_state(app.clone()))
    });
    let routes = xsd::paths().fold(routes, |router, path| {
        let schema = move || async move { xsd::answer(path).unwrap_or_else(HttpReply::broken) };
        router.route(path, get(schema))
    });
    let logo =
        |State(app): State<App>, Path(name): Path<String>| async move { app.logos.answer(&name) };
    let logos = get(logo).with_state(app.clone());
    routes
        .route(concat!("/logos/", "{name}"), logos)
        .fallback(fallback::unknown_path)
        .method_not_allowed_fallback(fallback::other_verb)
}

/// The path of an operation as listed, for logs: arbitrary paths of clients must not fill them.
pub(crate) fn known(path: &str) -> Option<&'static str> {
    let found = ENDPOINTS.iter().find(|endpoint| endpoint.path == path);
    found.map(|endpoint| endpoint.path)
}

/// Whether a path is answered without credentials, for any verb.
pub(crate) fn is_public(path: &str) -> bool {
    let mut here = ENDPOINTS.iter().filter(|endpoint| endpoint.path == path);
    here.any(|endpoint| endpoint.kind.is_public()) || is_file(path)
}

/// Whether a GET of a path is charged.
pub(crate) fn is_charged_read(path: &str) -> bool {
    let mut here = ENDPOINTS.iter().filter(|endpoint| endpoint.path == path);
    here.any(|endpoint| endpoint.kind == RouteKind::PaidLookup)
}

/// The limit a request counts against. A request that matches no operation is a read: it costs as
/// little.
pub(crate) fn class(method: &Method, path: &str) -> RateLimitClass {
    kind(method, path).map_or(RateLimitClass::Reads, RouteKind::class)
}

/// The cost of a request while it is processed.
pub(crate) fn work(method: &Method, path: &str) -> WorkClass {
    kind(method, path).map_or(WorkClass::Read, RouteKind::work)
}

fn kind(method: &Method, path: &str) -> Option<RouteKind> {
    let asks = |endpoint: &&RouteRow| {
        let head = endpoint.verb == Verb::Get && method == Method::HEAD;
        endpoint.path == path && (endpoint.verb.method() == *method || head)
    };
    let found = ENDPOINTS.iter().find(asks);
    found.map(|endpoint| endpoint.kind)
}

/// Whether the content of a path has a format of its own, regardless of `Accept`.
pub(crate) fn has_own_format(path: &str) -> bool {
    let mut here = ENDPOINTS.iter().filter(|endpoint| endpoint.path == path);
    here.any(|endpoint| endpoint.kind == RouteKind::Documentation) || is_file(path)
}

/// Whether a path is a file and no operation.
fn is_file(path: &str) -> bool {
    xsd::is_at(path) || logos::is_at(path)
}

/// The value of `Allow` for a path.
pub(crate) fn allow(path: &str) -> HeaderValue {
    let here = ENDPOINTS.iter().filter(|endpoint| endpoint.path == path);
    let verbs: String = here.map(RouteRow::allows).collect();
    if is_file(path) {
        return allowing(Verb::Get.allows().to_owned());
    }
    allowing(verbs)
}

/// Verbs as `Allow` lists them; every path takes OPTIONS as well.
pub(super) fn allowing(verbs: String) -> HeaderValue {
    let options = HeaderValue::from_static("OPTIONS");
    HeaderValue::try_from(verbs + "OPTIONS").unwrap_or(options)
}

/// The transactions of a product.
pub(super) fn listing(service: Service) -> MethodRouter<App> {
    getting(move |gateway, call| transactions::handle(gateway, call, service))
}

/// The report of a transaction of a product.
pub(super) fn reporting(service: Service) -> MethodRouter<App> {
    getting(move |gateway, call| report::handle(gateway, call, service))
}

pub(super) fn getting<F, A>(operation: F) -> MethodRouter<App>
where
    F: Fn(Gateway, AuthenticatedRequest) -> A + Clone + Send + Sync + 'static,
    A: Future<Output = Result<HttpReply, HttpReply>> + Send,
{
    get(move |State(app): State<App>, request: Request<Body>| run(app, request, operation))
}

pub(super) fn posting<F, A>(operation: F) -> MethodRouter<App>
where
    F: Fn(Gateway, AuthenticatedRequest) -> A + Clone + Send + Sync + 'static,
    A: Future<Output = Result<HttpReply, HttpReply>> + Send,
{
    post(move |State(app): State<App>, request: Request<Body>| run(app, request, operation))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_operation_is_listed_twice() {
        let names: HashSet<_> = endpoints().iter().map(|e| (e.verb, e.path)).collect();
        assert_eq!(names.len(), endpoints().len());
    }

    #[test]
    fn what_makes_or_changes_something_is_posted_and_what_reads_is_not() {
        for endpoint in endpoints() {
            let expected = match endpoint.kind {
                RouteKind::Money | RouteKind::Change => Verb::Post,
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

    #[test]
    fn allow_lists_the_verbs_of_a_path() {
        assert_eq!(allow("/payment/airtime"), "GET, HEAD, POST, OPTIONS");
        assert_eq!(allow("/transfer/bank/payout"), "POST, OPTIONS");
        assert_eq!(allow("/account/balance"), "GET, HEAD, OPTIONS");
        assert_eq!(allow("/vas/hlrlookup"), "GET, OPTIONS");
        assert_eq!(allow("/webhook/endpoint"), "GET, HEAD, POST, OPTIONS");
    }
}
