//! A request that was let in and read: who asks for what. It must be read in one order for every
//! operation: credentials first, then the body's kind, its size, its attributes.

use crate::layers::authentication::{CHALLENGE, Credentials, NoCredentials};
use crate::layers::body::Unread;
use crate::layers::{body, content_type, idempotency_key, prefer};
use crate::reply::Reply;
use crate::routes::table;
use application::credentials::Denied;
use application::{Gateway, Merchant, Purchase};
use axum::body::Body;
use domain::idempotency::IdempotencyKey;
use http::header::{ALLOW, CONNECTION, HeaderValue, WWW_AUTHENTICATE};
use http::request::Parts;
use http::{HeaderMap, Method, Request, StatusCode};
use std::future::Future;
use std::time::Duration;
use tracing::Span;
use wire::attributes::Attributes;
use wire::reader::Handling;
use wire::service_code::ServiceCode;
use wire::zone::Zone;

/// What every operation works with.
#[derive(Debug, Clone)]
pub(crate) struct App {
    pub(crate) gateway: Gateway,
    pub(crate) body_timeout: Duration,
}

/// One request for an operation.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) merchant: Merchant,
    pub(crate) attributes: Attributes,
    pub(crate) handling: Handling,
    retry_key: Option<IdempotencyKey>,
}

impl Call {
    /// The time zone dates are shown in.
    pub(crate) fn zone(&self) -> Zone {
        Zone::for_account(&self.merchant.account)
    }

    /// A command with the key that makes its retries recognisable.
    pub(crate) fn purchase<C>(&self, command: C) -> Purchase<C> {
        Purchase {
            command,
            retry_key: self.retry_key.clone(),
        }
    }

    async fn read(app: &App, head: &Parts, body: &mut Body) -> Result<Self, Reply> {
        let merchant = admit(&app.gateway, &head.headers).await?;
        Span::current().record("account", merchant.account.id.as_str());
        let handling = prefer::handling(&head.headers);
        let (attributes, retry_key) = if head.method == Method::POST {
            let retry_key = retry_key(&head.headers)?;
            (read_body(app, &head.headers, body).await?, retry_key)
        } else {
            (Attributes::from_query(head.uri.query())?, None)
        };
        Ok(Self {
            merchant,
            attributes,
            handling,
            retry_key,
        })
    }
}

/// Reads a request, runs its operation, and says so where a preference was followed.
pub(crate) async fn run<F, A>(app: App, request: Request<Body>, operation: F) -> Reply
where
    F: FnOnce(Gateway, Call) -> A,
    A: Future<Output = Result<Reply, Reply>>,
{
    let (head, mut unread) = request.into_parts();
    let call = match Call::read(&app, &head, &mut unread).await {
        Ok(call) => call,
        Err(reply) => {
            // Whoever was too slow once is not waited for again.
            if reply.status() != StatusCode::REQUEST_TIMEOUT {
                body::discard(&head.headers, unread).await;
            }
            return reply;
        }
    };
    let handling = call.handling;
    let answered = operation(app.gateway, call).await;
    let reply = answered.unwrap_or_else(|refused| refused);
    let reply = match reply.status() {
        // A missing filter; whatever the reason, this status comes with the verbs there are.
        StatusCode::METHOD_NOT_ALLOWED => reply.with_header(ALLOW, table::allow(head.uri.path())),
        _ => reply,
    };
    match handling {
        Handling::Strict => {
            let applied = HeaderValue::from_static("handling=strict");
            reply.with_header(prefer::PREFERENCE_APPLIED, applied)
        }
        Handling::Lenient => reply,
    }
}

async fn admit(gateway: &Gateway, headers: &HeaderMap) -> Result<Merchant, Reply> {
    let credentials = Credentials::of(headers)?;
    let (identity, key) = credentials.pair().ok_or(NoCredentials::Malformed)?;
    Ok(gateway.authenticate(identity, key).await?)
}

fn retry_key(headers: &HeaderMap) -> Result<Option<IdempotencyKey>, Reply> {
    idempotency_key::read(headers).map_err(|invalid| {
        let message = "The Idempotency-Key is not valid.";
        Reply::request(StatusCode::BAD_REQUEST, message, invalid.to_string())
    })
}

async fn read_body(app: &App, headers: &HeaderMap, body: &mut Body) -> Result<Attributes, Reply> {
    content_type::check(headers).map_err(|unsupported| {
        let message = "The body is of a kind that is not read.";
        let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
        Reply::request(status, message, unsupported.to_string())
    })?;
    let bytes = body::read(headers, body, app.body_timeout).await?;
    Ok(Attributes::from_json(&bytes)?)
}

impl From<NoCredentials> for Reply {
    fn from(reason: NoCredentials) -> Self {
        let message = "The request carries no valid credentials.";
        Self::request(StatusCode::UNAUTHORIZED, message, reason.to_string())
            .with_header(WWW_AUTHENTICATE, CHALLENGE)
    }
}

impl From<Denied> for Reply {
    fn from(denied: Denied) -> Self {
        match denied {
            Denied::UnknownOrWrong => Self::request(
                StatusCode::UNAUTHORIZED,
                "The credentials are not valid.",
                "check mrcIdentity and mrcAPIKey: together they open no account",
            )
            .about(ServiceCode::ApiToken)
            .with_header(WWW_AUTHENTICATE, CHALLENGE),
            Denied::Suspended => Self::suspended(),
            Denied::Unavailable(error) => Self::unavailable(&error),
        }
    }
}

impl From<Unread> for Reply {
    fn from(unread: Unread) -> Self {
        let (status, message) = match unread {
            Unread::TooLarge => (StatusCode::PAYLOAD_TOO_LARGE, "The body is too large."),
            Unread::TooSlow => (StatusCode::REQUEST_TIMEOUT, "The body came too slowly."),
            Unread::Broken => (StatusCode::BAD_REQUEST, "The body cannot be read."),
        };
        // What is left of the body would be taken for the next request.
        Self::request(status, message, unread.to_string())
            .with_header(CONNECTION, HeaderValue::from_static("close"))
    }
}
