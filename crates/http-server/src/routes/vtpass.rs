//! Requests in VTpass's shape, below `/vtpass/api/`, where the operator serves them: they are
//! admitted as every request is, and bought by the operations of the interface. No answer may be
//! one that a client of VTpass takes for a failed purchase, unless that is certain.

mod credentials;
mod pay;
mod reads;
mod refusal;
mod requery;
mod sent;

use super::row::RouteKind;
use super::verb::{Verb, allowing};
use crate::admission::{Admitted, RequestSource};
use crate::app::App;
use crate::layers::body::{self, Body};
use crate::layers::connection_owner::ConnectionOwner;
use crate::reply::HttpReply;
use crate::settings::VtpassRequests;
use application::Merchant;
use compat_vtpass::ResponseCode;
use http::header::ALLOW;
use http::request::Parts;
use http::{Request, StatusCode};
use std::net::IpAddr;
use tracing::Span;

/// The path that every one of them is below.
const PREFIX: &str = "/vtpass/api/";

/// What wrong credentials are answered: the words of the interface name another header.
const CREDENTIALS: &str = "send api-key, the identity of your account, and its key as secret-key, \
                           or for a GET as public-key; together they must open an account";

/// A path of VTpass's API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum VtpassPath {
    Pay,
    Requery,
    MerchantVerify,
    ServiceVariations,
    Services,
    ServiceCategories,
    Balance,
    /// Nothing is served there.
    Unknown,
}

impl VtpassPath {
    /// The path of a request in VTpass's shape; `None` where it is none, or none is served.
    pub(crate) fn of(app: &App, path: &str) -> Option<Self> {
        let below = path.strip_prefix(PREFIX)?;
        match app.vtpass {
            VtpassRequests::Served => Some(match below {
                "pay" => Self::Pay,
                "requery" => Self::Requery,
                "merchant-verify" => Self::MerchantVerify,
                "service-variations" => Self::ServiceVariations,
                "services" => Self::Services,
                "service-categories" => Self::ServiceCategories,
                "balance" => Self::Balance,
                _ => Self::Unknown,
            }),
            VtpassRequests::Refused => None,
        }
    }

    /// As it is logged.
    pub(crate) const fn listed(self) -> &'static str {
        match self {
            Self::Pay => "/vtpass/api/pay",
            Self::Requery => "/vtpass/api/requery",
            Self::MerchantVerify => "/vtpass/api/merchant-verify",
            Self::ServiceVariations => "/vtpass/api/service-variations",
            Self::Services => "/vtpass/api/services",
            Self::ServiceCategories => "/vtpass/api/service-categories",
            Self::Balance => "/vtpass/api/balance",
            Self::Unknown => "/vtpass/api",
        }
    }

    /// What its requests do. It decides the limit they count against, as of the operations.
    const fn kind(self) -> RouteKind {
        match self {
            Self::Pay => RouteKind::Money,
            Self::MerchantVerify => RouteKind::Lookup,
            Self::Requery
            | Self::ServiceVariations
            | Self::Services
            | Self::ServiceCategories
            | Self::Balance
            | Self::Unknown => RouteKind::Read,
        }
    }

    const fn verb(self) -> Verb {
        match self {
            Self::Pay | Self::Requery | Self::MerchantVerify => Verb::Post,
            Self::ServiceVariations
            | Self::Services
            | Self::ServiceCategories
            | Self::Balance
            | Self::Unknown => Verb::Get,
        }
    }

    /// The same answer in VTpass's shape. A failure here was decided without its transaction having
    /// been looked at, so it gets a code that clients query after, but for what no client can have
    /// bought under: a purchase that could not be read, and credentials that open no account.
    /// Statuses 401 and 403 are taken for a failed purchase, whatever the code.
    pub(crate) fn shaped(self, reply: HttpReply) -> HttpReply {
        let Some(why) = reply.failure_words() else {
            return reply;
        };
        let status = reply.status();
        let may_pass = status.is_server_error()
            || matches!(
                status,
                StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS
            );
        let (status, code, why) = match (self, status) {
            (_, StatusCode::UNAUTHORIZED) => {
                let why = CREDENTIALS.to_owned();
                (status, ResponseCode::InvalidCredentials, why)
            }
            (_, StatusCode::FORBIDDEN) => {
                let status = StatusCode::SERVICE_UNAVAILABLE;
                (status, ResponseCode::SystemError, why)
            }
            (Self::Requery, _) => (status, ResponseCode::SystemError, why),
            (_, _) if may_pass => (status, ResponseCode::SystemError, why),
            (_, _) => (status, ResponseCode::InvalidArguments, why),
        };
        let body = compat_vtpass::refused(code, &why, None).to_string();
        reply.restated(status, body.into())
    }
}

/// Answers a request at one of the paths. Which there are is disclosed to accounts only. A failure
/// is in the interface's own shape: [`VtpassPath::shaped`] changes that.
pub(crate) async fn handle(
    app: &App,
    path: VtpassPath,
    (address, connection): (IpAddr, Option<&dyn ConnectionOwner>),
    request: Request<Body>,
) -> HttpReply {
    let (head, body) = request.into_parts();
    let headers = credentials::as_basic(&head.headers, &head.method);
    let source = RequestSource {
        headers: &headers,
        address,
        connection,
    };
    let admitted = app
        .limiters
        .admit(&app.gateway, &source, path.kind().class());
    let refused = match admitted.await {
        Err(reply) => reply,
        Ok(Admitted {
            merchant,
            allowance,
        }) => {
            Span::current().record("account", merchant.account.id.as_str());
            let Some(refused) = refused_by_head(path, &head) else {
                let reply = serve(app, (path, merchant), (&head, body)).await;
                return reply.with_allowance(allowance);
            };
            refused.with_allowance(allowance)
        }
    };
    body::discard(&head.headers, body).await;
    refused
}

fn refused_by_head(path: VtpassPath, head: &Parts) -> Option<HttpReply> {
    if path == VtpassPath::Unknown {
        let remedy = "nothing is served at this path; the documentation lists what is";
        let status = StatusCode::NOT_FOUND;
        return Some(HttpReply::request(status, "No such path.", remedy));
    }
    let verb = path.verb();
    (!verb.answers(&head.method)).then(|| {
        let remedy = format!("send {}", verb.method());
        HttpReply::request(StatusCode::METHOD_NOT_ALLOWED, "Wrong verb.", remedy)
            .with_header(ALLOW, allowing(verb.allows().to_owned()))
    })
}

/// Reads an admitted request and answers it.
async fn serve(
    app: &App,
    (path, merchant): (VtpassPath, Merchant),
    (head, mut body): (&Parts, Body),
) -> HttpReply {
    let sent = match sent::read(app, head, &mut body).await {
        Ok(sent) => sent,
        Err(reply) => {
            // After one timeout, the rest of the body is not waited for again.
            if reply.status() != StatusCode::REQUEST_TIMEOUT {
                body::discard(&head.headers, body).await;
            }
            return reply;
        }
    };
    let work = path.kind().work();
    let permit = app.limiters.permit(&app.gateway, &merchant, work).await;
    let permit = match permit {
        Ok(permit) => permit,
        Err(reply) => return reply,
    };
    let gateway = app.gateway.for_request();
    let reply = match path {
        VtpassPath::Pay => pay::answer(&gateway, &merchant, &sent).await,
        VtpassPath::Requery => requery::answer(&gateway, &merchant, &sent).await,
        VtpassPath::MerchantVerify => reads::verify(&gateway, &merchant, &sent).await,
        VtpassPath::ServiceVariations => reads::variations(&gateway, &merchant, &sent),
        VtpassPath::Services => reads::services(&sent),
        VtpassPath::ServiceCategories | VtpassPath::Unknown => reads::categories(),
        VtpassPath::Balance => reads::balance(&gateway, &merchant).await,
    };
    reply.until_taken(permit)
}

#[cfg(test)]
mod tests;
