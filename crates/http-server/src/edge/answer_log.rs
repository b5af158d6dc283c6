//! The line of the log for an answer. It must not have what was asked for but in its span.

use crate::layers::body::Body;
use crate::layers::request_id::RequestId;
use crate::reply::LoggedReferences;
use http::header::HeaderMap;
use http::{HeaderName, Request, StatusCode};
use tracing::{Span, field};

/// By what a proxy finds a request in its own log.
const PROXY_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Longest id of a proxy that is logged: twice what proxies make.
const PROXY_ID_MAX: usize = 128;

#[expect(
    clippy::disallowed_methods,
    reason = "how long an answer took is measured for the log and decides nothing"
)]
pub(super) fn stopwatch() -> tokio::time::Instant {
    tokio::time::Instant::now()
}

/// How long ago a moment of the stopwatch is.
pub(super) fn whole_millis(begun: tokio::time::Instant) -> u64 {
    u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// The id that a proxy gave a request, where it is one: it is logged and decides nothing.
pub(super) fn proxy_id(headers: &HeaderMap) -> Option<&str> {
    let id = headers.get(PROXY_REQUEST_ID)?.to_str().ok()?;
    let fits = (1..=PROXY_ID_MAX).contains(&id.len());
    (fits && id.bytes().all(|byte| byte.is_ascii_graphic())).then_some(id)
}

/// What everything that is logged of a request stands in, by its path as it is listed, with the
/// trace that its caller names. Builds that export traces make their span of a request of it.
pub(super) fn request_span(
    (id, proxy_id): (RequestId, Option<&str>),
    request: &Request<Body>,
    (listed, trace): (Option<&'static str>, Option<&str>),
) -> Span {
    tracing::info_span!(
        "request",
        request_id = %id,
        method = %request.method(),
        path = listed,
        account = field::Empty,
        key = field::Empty,
        client = field::Empty,
        proxy_request_id = proxy_id,
        traceparent = trace,
    )
}

/// Logs one line per request. Neither its target, which may contain personal data, nor its headers
/// or body are logged; of what is answered, only what names a payment.
pub(super) fn log(
    span: &Span,
    (status, references): (StatusCode, LoggedReferences<'_>),
    begun: tokio::time::Instant,
) {
    let duration_us = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
    let status = status.as_u16();
    let LoggedReferences {
        merchant,
        transaction,
    } = references;
    span.in_scope(|| {
        if status >= 500 {
            tracing::warn!(status, duration_us, "responded with a server error");
        } else {
            tracing::info!(
                status,
                duration_us,
                mrcReference = merchant,
                txnReference = transaction,
                "answered"
            );
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    #[test]
    fn an_id_of_a_proxy_is_short_and_printable() {
        let read = |id: &[u8]| {
            let headers: HeaderMap = [(PROXY_REQUEST_ID, HeaderValue::from_bytes(id).unwrap())]
                .into_iter()
                .collect();
            proxy_id(&headers).map(str::to_owned)
        };
        assert_eq!(read(b"7f3a-01").as_deref(), Some("7f3a-01"));
        for bad in [&b""[..], b"a b", b"\xc3\xa9", &[b'a'; 129]] {
            assert_eq!(read(bad), None);
        }
    }
}
