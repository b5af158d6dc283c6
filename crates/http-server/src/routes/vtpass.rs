//! Requests in VTpass's shape, below `/vtpass/api/`, where the operator serves them: they are
//! admitted as every request is, and bought by the operations of the interface. No answer may be
//! one that a client of VTpass takes for a failed purchase, unless that is certain.

mod credentials;
mod pay;
mod reads;
mod refusal;
mod requery;
mod sent;
mod unknown_ids;

pub(crate) use unknown_ids::UnknownIds;

use super::row::RouteKind;
use super::verb::{Verb, allowing};
use crate::admission::{Admitted, RouteNeeds, still_let_in};
use crate::app::App;
use crate::edge::Arrival;
use crate::layers::body::{self, Body};
use crate::layers::signature::{SIGNATURE_INPUT, SignedHead};
use crate::reply::HttpReply;
use crate::settings::VtpassRequests;
use application::Merchant;
use compat_vtpass::ResponseCode;
use http::header::ALLOW;
use http::request::Parts;
use http::{Request, StatusCode};

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
    /// been looked at, so it gets a code that clients query after, except for credentials that open
    /// no account. Statuses 401 and 403 are taken for a failed purchase, whatever the code.
    pub(crate) fn shaped(reply: HttpReply) -> HttpReply {
        let Some(why) = reply.failure_words() else {
            return reply;
        };
        let status = match reply.status() {
            refused @ StatusCode::UNAUTHORIZED => {
                let code = ResponseCode::InvalidCredentials;
                return restated(reply, (refused, code), CREDENTIALS);
            }
            StatusCode::FORBIDDEN => StatusCode::SERVICE_UNAVAILABLE,
            other => other,
        };
        restated(reply, (status, ResponseCode::SystemError), &why)
    }

    /// The same answer to a body that cannot be read: nothing is bought by such a body, and it
    /// names no purchase that could be looked at. It must not end what a query asked after.
    fn shaped_unread(self, reply: HttpReply) -> HttpReply {
        let status = reply.status();
        let is_of_the_body = matches!(
            status,
            StatusCode::BAD_REQUEST
                | StatusCode::PAYLOAD_TOO_LARGE
                | StatusCode::UNSUPPORTED_MEDIA_TYPE
        );
        let why = reply.failure_words();
        match why.filter(|_| is_of_the_body && self != Self::Requery) {
            Some(why) => restated(reply, (status, ResponseCode::InvalidArguments), &why),
            None => Self::shaped(reply),
        }
    }
}

/// Answers a request at one of the paths. Which there are is disclosed to accounts only. A failure
/// is in the interface's own shape: [`VtpassPath::shaped`] changes that.
pub(crate) async fn handle(
    app: &App,
    path: VtpassPath,
    arrival: &Arrival<'_>,
    request: Request<Body>,
) -> HttpReply {
    let (head, body) = request.into_parts();
    let headers = credentials::as_basic(&head.headers, &head.method);
    let signed = SignedHead {
        method: &head.method,
        uri: &head.uri,
        headers: &head.headers,
    };
    let source = arrival.source(signed, &headers);
    let needs = RouteNeeds {
        class: path.kind().class(),
        scope: path.kind().scope(),
    };
    let is_signed = head.headers.contains_key(SIGNATURE_INPUT);
    let admitted = app.limiters.admit(&app.gateway, &source, needs);
    let refused = match admitted.await {
        Err(reply) => signature_shaped(reply, is_signed),
        Ok(Admitted {
            merchant,
            allowance,
        }) => {
            let Some(refused) = refused_by_head(path, &head) else {
                let reply = serve(app, (path, merchant), (&head, body)).await;
                return signature_shaped(reply, is_signed).with_allowance(allowance);
            };
            refused.with_allowance(allowance)
        }
    };
    body::discard(&head.headers, body).await;
    refused
}

/// A request that is refused for its signature, which may be the repetition of one that was served:
/// a client must not take it for a purchase that failed, as it takes 401.
fn signature_shaped(reply: HttpReply, is_signed: bool) -> HttpReply {
    let why = reply.failure_words();
    match why.filter(|_| is_signed && reply.status() == StatusCode::UNAUTHORIZED) {
        Some(why) => restated(
            reply,
            (StatusCode::SERVICE_UNAVAILABLE, ResponseCode::SystemError),
            &why,
        ),
        None => reply,
    }
}

fn no_such_path() -> HttpReply {
    let remedy = "nothing is served at this path; the documentation lists what is";
    HttpReply::request(StatusCode::NOT_FOUND, "No such path.", remedy)
}

fn restated(reply: HttpReply, (status, code): (StatusCode, ResponseCode), why: &str) -> HttpReply {
    let body = compat_vtpass::refused(code, why, None).to_string();
    reply.restated(status, body.into())
}

fn refused_by_head(path: VtpassPath, head: &Parts) -> Option<HttpReply> {
    if path == VtpassPath::Unknown {
        return Some(no_such_path());
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
            return path.shaped_unread(reply);
        }
    };
    let work = path.kind().work();
    let permit = app.limiters.permit(&app.gateway, &merchant, work).await;
    let permit = match permit {
        Ok(permit) => permit,
        Err(reply) => return reply,
    };
    if let Err(refused) = still_let_in(&app.gateway, &merchant).await {
        return path.shaped_unread(refused);
    }
    let gateway = app.gateway.for_request();
    let reply = match path {
        VtpassPath::Pay => pay::answer(&gateway, &merchant, &sent).await,
        VtpassPath::Requery => {
            requery::answer((&gateway, &app.unknown_ids), &merchant, &sent).await
        }
        VtpassPath::MerchantVerify => reads::verify(&gateway, &merchant, &sent).await,
        VtpassPath::ServiceVariations => reads::variations(&gateway, &merchant, &sent),
        VtpassPath::Services => reads::services(&sent),
        VtpassPath::ServiceCategories => reads::categories(),
        VtpassPath::Unknown => no_such_path(),
        VtpassPath::Balance => reads::balance(&gateway, &merchant).await,
    };
    reply.until_taken(permit)
}

#[cfg(test)]
mod tests;
