//! Every operation as data: what it is called by, what it moves and who answers it. Nothing else
//! may add a route.

use super::{
    account, airtime, bank, cabletv, documentation, electricity, elsewhere, geolocation, health,
    hlr, internet, logos, sms, transactions, webhook, xsd,
};
use crate::admission::Work;
use crate::call::{App, Call, run};
use crate::layers::rate_limit::Class;
use crate::reply::Reply;
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
use wire::product_path;

/// The verb of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verb {
    Get,
    Post,
}

/// What an operation does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// It makes a transaction.
    Money,
    /// It changes what an account has set up, or has something sent, and moves no money.
    Change,
    /// It reads.
    Read,
    /// It lists transactions, for which many are read.
    List,
    /// It shows many lines of our own books.
    Page,
    /// It asks somebody else: a biller, a bank, a network.
    Lookup,
    /// It asks somebody else and is charged, GET though it is.
    PaidLookup,
    /// It tells whoever asks, credentials or not, that the process answers.
    Health,
    /// It shows whoever asks what the interface is; no operation, and not an envelope.
    Documentation,
}

impl Kind {
    /// Which limit its requests count against.
    const fn class(self) -> Class {
        match self {
            Self::Money => Class::Payments,
            // An address is looked up, somebody is sent something, or much is read.
            Self::Lookup | Self::PaidLookup | Self::Change | Self::List => Class::Lookups,
            // Nobody is let in to the last two, so nothing is counted there.
            Self::Read | Self::Page | Self::Health | Self::Documentation => Class::Reads,
        }
    }

    /// What its requests cost while they are worked on.
    const fn work(self) -> Work {
        match self {
            Self::Money => Work::Payment,
            Self::Change | Self::Lookup | Self::PaidLookup => Work::Lookup,
            Self::List | Self::Page => Work::Page,
            Self::Read | Self::Health | Self::Documentation => Work::Read,
        }
    }

    /// Whether credentials are not asked for. Nothing of an account may be seen there.
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

    /// What is made or changed is posted; all else is read.
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
    const fn at(self, path: &'static str, route: fn() -> MethodRouter<App>) -> Endpoint {
        Endpoint {
            verb: self.verb(),
            path,
            kind: self,
            route,
        }
    }
}

/// One operation.
#[derive(Clone, Copy)]
pub struct Endpoint {
    pub verb: Verb,
    pub path: &'static str,
    pub kind: Kind,
    route: fn() -> MethodRouter<App>,
}

impl fmt::Debug for Endpoint {
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

impl Endpoint {
    /// The verbs it brings to its path. Whoever asks with HEAD looks whether something is there and
    /// expects no charge, so what is charged is not answered to it.
    const fn allows(&self) -> &'static str {
        match self.kind {
            Kind::PaidLookup => "GET, ",
            Kind::Money
            | Kind::Change
            | Kind::Read
            | Kind::List
            | Kind::Page
            | Kind::Lookup
            | Kind::Health
            | Kind::Documentation => self.verb.allows(),
        }
    }
}

static ENDPOINTS: [Endpoint; 52] = [
    Kind::List.at(product_path(Service::Airtime), || listing(Service::Airtime)),
    Kind::Money.at("/payment/airtime", || posting(airtime::top_up::handle)),
    Kind::Read.at("/payment/airtime/transaction", || {
        getting(airtime::transaction::handle)
    }),
    Kind::Read.at("/payment/cabletv/providers", || {
        getting(cabletv::providers::handle)
    }),
    Kind::Lookup.at("/payment/cabletv/smartcard", || {
        getting(cabletv::smartcard::handle)
    }),
    Kind::Read.at("/payment/cabletv/plans", || getting(cabletv::plans::handle)),
    Kind::List.at(product_path(Service::CableTv), || listing(Service::CableTv)),
    Kind::Money.at("/payment/cabletv", || posting(cabletv::subscribe::handle)),
    Kind::Read.at("/payment/cabletv/transaction", || {
        getting(cabletv::transaction::handle)
    }),
    Kind::Read.at("/payment/electricity/discos", || {
        getting(electricity::discos::handle)
    }),
    Kind::Lookup.at("/payment/electricity/meter", || {
        getting(electricity::meter::handle)
    }),
    Kind::List.at(product_path(Service::Electricity), || {
        listing(Service::Electricity)
    }),
    Kind::Money.at("/payment/electricity", || posting(electricity::pay::handle)),
    Kind::Read.at("/payment/electricity/transaction", || {
        getting(electricity::transaction::handle)
    }),
    Kind::Read.at("/payment/internet/number", || {
        getting(internet::number::handle)
    }),
    Kind::Read.at("/payment/internet/providers", || {
        getting(internet::providers::handle)
    }),
    Kind::Read.at("/payment/internet/plans", || {
        getting(internet::plans::handle)
    }),
    Kind::List.at(product_path(Service::Internet), || {
        listing(Service::Internet)
    }),
    Kind::Money.at("/payment/internet", || posting(internet::subscribe::handle)),
    Kind::Read.at("/payment/internet/transaction", || {
        getting(internet::transaction::handle)
    }),
    Kind::List.at(product_path(Service::Sms), || listing(Service::Sms)),
    Kind::Money.at("/messaging/sms", || posting(sms::send::handle)),
    Kind::Read.at("/messaging/senders", || getting(sms::senders::handle)),
    Kind::Read.at("/messaging/sms/transaction", || {
        getting(sms::transaction::handle)
    }),
    Kind::List.at(product_path(Service::Bank), || listing(Service::Bank)),
    Kind::Page.at("/transfer/bank/lists", || getting(bank::lists::handle)),
    Kind::Read.at("/transfer/bank/lookup", || getting(bank::lookup::handle)),
    Kind::Lookup.at("/transfer/bank/enquiry", || getting(bank::enquiry::handle)),
    Kind::Money.at("/transfer/bank/payout", || posting(bank::payout::handle)),
    Kind::Read.at("/transfer/bank/transaction", || {
        getting(bank::transaction::handle)
    }),
    Kind::PaidLookup.at("/vas/hlrlookup", || {
        getting(hlr::lookup::handle).head(elsewhere::other_verb)
    }),
    Kind::Read.at("/geolocation/ipaddress", || {
        getting(geolocation::ipaddress::handle)
    }),
    Kind::Read.at("/account/balance", || getting(account::balance::handle)),
    Kind::Page.at("/account/statement", || getting(account::statement::handle)),
    Kind::Read.at("/webhook/endpoint", || getting(webhook::endpoints::handle)),
    Kind::Change.at("/webhook/endpoint", || posting(webhook::create::handle)),
    Kind::Read.at("/webhook/events", || getting(webhook::events::handle)),
    Kind::Page.at("/webhook/deliveries", || {
        getting(webhook::deliveries::handle)
    }),
    Kind::Change.at("/webhook/test", || posting(webhook::trial::handle)),
    Kind::Change.at("/webhook/replay", || posting(webhook::replay::handle)),
    Kind::Change.at("/webhook/rotate", || posting(webhook::rotate::handle)),
    Kind::Change.at("/webhook/disable", || posting(webhook::disable::handle)),
    Kind::Change.at("/webhook/enable", || posting(webhook::enable::handle)),
    Kind::Change.at("/webhook/delete", || posting(webhook::delete::handle)),
    Kind::Health.at("/healthz", || get(health::handle)),
    Kind::Documentation.at("/", || get(documentation::root)),
    Kind::Documentation.at("/openapi.json", || get(documentation::document)),
    Kind::Documentation.at("/docs", || get(documentation::page)),
    Kind::Documentation.at("/docs/page.js", || get(documentation::script)),
    Kind::Documentation.at("/docs/page.css", || get(documentation::style)),
    Kind::Documentation.at("/docs/scalar.js", || get(documentation::viewer_script)),
    Kind::Documentation.at("/docs/scalar.css", || get(documentation::viewer_style)),
];

/// Every operation there is.
pub fn endpoints() -> &'static [Endpoint] {
    &ENDPOINTS
}

/// The router of every operation.
pub(crate) fn router(app: &App) -> Router {
    let empty = Router::new();
    let routes = ENDPOINTS.iter().fold(empty, |router, endpoint| {
        router.route(endpoint.path, (endpoint.route)().with_state(app.clone()))
    });
    let routes = xsd::paths().fold(routes, |router, path| {
        let schema = move || async move { xsd::answer(path).unwrap_or_else(Reply::broken) };
        router.route(path, get(schema))
    });
    let logo =
        |State(app): State<App>, Path(name): Path<String>| async move { app.logos.answer(&name) };
    let logos = get(logo).with_state(app.clone());
    routes
        .route(concat!("/logos/", "{name}"), logos)
        .fallback(elsewhere::unknown_path)
        .method_not_allowed_fallback(elsewhere::other_verb)
}

/// The path of an operation as listed, for logs: a path somebody made up must not fill them.
pub(crate) fn known(path: &str) -> Option<&'static str> {
    let found = ENDPOINTS.iter().find(|endpoint| endpoint.path == path);
    found.map(|endpoint| endpoint.path)
}

/// Whether a path is answered without credentials, whatever the verb.
pub(crate) fn is_public(path: &str) -> bool {
    let mut here = ENDPOINTS.iter().filter(|endpoint| endpoint.path == path);
    here.any(|endpoint| endpoint.kind.is_public()) || is_file(path)
}

/// Whether a GET of a path is charged.
pub(crate) fn is_charged_read(path: &str) -> bool {
    let mut here = ENDPOINTS.iter().filter(|endpoint| endpoint.path == path);
    here.any(|endpoint| endpoint.kind == Kind::PaidLookup)
}

/// Which limit a request counts against. What leads to no operation is a read: it costs as little.
pub(crate) fn class(method: &Method, path: &str) -> Class {
    kind(method, path).map_or(Class::Reads, Kind::class)
}

/// What a request costs while it is worked on.
pub(crate) fn work(method: &Method, path: &str) -> Work {
    kind(method, path).map_or(Work::Read, Kind::work)
}

fn kind(method: &Method, path: &str) -> Option<Kind> {
    let asks = |endpoint: &&Endpoint| {
        let head = endpoint.verb == Verb::Get && method == Method::HEAD;
        endpoint.path == path && (endpoint.verb.method() == *method || head)
    };
    let found = ENDPOINTS.iter().find(asks);
    found.map(|endpoint| endpoint.kind)
}

/// Whether what a path holds has a format of its own, whatever a client accepts.
pub(crate) fn has_own_format(path: &str) -> bool {
    let mut here = ENDPOINTS.iter().filter(|endpoint| endpoint.path == path);
    here.any(|endpoint| endpoint.kind == Kind::Documentation) || is_file(path)
}

/// Whether a file is at a path that is no operation.
fn is_file(path: &str) -> bool {
    xsd::is_at(path) || logos::is_at(path)
}

/// The value of `Allow` for a path.
pub(crate) fn allow(path: &str) -> HeaderValue {
    let here = ENDPOINTS.iter().filter(|endpoint| endpoint.path == path);
    let verbs: String = here.map(Endpoint::allows).collect();
    if is_file(path) {
        return allowing(Verb::Get.allows().to_owned());
    }
    allowing(verbs)
}

/// Verbs as `Allow` lists them; every path takes OPTIONS beside its own.
pub(super) fn allowing(verbs: String) -> HeaderValue {
    let options = HeaderValue::from_static("OPTIONS");
    HeaderValue::try_from(verbs + "OPTIONS").unwrap_or(options)
}

/// The transactions of a product.
fn listing(service: Service) -> MethodRouter<App> {
    getting(move |gateway, call| transactions::handle(gateway, call, service))
}

fn getting<F, A>(operation: F) -> MethodRouter<App>
where
    F: Fn(Gateway, Call) -> A + Clone + Send + Sync + 'static,
    A: Future<Output = Result<Reply, Reply>> + Send,
{
    get(move |State(app): State<App>, request: Request<Body>| run(app, request, operation))
}

fn posting<F, A>(operation: F) -> MethodRouter<App>
where
    F: Fn(Gateway, Call) -> A + Clone + Send + Sync + 'static,
    A: Future<Output = Result<Reply, Reply>> + Send,
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
                Kind::Money | Kind::Change => Verb::Post,
                Kind::Read
                | Kind::List
                | Kind::Page
                | Kind::Lookup
                | Kind::PaidLookup
                | Kind::Health
                | Kind::Documentation => Verb::Get,
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
