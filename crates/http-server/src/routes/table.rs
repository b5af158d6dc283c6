//! Every operation as data: what it is called by, what it moves and who answers it. Nothing else
//! may add a route.

use super::{
    account, airtime, bank, cabletv, documentation, electricity, elsewhere, geolocation, health,
    hlr, internet, sms,
};
use crate::call::{App, Call, run};
use crate::layers::rate_limit::Class;
use crate::reply::Reply;
use application::Gateway;
use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::routing::{MethodRouter, get, post};
use http::header::HeaderValue;
use http::{Method, Request};
use std::fmt;
use std::future::Future;

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
    /// It reads.
    Read,
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
            Self::Lookup | Self::PaidLookup => Class::Lookups,
            // Nobody is let in to the last two, so nothing is counted there.
            Self::Read | Self::Health | Self::Documentation => Class::Reads,
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
            Kind::Money | Kind::Read | Kind::Lookup | Kind::Health | Kind::Documentation => {
                self.verb.allows()
            }
        }
    }
}

static ENDPOINTS: [Endpoint; 34] = [
    Endpoint {
        verb: Verb::Post,
        path: "/payment/airtime",
        kind: Kind::Money,
        route: || posting(airtime::top_up::handle),
    },
    Endpoint {
        verb: Verb::Get,
        path: "/payment/airtime/transaction",
        kind: Kind::Read,
        route: || getting(airtime::transaction::handle),
    },
    Endpoint {
        verb: Verb::Get,
        path: "/payment/cabletv/providers",
        kind: Kind::Read,
        route: || getting(cabletv::providers::handle),
    },
    Endpoint {
        verb: Verb::Get,
        path: "/payment/cabletv/smartcard",
        kind: Kind::Lookup,
        route: || getting(cabletv::smartcard::handle),
    },
    Endpoint {
        verb: Verb::Get,
        path: "/payment/cabletv/plans",
        kind: Kind::Read,
        route: || getting(cabletv::plans::handle),
    },
    Endpoint {
        verb: Verb::Post,
        path: "/payment/cabletv",
        kind: Kind::Money,
        route: || posting(cabletv::subscribe::handle),
    },
    Endpoint {
        verb: Verb::Get,
        path: "/payment/cabletv/transaction",
        kind: Kind::Read,
        route: || getting(cabletv::transaction::handle),
    },
    Endpoint {
        verb: Verb::Get,
        path: "/payment/electricity/discos",
        kind: Kind::Read,
        route: || getting(electricity::discos::handle),
    },
    Endpoint {
        verb: Verb::Get,
        path: "/payment/electricity/meter",
        kind: Kind::Lookup,
        route: || getting(electricity::meter::handle),
    },
    Endpoint {
        verb: Verb::Post,
        path: "/payment/electricity",
        kind: Kind::Money,
        route: || posting(electricity::pay::handle),
    },
    Endpoint {
        verb: Verb::Get,
        path: "/payment/electricity/transaction",
        kind: Kind::Read,
        route: || getting(electricity::transaction::handle),
    },
    Endpoint {
        verb: Verb::Get,
        path: "/payment/internet/number",
        kind: Kind::Read,
        route: || getting(internet::number::handle),
    },
    Endpoint {
        verb: Verb::Get,
        path: "/payment/internet/providers",
        kind: Kind::Read,
        route: || getting(internet::providers::handle),
    },
    Endpoint {
        verb: Verb::Get,
        path: "/payment/internet/plans",
        kind: Kind::Read,
        route: || getting(internet::plans::handle),
    },
    Endpoint {
        verb: Verb::Post,
        path: "/payment/internet",
        kind: Kind::Money,
        route: || posting(internet::subscribe::handle),
    },
    Endpoint {
        verb: Verb::Get,
        path: "/payment/internet/transaction",
        kind: Kind::Read,
        route: || getting(internet::transaction::handle),
    },
    Endpoint {
        verb: Verb::Post,
        path: "/messaging/sms",
        kind: Kind::Money,
        route: || posting(sms::send::handle),
    },
    Endpoint {
        verb: Verb::Get,
        path: "/messaging/sms/transaction",
        kind: Kind::Read,
        route: || getting(sms::transaction::handle),
    },
    Endpoint {
        verb: Verb::Get,
        path: "/transfer/bank/lists",
        kind: Kind::Read,
        route: || getting(bank::lists::handle),
    },
    Endpoint {
        verb: Verb::Get,
        path: "/transfer/bank/lookup",
        kind: Kind::Read,
        route: || getting(bank::lookup::handle),
    },
    Endpoint {
        verb: Verb::Get,
        path: "/transfer/bank/enquiry",
        kind: Kind::Lookup,
        route: || getting(bank::enquiry::handle),
    },
    Endpoint {
        verb: Verb::Post,
        path: "/transfer/bank/payout",
        kind: Kind::Money,
        route: || posting(bank::payout::handle),
    },
    Endpoint {
        verb: Verb::Get,
        path: "/transfer/bank/transaction",
        kind: Kind::Read,
        route: || getting(bank::transaction::handle),
    },
    Endpoint {
        verb: Verb::Get,
        path: "/vas/hlrlookup",
        kind: Kind::PaidLookup,
        route: || getting(hlr::lookup::handle).head(elsewhere::other_verb),
    },
    Endpoint {
        verb: Verb::Get,
        path: "/geolocation/ipaddress",
        kind: Kind::Read,
        route: || getting(geolocation::ipaddress::handle),
    },
    Endpoint {
        verb: Verb::Get,
        path: "/account/balance",
        kind: Kind::Read,
        route: || getting(account::balance::handle),
    },
    Endpoint {
        verb: Verb::Get,
        path: "/account/statement",
        kind: Kind::Read,
        route: || getting(account::statement::handle),
    },
    Endpoint {
        verb: Verb::Get,
        path: "/healthz",
        kind: Kind::Health,
        route: || get(health::handle),
    },
    Endpoint {
        verb: Verb::Get,
        path: "/openapi.json",
        kind: Kind::Documentation,
        route: || get(documentation::document),
    },
    Endpoint {
        verb: Verb::Get,
        path: "/docs",
        kind: Kind::Documentation,
        route: || get(documentation::page),
    },
    Endpoint {
        verb: Verb::Get,
        path: "/docs/page.js",
        kind: Kind::Documentation,
        route: || get(documentation::script),
    },
    Endpoint {
        verb: Verb::Get,
        path: "/docs/page.css",
        kind: Kind::Documentation,
        route: || get(documentation::style),
    },
    Endpoint {
        verb: Verb::Get,
        path: "/docs/swagger-ui-bundle.js",
        kind: Kind::Documentation,
        route: || get(documentation::viewer_script),
    },
    Endpoint {
        verb: Verb::Get,
        path: "/docs/swagger-ui.css",
        kind: Kind::Documentation,
        route: || get(documentation::viewer_style),
    },
];

/// Every operation there is.
pub fn endpoints() -> &'static [Endpoint] {
    &ENDPOINTS
}

/// The router of every operation.
pub(crate) fn router(app: &App) -> Router {
    let empty = Router::new();
    let routes = ENDPOINTS.iter().fold(empty, |router, endpoint| {
        let app = app.counting(endpoint.kind.class());
        router.route(endpoint.path, (endpoint.route)().with_state(app))
    });
    routes
        .fallback(elsewhere::unknown_path)
        .method_not_allowed_fallback(elsewhere::other_verb)
}

/// The path of an operation as listed, for logs: a path somebody made up must not fill them.
pub(crate) fn known(path: &str) -> Option<&'static str> {
    let found = ENDPOINTS.iter().find(|endpoint| endpoint.path == path);
    found.map(|endpoint| endpoint.path)
}

/// Whether what a path holds has a format of its own, whatever a client accepts.
pub(crate) fn has_own_format(path: &str) -> bool {
    let mut here = ENDPOINTS.iter().filter(|endpoint| endpoint.path == path);
    here.any(|endpoint| endpoint.kind == Kind::Documentation)
}

/// The value of `Allow` for a path.
pub(crate) fn allow(path: &str) -> HeaderValue {
    let here = ENDPOINTS.iter().filter(|endpoint| endpoint.path == path);
    let verbs: String = here.map(Endpoint::allows).collect();
    allowing(verbs)
}

/// Verbs as `Allow` lists them; every path takes OPTIONS beside its own.
pub(super) fn allowing(verbs: String) -> HeaderValue {
    let options = HeaderValue::from_static("OPTIONS");
    HeaderValue::try_from(verbs + "OPTIONS").unwrap_or(options)
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
    fn what_makes_transactions_is_posted_and_what_reads_is_not() {
        for endpoint in endpoints() {
            let expected = match endpoint.kind {
                Kind::Money => Verb::Post,
                Kind::Read
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
        assert_eq!(allow("/payment/airtime"), "POST, OPTIONS");
        assert_eq!(allow("/account/balance"), "GET, HEAD, OPTIONS");
        assert_eq!(allow("/vas/hlrlookup"), "GET, OPTIONS");
    }
}
