//! An admitted request after it was read: its merchant and its attributes. Every operation must
//! read it in one order: the content type of the body, its size, its attributes.

use crate::admission::{body_altered, still_let_in};
use crate::app::App;
use crate::layers::body::{Body, Unread};
use crate::layers::concurrency::WorkClass;
use crate::layers::host::NamedHost;
use crate::layers::{body, content_type, idempotency_key, if_match, prefer};
use crate::reply::HttpReply;
use crate::routes::path;
use application::measuring::NamedLimit;
use application::{Gateway, Merchant, Purchase};
use domain::idempotency::IdempotencyKey;
use domain::operator::OperatorName;
use http::header::{ALLOW, CONNECTION, HeaderValue};
use http::request::Parts;
use http::{HeaderMap, Method, Request, StatusCode};
use std::future::Future;
use std::pin::Pin;
use wire::attribute::REFERENCE;
use wire::attributes::Attributes;
use wire::reader::Handling;
use wire::reader::quote_of;
use wire::violations::Violations;
use wire::zone::Zone;

/// Where a request comes from and what it was sent to.
#[derive(Debug)]
pub(crate) struct RequestOrigin<'a> {
    /// Its merchant, unless its path is public or an operator sent it.
    pub(crate) merchant: Option<Merchant>,
    /// Its operator, where one sent it.
    pub(crate) operator: Option<OperatorName>,
    /// The host it names.
    pub(crate) host: Option<&'a NamedHost>,
}

/// The handler of an operation.
pub(crate) type OperationHandle =
    dyn Fn(Gateway, AuthenticatedRequest) -> PendingReply + Send + Sync;

/// The answer of an operation, or its refusal.
pub(crate) type PendingReply = Pin<Box<dyn Future<Output = Result<HttpReply, HttpReply>> + Send>>;

/// What the row of an operation says of its requests.
pub(crate) struct OperationContext<'a> {
    pub(crate) handle: &'a OperationHandle,
    /// Their path, with the part that is a word of the request in braces.
    pub(crate) path: &'static str,
    /// Their cost while they are processed.
    pub(crate) work: WorkClass,
    /// The verbs of the path.
    pub(crate) allow: HeaderValue,
}

/// One authenticated request for an operation.
#[derive(Debug)]
pub(crate) struct AuthenticatedRequest {
    pub(crate) merchant: Merchant,
    pub(crate) attributes: Attributes,
    pub(crate) handling: Handling,
    /// The word that is a part of its path; empty for operations whose path has none.
    pub(crate) path_word: String,
    retry_key: Option<IdempotencyKey>,
    /// The versions of what it changes in which alone it is to be done.
    pub(crate) only_in: Option<Vec<u32>>,
}

impl AuthenticatedRequest {
    /// The time zone in which dates are shown.
    pub(crate) fn zone(&self) -> Zone {
        Zone::for_account(&self.merchant.account)
    }

    /// The key that identifies retries of the request.
    pub(crate) const fn retry_key(&self) -> Option<&IdempotencyKey> {
        self.retry_key.as_ref()
    }

    /// Refuses a charged GET that hopes to be made once by its key: it is made once under its
    /// reference, and without one a repeated request would be charged again.
    pub(crate) fn repeatable_by_reference(&self) -> Result<(), HttpReply> {
        if self.retry_key.is_none() || self.attributes.get(REFERENCE.name).is_some() {
            return Ok(());
        }
        let message = "is required beside an Idempotency-Key: a lookup is made once under its \
                       reference, not under the key";
        let violations = Violations::of(&REFERENCE, message);
        let title = "The lookup could not be repeated safely.";
        Err(HttpReply::params(
            StatusCode::BAD_REQUEST,
            title,
            violations,
        ))
    }

    /// A command with the idempotency key that identifies its retries.
    pub(crate) fn purchase<C>(&self, command: C) -> Purchase<C> {
        Purchase {
            command,
            retry_key: self.retry_key.clone(),
            quote: None,
        }
    }

    /// The same of a family whose requests may name a quote of their price.
    pub(crate) fn quoted_purchase<C>(&self, command: C) -> Purchase<C> {
        let quote = quote_of(&self.attributes);
        Purchase {
            quote,
            ..self.purchase(command)
        }
    }

    /// The same with the word in its path.
    fn at(self, word: &str) -> Self {
        let path_word = word.to_owned();
        Self { path_word, ..self }
    }

    async fn read(
        app: &App,
        merchant: Merchant,
        head: &Parts,
        body: &mut Body,
    ) -> Result<Self, HttpReply> {
        let retry_key = match head.method {
            Method::POST => {
                let named = retry_key(&head.headers)?;
                named.or_else(|| idempotency_key::of_signed(&head.headers))
            }
            // Nothing of a GET is stored under a key; a charged one needs a reference beside it.
            _ => retry_key(&head.headers).unwrap_or_default(),
        };
        let (attributes, handling) = read_attributes(app, head, body).await?;
        Ok(Self {
            merchant,
            attributes,
            handling,
            path_word: String::new(),
            retry_key,
            only_in: if_match::read(&head.headers),
        })
    }
}

/// Reads an admitted request and runs its operation.
pub(crate) async fn run(
    app: &App,
    origin: RequestOrigin<'_>,
    request: Request<Body>,
    context: OperationContext<'_>,
) -> HttpReply {
    let (head, mut unread) = request.into_parts();
    let Some(merchant) = origin.merchant else {
        tracing::error!("a request reached an operation without authentication");
        return HttpReply::broken();
    };
    let word = path::word(context.path, head.uri.path()).unwrap_or_default();
    let call = match AuthenticatedRequest::read(app, merchant, &head, &mut unread).await {
        Ok(call) => call.at(word),
        Err(reply) => {
            // After one timeout, the rest of the body is not waited for again.
            if reply.status() != StatusCode::REQUEST_TIMEOUT {
                body::discard(&head.headers, unread).await;
            }
            return reply;
        }
    };
    let permit = app
        .limiters
        .permit(&app.gateway, &call.merchant, context.work);
    let permit = match permit.await {
        Ok(permit) => permit,
        Err(reply) => return reply,
    };
    // While the body was read, the key may have been frozen, or given other networks.
    if head.method == Method::POST
        && let Err(refused) = still_let_in(&app.gateway, &call.merchant).await
    {
        return refused;
    }
    let handling = call.handling;
    let answered = (context.handle)(app.gateway.for_request(), call).await;
    let reply = answered.unwrap_or_else(|refused| refused);
    let reply = reply.for_host(origin.host).until_taken(permit);
    finished(reply, handling, context.allow)
}

/// Reads the attributes of a request, and how those that are unknown are taken.
pub(crate) async fn read_attributes(
    app: &App,
    head: &Parts,
    body: &mut Body,
) -> Result<(Attributes, Handling), HttpReply> {
    let handling = prefer::handling(&head.headers);
    let attributes = if head.method == Method::POST {
        read_body(app, &head.headers, body).await?
    } else {
        Attributes::from_query(head.uri.query())?
    };
    Ok((attributes, handling))
}

/// The answer of an operation with the headers that its request and its path bring.
pub(crate) fn finished(reply: HttpReply, handling: Handling, allow: HeaderValue) -> HttpReply {
    let reply = match reply.status() {
        // A missing filter; whatever the reason, this status carries the verbs the path takes.
        StatusCode::METHOD_NOT_ALLOWED => reply.with_header(ALLOW, allow),
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

fn retry_key(headers: &HeaderMap) -> Result<Option<IdempotencyKey>, HttpReply> {
    idempotency_key::read(headers).map_err(|invalid| {
        let message = "The Idempotency-Key is not valid.";
        HttpReply::request(StatusCode::BAD_REQUEST, message, invalid.to_string())
    })
}

async fn read_body(
    app: &App,
    headers: &HeaderMap,
    body: &mut Body,
) -> Result<Attributes, HttpReply> {
    content_type::check(headers).map_err(|unsupported| {
        let message = "The body is of a kind that is not read.";
        let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
        HttpReply::request(status, message, unsupported.to_string())
    })?;
    let bytes = body::read(headers, body, app.body_timeout).await?;
    Ok(Attributes::from_json(&bytes)?)
}

impl From<Unread> for HttpReply {
    fn from(unread: Unread) -> Self {
        let (status, message) = match unread {
            Unread::TooLarge => (StatusCode::PAYLOAD_TOO_LARGE, "The body is too large."),
            Unread::TooSlow => (StatusCode::REQUEST_TIMEOUT, "The body came too slowly."),
            Unread::Broken => (StatusCode::BAD_REQUEST, "The body cannot be read."),
            Unread::Altered => return body_altered(unread.to_string()),
        };
        // The rest of the body would be read as the next request.
        let reply = Self::request(status, message, unread.to_string())
            .with_header(CONNECTION, HeaderValue::from_static("close"));
        if status == StatusCode::PAYLOAD_TOO_LARGE {
            return reply.by_limit(NamedLimit::BodyBytes);
        }
        reply
    }
}
