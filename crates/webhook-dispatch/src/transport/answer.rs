//! What is taken of an answer: its status, how long it asks to be left alone, and the beginning of
//! its body. It must cost the same whatever a receiver sends, and however slowly.

use domain::time::Timestamp;
use domain::webhook::{DeliveryFailure, EXCERPT_MAX, EndpointAnswer, RETRY_AFTER_MAX};
use reqwest::Response;
use reqwest::header::RETRY_AFTER;
use std::time::{Duration, UNIX_EPOCH};
use tokio::time::timeout;

/// Most bytes taken of a body. What is short is read to its end, so that its connection can be used
/// again; whatever is longer is hung up on.
const READ_MAX: usize = 8 * 1024;

/// How an answer is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reading {
    /// When it was asked for: what a date in it counts from.
    pub(super) asked_at: Timestamp,
    /// How long its body is waited for.
    pub(super) patience: Duration,
}

/// How a body ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// As it should, or where we stopped reading.
    Read,
    /// In the middle.
    Broken,
}

impl Reading {
    /// Reads an answer whose head has come.
    pub(super) async fn answer(
        self,
        response: Response,
    ) -> Result<EndpointAnswer, DeliveryFailure> {
        let status = response.status();
        let retry_after = response.headers().get(RETRY_AFTER);
        let retry_after = retry_after.and_then(|value| pause(value.to_str().ok()?, self.asked_at));
        let mut body = Vec::new();
        let end = timeout(self.patience, take(response, &mut body)).await;
        // A receiver that broke off within a 2xx may not have meant it. A repeated delivery does no
        // harm, a missing one does.
        if end == Ok(End::Broken) && status.is_success() {
            return Err(DeliveryFailure::Broken);
        }
        Ok(EndpointAnswer {
            status: status.as_u16(),
            retry_after,
            excerpt: if status.is_success() {
                String::new()
            } else {
                shown(&body)
            },
        })
    }
}

async fn take(mut response: Response, body: &mut Vec<u8>) -> End {
    while body.len() < READ_MAX {
        match response.chunk().await {
            Ok(Some(chunk)) => body.extend_from_slice(&chunk),
            Ok(None) => return End::Read,
            // Time being up for the whole attempt is our own impatience, too.
            Err(error) if error.is_timeout() => return End::Read,
            Err(_) => return End::Broken,
        }
    }
    End::Read
}

/// The beginning of a body as it can be stored and shown.
fn shown(body: &[u8]) -> String {
    let kept = body.get(..EXCERPT_MAX).unwrap_or(body);
    let text = String::from_utf8_lossy(kept);
    let printable = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut shown = String::new();
    for c in printable {
        // What stands for an unreadable byte is longer than a byte.
        if shown.len().saturating_add(c.len_utf8()) > EXCERPT_MAX {
            break;
        }
        shown.push(c);
    }
    shown.truncate(shown.trim_end().len());
    shown
}

/// The pause of a `Retry-After`: seconds, or the moment it ends (RFC 9110 §10.2.3).
fn pause(value: &str, now: Timestamp) -> Option<Duration> {
    let value = value.trim();
    let pause = if value.bytes().all(|byte| byte.is_ascii_digit()) {
        // Too many for a number is too many for us as well.
        (!value.is_empty()).then(|| Duration::from_secs(value.parse().unwrap_or(u64::MAX)))
    } else {
        let date = httpdate::parse_http_date(value).ok()?;
        let millis = date.duration_since(UNIX_EPOCH).ok()?.as_millis();
        let date = Timestamp::from_millis(i64::try_from(millis).ok()?);
        Some(date.since(now))
    };
    pause.map(|pause| pause.min(RETRY_AFTER_MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_is_asked_for_in_seconds_or_until_a_date() {
        let now = Timestamp::from_millis(784_111_717_000);
        let pause = |value| pause(value, now);
        assert_eq!(pause("120"), Some(Duration::from_mins(2)));
        assert_eq!(pause(" 0 "), Some(Duration::ZERO));
        let date = "Sun, 06 Nov 1994 08:49:37 GMT";
        assert_eq!(pause(date), Some(Duration::from_mins(1)));
        let past = "Sun, 06 Nov 1994 08:40:00 GMT";
        assert_eq!(pause(past), Some(Duration::ZERO));
        for long in [
            "86401",
            "99999999999999999999999",
            "Fri, 31 Dec 9999 23:59:59 GMT",
        ] {
            assert_eq!(pause(long), Some(RETRY_AFTER_MAX), "{long}");
        }
        for other in ["", "-1", "1.5", "soon", "1 minute"] {
            assert_eq!(pause(other), None, "{other}");
        }
    }

    #[test]
    fn only_the_beginning_of_a_body_is_shown_and_only_what_can_be() {
        assert_eq!(
            shown(b"no such\r\nthing\0\x1b[31m\n"),
            "no such  thing  [31m"
        );
        assert_eq!(shown(&[b'a'; 5000]), "a".repeat(EXCERPT_MAX));
        assert_eq!(shown("ẹ̀kọ́".as_bytes()), "ẹ̀kọ́");
        let unreadable = shown(&[0xff; 5000]);
        assert!(unreadable.len() <= EXCERPT_MAX && unreadable.starts_with('\u{fffd}'));
        assert_eq!(shown(b""), "");
    }
}
