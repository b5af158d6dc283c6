//! One request and its answer: read whole, verified, answered, signed. Nothing may be done for a
//! request that is not authentic, fresh and seen for the first time.

use super::routes::{Reply, route};
use crate::attempts::Attempts;
use arc_swap::ArcSwap;
use bytes::Bytes;
use domain::provider::UnknownCause;
use http::header::{ALLOW, CONTENT_TYPE, HOST, HeaderMap, HeaderName, HeaderValue};
use http::{Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use ports::clock::Clock;
use provider_protocol::signature::{
    AnswerBinding, AnswerParts, NonceMemory, ReceivedFields, RequestParts, SignatureError,
    SignatureKeys, sign_answer, verify_request,
};
use provider_protocol::{
    BODY_BYTES_MAX, MEDIA_TYPE, ProtocolFault, REPLAYED_HEADER, VERSION, VERSION_HEADER, speaks,
    write,
};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::timeout;

const CONTENT_DIGEST: HeaderName = HeaderName::from_static("content-digest");
const SIGNATURE_INPUT: HeaderName = HeaderName::from_static("signature-input");
const SIGNATURE: HeaderName = HeaderName::from_static("signature");

/// How long a body may take to come.
const BODY_MAX: Duration = Duration::from_secs(15);

/// The connection is ended without an answer.
#[derive(Debug, thiserror::Error)]
#[error("no answer is given")]
pub(super) struct NoAnswer;

/// What all connections share.
pub(super) struct Exchanges {
    pub(super) attempts: Arc<Attempts>,
    keys: Arc<ArcSwap<SignatureKeys>>,
    clock: Arc<dyn Clock>,
    scheme: &'static str,
    nonces: Mutex<NonceMemory>,
}

/// A request that was read whole.
struct WholeRequest {
    method: Method,
    path: String,
    query: Option<String>,
    target_uri: String,
    headers: HeaderMap,
    body: Bytes,
}

/// Why a request is not answered by the provider.
type Fault = (ProtocolFault, String);

impl Exchanges {
    pub(super) fn new(
        attempts: Arc<Attempts>,
        (keys, clock): (SignatureKeys, Arc<dyn Clock>),
        scheme: &'static str,
    ) -> Self {
        Self {
            attempts,
            keys: Arc::new(ArcSwap::from_pointee(keys)),
            clock,
            scheme,
            nonces: Mutex::default(),
        }
    }

    /// The keys, to be replaced.
    pub(super) fn keys(&self) -> Arc<ArcSwap<SignatureKeys>> {
        Arc::clone(&self.keys)
    }

    /// Answers a request.
    pub(super) async fn answer(
        &self,
        request: Request<Incoming>,
    ) -> Result<Response<Full<Bytes>>, NoAnswer> {
        let request = match self.read(request).await {
            Ok(request) => request,
            Err(fault) => return Ok(plain(&fault)),
        };
        // What is not verified is not answered with a signature either.
        if let Err(fault) = self.verify(&request) {
            tracing::warn!(
                path = request.path,
                reason = fault.1,
                "a request was not accepted"
            );
            return Ok(plain(&fault));
        }
        let route = route(&self.attempts, (&request.method, &request.path));
        let reply = route
            .answer(request.query.as_deref(), &request.body, self.clock.now())
            .await;
        let reply = reply.unwrap_or_else(|(fault, message)| {
            tracing::warn!(
                path = request.path,
                reason = message,
                "a request was refused"
            );
            Reply::fault(fault, message)
        });
        self.sent(reply, &request)
    }

    async fn read(&self, request: Request<Incoming>) -> Result<WholeRequest, Fault> {
        let (head, body) = request.into_parts();
        let host = single(&head.headers, &HOST).ok_or_else(|| {
            (
                ProtocolFault::InvalidRequest,
                "`Host` must be sent".to_owned(),
            )
        })?;
        let path_and_query = head.uri.path_and_query().map_or("/", |it| it.as_str());
        let target_uri = format!("{}://{host}{path_and_query}", self.scheme);
        let body = timeout(BODY_MAX, Limited::new(body, BODY_BYTES_MAX).collect()).await;
        let body = match body {
            Ok(Ok(body)) => body.to_bytes(),
            Ok(Err(error)) if error.is::<http_body_util::LengthLimitError>() => {
                let message = format!("the body must have at most {BODY_BYTES_MAX} bytes");
                return Err((ProtocolFault::TooLarge, message));
            }
            Ok(Err(_)) | Err(_) => {
                let message = "the body did not come in time".to_owned();
                return Err((ProtocolFault::InvalidRequest, message));
            }
        };
        Ok(WholeRequest {
            method: head.method,
            path: head.uri.path().to_owned(),
            query: head.uri.query().map(ToOwned::to_owned),
            target_uri,
            headers: head.headers,
            body,
        })
    }

    fn verify(&self, request: &WholeRequest) -> Result<(), Fault> {
        let unauthorized = |message: String| (ProtocolFault::Unauthorized, message);
        let field = |name: &HeaderName| {
            single(&request.headers, name)
                .ok_or_else(|| unauthorized(format!("`{name}` must be sent, once")))
        };
        if field(&CONTENT_TYPE)? != MEDIA_TYPE {
            return Err(unauthorized(format!("`content-type` must be {MEDIA_TYPE}")));
        }
        let fields = ReceivedFields {
            content_digest: field(&CONTENT_DIGEST)?,
            signature_input: field(&SIGNATURE_INPUT)?,
            signature: field(&SIGNATURE)?,
        };
        let parts = RequestParts {
            method: request.method.as_str(),
            target_uri: &request.target_uri,
            body: &request.body,
        };
        let now = self.seconds();
        let verified = verify_request(&self.keys.load(), parts, (fields, now));
        let verified = verified.map_err(|error: SignatureError| unauthorized(error.to_string()))?;
        let mut nonces = self.nonces.lock().unwrap_or_else(PoisonError::into_inner);
        let admitted = nonces.admit(&verified.nonce, verified.created, now);
        drop(nonces);
        admitted.map_err(|error| unauthorized(error.to_string()))?;
        let version = request.headers.get(VERSION_HEADER).map(HeaderValue::to_str);
        match version {
            Some(Ok(version)) if !speaks(version) => {
                let message = format!("you speak {version} and this provider {VERSION}");
                Err((ProtocolFault::InvalidRequest, message))
            }
            Some(Ok(_)) | None => Ok(()),
            Some(Err(_)) => {
                let message = format!("`{VERSION_HEADER}` must be a version such as {VERSION}");
                Err((ProtocolFault::InvalidRequest, message))
            }
        }
    }

    /// The signed answer to a request, or what a network makes of it.
    fn sent(
        &self,
        reply: Reply,
        request: &WholeRequest,
    ) -> Result<Response<Full<Bytes>>, NoAnswer> {
        let (status, body, replayed) = match reply {
            Reply::Document { status, body } => (status, body, false),
            Reply::Replayed { body } => (200, body, true),
            Reply::Broken(cause) => return broken(cause),
        };
        let signature = single(&request.headers, &SIGNATURE).unwrap_or_default();
        let answer = AnswerParts {
            status,
            body: &body,
        };
        let binding = AnswerBinding {
            method: request.method.as_str(),
            target_uri: &request.target_uri,
            signature,
        };
        let fields = sign_answer(&self.keys.load(), (answer, binding), self.seconds());
        let mut response = document(status, body);
        let headers = response.headers_mut();
        let signed = [
            (CONTENT_DIGEST, fields.content_digest),
            (SIGNATURE_INPUT, fields.signature_input),
            (SIGNATURE, fields.signature),
        ];
        for (name, value) in signed {
            if let Ok(value) = HeaderValue::try_from(value) {
                headers.insert(name, value);
            }
        }
        if replayed {
            let yes = HeaderValue::from_static("true");
            headers.insert(HeaderName::from_static(REPLAYED_HEADER), yes);
        }
        Ok(response)
    }

    fn seconds(&self) -> i64 {
        self.clock.now().as_millis().div_euclid(1_000)
    }
}

/// A header field that is there once, as text.
fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

fn document(status: u16, body: Vec<u8>) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
    let version = HeaderName::from_static(VERSION_HEADER);
    headers.insert(version, HeaderValue::from_static(VERSION));
    if status == ProtocolFault::MethodNotAllowed.status() {
        headers.insert(ALLOW, HeaderValue::from_static("GET, POST"));
    }
    response
}

/// An answer without a signature: to a request that was not verified.
fn plain((fault, message): &Fault) -> Response<Full<Bytes>> {
    let body = write(&fault.document(message.as_str())).unwrap_or_default();
    document(fault.status(), body)
}

/// What a network between the two makes of an answer.
fn broken(cause: UnknownCause) -> Result<Response<Full<Bytes>>, NoAnswer> {
    let page = |status, text: &'static str| {
        let mut response = Response::new(Full::new(Bytes::from_static(text.as_bytes())));
        *response.status_mut() = status;
        let html = HeaderValue::from_static("text/html");
        response.headers_mut().insert(CONTENT_TYPE, html);
        Ok(response)
    };
    match cause {
        UnknownCause::Timeout | UnknownCause::ConnectionLost | UnknownCause::Abandoned => {
            Err(NoAnswer)
        }
        UnknownCause::ServerError => page(
            StatusCode::BAD_GATEWAY,
            "<html><body>502 Bad Gateway</body></html>",
        ),
        UnknownCause::Unreadable | UnknownCause::Unlisted => {
            page(StatusCode::OK, "<html><body>It works!</body></html>")
        }
        UnknownCause::DuplicateReference => page(
            StatusCode::CONFLICT,
            "<html><body>Duplicate reference</body></html>",
        ),
    }
}
