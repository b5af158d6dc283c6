//! What of a request its account's log gets. Nothing of its query, its body or its headers may be
//! in it, and no key or number that was put into a path by mistake.

use super::answer_log::{stopwatch, whole_millis};
use crate::admission::RequestOpener;
use crate::layers::body::Body;
use crate::layers::request_id::RequestId;
use application::Gateway;
use application::measuring::MeasuredRequest;
use domain::request_log::{AnsweredRequest, HUNG_UP};
use http::{Method, Request, StatusCode, Uri};
use std::borrow::Cow;
use std::net::IpAddr;
use std::sync::OnceLock;
use tokio::time::Instant;

/// Longest path that is recorded, in characters: several times the longest of ours.
const PATH_MAX: usize = 200;

/// Longest part of a path between slashes that is recorded: longer than any of ours, and shorter
/// than a key.
const SEGMENT_MAX: usize = 32;

/// What stands for a part that is longer, or has a digit.
const LEFT_OUT: &str = "…";

/// A request while it is answered. Where a key of an account opened it, the account's log gets it
/// once this is dropped: answered, or left by its client.
#[derive(Debug)]
pub(super) struct RequestNote<'a> {
    gateway: &'a Gateway,
    id: RequestId,
    address: IpAddr,
    method: Method,
    target: Uri,
    /// Its path, where it is that of an operation.
    listed: Option<&'static str>,
    /// The path that it is counted under.
    counted: Option<&'static str>,
    begun: Instant,
    status: u16,
    /// Set by admission.
    pub(super) opener: OnceLock<RequestOpener>,
}

impl<'a> RequestNote<'a> {
    /// A request that came now.
    pub(super) fn of(
        gateway: &'a Gateway,
        (id, address): (RequestId, IpAddr),
        request: &Request<Body>,
        listed: Option<&'static str>,
    ) -> Self {
        Self {
            gateway,
            id,
            address,
            method: request.method().clone(),
            target: request.uri().clone(),
            listed: listed.filter(|listed| *listed == request.uri().path()),
            counted: listed,
            begun: stopwatch(),
            status: HUNG_UP,
            opener: OnceLock::new(),
        }
    }

    /// When it came.
    pub(super) const fn begun(&self) -> Instant {
        self.begun
    }

    /// It is answered.
    pub(super) fn answered(&mut self, status: StatusCode) {
        self.status = status.as_u16();
    }
}

impl Drop for RequestNote<'_> {
    fn drop(&mut self) {
        self.gateway
            .measurements()
            .request_answered(MeasuredRequest {
                method: method(&self.method),
                path: self.counted,
                status: self.status,
                took: self.begun.elapsed(),
            });
        let Some(RequestOpener {
            account,
            key_prefix,
        }) = self.opener.take()
        else {
            return;
        };
        let path = self.listed.map(Cow::Borrowed);
        self.gateway.note_request(AnsweredRequest {
            account,
            at: self.gateway.now(),
            method: Cow::Borrowed(method(&self.method)),
            path: path.unwrap_or_else(|| Cow::Owned(shown(self.target.path()))),
            status: self.status,
            latency_ms: whole_millis(self.begun),
            key_prefix,
            address: self.address,
            request_id: self.id.as_str().to_owned(),
        });
    }
}

/// The name of a method. Others than these are answered by no path, and may be any text.
fn method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "OTHER",
    }
}

/// A path that is not one of ours as it is shown: without long parts and those with digits, which
/// may be keys, cards, tokens or phone numbers.
fn shown(path: &str) -> String {
    let segments = path.split('/').map(|segment| {
        let has_digit = segment.bytes().any(|byte| byte.is_ascii_digit());
        if has_digit || segment.chars().count() > SEGMENT_MAX {
            LEFT_OUT
        } else {
            segment
        }
    });
    let shown = segments.collect::<Vec<_>>().join("/");
    shown.chars().take(PATH_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_shown_without_its_long_parts_and_not_for_ever() {
        assert_eq!(
            shown("/account/transactions/sms"),
            "/account/transactions/sms"
        );
        let key = crate::testing::key_of("shop");
        assert_eq!(shown(&format!("/{key}/x")), "/…/x");
        assert_eq!(shown("/x/4111111111111111/y"), "/x/…/y");
        let long = shown(&"/part".repeat(100));
        assert_eq!((long.len(), long.starts_with("/part/part")), (200, true));
    }

    #[test]
    fn a_method_of_any_text_is_not_shown() {
        let secret = Method::from_bytes(b"SECRET").unwrap();
        assert_eq!([method(&secret), method(&Method::TRACE)], ["OTHER"; 2]);
        for known in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] {
            assert_eq!(method(&known.parse().unwrap()), known);
        }
    }
}
