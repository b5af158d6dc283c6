//! One signed request and its answer, verified. What is handed on is the body of an answer with
//! status 200 whose signature covers it and our very request; nothing else may be.

use domain::provider::UnknownCause;
use http::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use outbound_http::{
    ExchangeError, InvalidOutboundTarget, NotSentCause, OutboundAnswer, OutboundClient,
    OutboundRequest, OutboundSettings, OutboundTarget, PlainHttp,
};
use ports::clock::Clock;
use ports::permit::SendPermit;
use provider_protocol::signature::{
    AnswerBinding, AnswerParts, ReceivedFields, RequestParts, SignatureError, SignatureKeys,
    sign_request, verify_answer,
};
use provider_protocol::{BODY_BYTES_MAX, MEDIA_TYPE, PATH_PREFIX, VERSION, VERSION_HEADER};
use rustls_pki_types::CertificateDer;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;
use url::Url;

const CONTENT_DIGEST: HeaderName = HeaderName::from_static("content-digest");
const SIGNATURE_INPUT: HeaderName = HeaderName::from_static("signature-input");
const SIGNATURE: HeaderName = HeaderName::from_static("signature");

/// Why there is no answer that can be read.
#[derive(Debug, thiserror::Error)]
pub enum AnswerError {
    /// No answer came.
    #[error(transparent)]
    Exchange(#[from] ExchangeError),
    /// The request could not be signed.
    #[error("the operating system gave no random bytes for a nonce")]
    Nonce(#[source] getrandom::Error),
    /// Something answered that does not hold the key, or answered another request.
    #[error("the answer is not authentic")]
    Signature(#[from] SignatureError),
    /// A field of the signature is missing, or there several times.
    #[error("the answer is not signed")]
    Unsigned,
    /// The provider answered, with another status.
    #[error("the answer has status {0}")]
    Status(u16),
}

impl AnswerError {
    /// Whether it is certain that no byte left.
    pub(crate) const fn is_not_sent(&self) -> bool {
        match self {
            Self::Exchange(ExchangeError::NotSent(_)) | Self::Nonce(_) => true,
            Self::Exchange(_) | Self::Signature(_) | Self::Unsigned | Self::Status(_) => false,
        }
    }

    /// Why the outcome of a submission is unknown.
    pub(crate) const fn cause(&self) -> UnknownCause {
        match self {
            Self::Exchange(ExchangeError::Timeout) => UnknownCause::Timeout,
            Self::Exchange(ExchangeError::Lost(_) | ExchangeError::NotSent(_)) | Self::Nonce(_) => {
                UnknownCause::ConnectionLost
            }
            Self::Exchange(ExchangeError::TooLarge(_) | ExchangeError::Malformed(_))
            | Self::Signature(_)
            | Self::Unsigned => UnknownCause::Unreadable,
            Self::Status(409) => UnknownCause::DuplicateReference,
            Self::Status(500..) => UnknownCause::ServerError,
            Self::Status(_) => UnknownCause::Unlisted,
        }
    }
}

/// A request before it is signed.
#[derive(Debug)]
pub(crate) enum Unsigned {
    Get(String),
    Post(String, Vec<u8>),
}

/// Signs requests to one provider and verifies its answers.
#[derive(Debug)]
pub(crate) struct Exchanger {
    client: OutboundClient,
    /// Where requests go, without a slash at its end.
    base: String,
    keys: SignatureKeys,
    clock: Arc<dyn Clock>,
}

/// What an answer is bound to.
struct Sent {
    method: &'static str,
    target_uri: String,
    signature: String,
}

impl Exchanger {
    pub(crate) fn new(
        (url, plain): (&str, PlainHttp),
        authorities: Vec<CertificateDer<'static>>,
        (keys, clock): (SignatureKeys, Arc<dyn Clock>),
    ) -> Result<Self, crate::HttpProviderError> {
        let target = OutboundTarget::parse(url, plain)?;
        // The target was read from the same text.
        let base = Url::parse(url).map_err(|_| InvalidOutboundTarget::Unreadable)?;
        let settings = OutboundSettings {
            body_max: BODY_BYTES_MAX,
            authorities,
            ..OutboundSettings::default()
        };
        Ok(Self {
            client: OutboundClient::new(target, settings, Arc::clone(&clock))?,
            base: base.as_str().trim_end_matches('/').to_owned(),
            keys,
            clock,
        })
    }

    /// Submits a request, once, if the permit allows it; the body of the answer.
    pub(crate) async fn submit(
        &self,
        unsigned: Unsigned,
        deadline: Duration,
        permit: &dyn SendPermit,
    ) -> Result<Vec<u8>, AnswerError> {
        let (request, sent) = self.signed(unsigned)?;
        let answer = self.client.submit(request, deadline, permit).await?;
        self.verified(&answer, &sent)
    }

    /// Asks a question that changes nothing, or may be repeated; the body of the answer.
    pub(crate) async fn ask(
        &self,
        unsigned: Unsigned,
        deadline: Duration,
    ) -> Result<Vec<u8>, AnswerError> {
        let (request, sent) = self.signed(unsigned)?;
        let answer = self.client.ask(request, deadline).await?;
        self.verified(&answer, &sent)
    }

    fn signed(&self, unsigned: Unsigned) -> Result<(OutboundRequest, Sent), AnswerError> {
        let (method, path, body) = match unsigned {
            Unsigned::Get(path) => ("GET", path, None),
            Unsigned::Post(path, body) => ("POST", path, Some(body)),
        };
        let path = format!("{PATH_PREFIX}{path}");
        let target_uri = format!("{}{path}", self.base);
        let parts = RequestParts {
            method,
            target_uri: &target_uri,
            body: body.as_deref().unwrap_or_default(),
        };
        let fields = sign_request(&self.keys, parts, (self.seconds(), &nonce()?));
        let request = match body {
            Some(body) => OutboundRequest::post_json(path, body),
            None => OutboundRequest::get(path),
        };
        let mut request = request
            .with(CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE))
            .with(
                HeaderName::from_static(VERSION_HEADER),
                HeaderValue::from_static(VERSION),
            );
        let signed = [
            (CONTENT_DIGEST, &fields.content_digest),
            (SIGNATURE_INPUT, &fields.signature_input),
            (SIGNATURE, &fields.signature),
        ];
        for (name, value) in signed {
            let value = HeaderValue::try_from(value);
            let value = value.map_err(|_| ExchangeError::from(NotSentCause::Request))?;
            request = request.with(name, value);
        }
        let sent = Sent {
            method,
            target_uri,
            signature: fields.signature,
        };
        Ok((request, sent))
    }

    fn verified(&self, answer: &OutboundAnswer, sent: &Sent) -> Result<Vec<u8>, AnswerError> {
        // Other statuses say nothing, signed or not.
        if answer.status != 200 {
            return Err(AnswerError::Status(answer.status));
        }
        let field = |name: &HeaderName| single(&answer.headers, name);
        let fields = ReceivedFields {
            content_digest: field(&CONTENT_DIGEST)?,
            signature_input: field(&SIGNATURE_INPUT)?,
            signature: field(&SIGNATURE)?,
        };
        let parts = AnswerParts {
            status: answer.status,
            body: &answer.body,
        };
        let binding = AnswerBinding {
            method: sent.method,
            target_uri: &sent.target_uri,
            signature: &sent.signature,
        };
        verify_answer(&self.keys, (parts, binding), (fields, self.seconds()))?;
        Ok(answer.body.to_vec())
    }

    fn seconds(&self) -> i64 {
        self.clock.now().as_millis().div_euclid(1_000)
    }
}

/// A header field that is there once, as text.
fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<&'a str, AnswerError> {
    let mut values = headers.get_all(name).iter();
    let value = values.next().and_then(|value| value.to_str().ok());
    match (value, values.next()) {
        (Some(value), None) => Ok(value),
        (None, _) | (Some(_), Some(_)) => Err(AnswerError::Unsigned),
    }
}

/// 128 random bits in hexadecimal digits.
#[expect(
    clippy::disallowed_methods,
    reason = "a nonce must never repeat, also after a crash, and nothing depends on which it is"
)]
fn nonce() -> Result<String, AnswerError> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(AnswerError::Nonce)?;
    Ok(bytes.iter().fold(String::new(), |mut hex, byte| {
        // Writing into a text does not fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    }))
}
