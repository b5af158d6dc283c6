//! The line of the log for an answer. It must not have what was asked for but in its span.

use http::StatusCode;
use tracing::Span;

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

/// Logs one line per request. Neither its target, which may contain personal data, nor its headers
/// or body are logged.
pub(super) fn log(span: &Span, status: StatusCode, begun: tokio::time::Instant) {
    let duration_us = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
    let status = status.as_u16();
    span.in_scope(|| {
        if status >= 500 {
            tracing::warn!(status, duration_us, "responded with a server error");
        } else {
            tracing::info!(status, duration_us, "answered");
        }
    });
}
