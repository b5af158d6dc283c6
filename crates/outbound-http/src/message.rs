//! What is sent and what comes back. Neither may be shown whole: headers hold keys, and bodies hold
//! customers and tokens.

use crate::failure::NotSentCause;
use crate::target::OutboundTarget;
use bytes::Bytes;
use domain::provider::UnknownCause;
use http::header::{ACCEPT, CONTENT_TYPE, HOST, USER_AGENT};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Uri};
use http_body_util::Full;
use std::fmt;

const AGENT: HeaderValue = HeaderValue::from_static(concat!("manilla/", env!("CARGO_PKG_VERSION")));
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// One request below a target's base.
#[derive(Clone)]
pub struct OutboundRequest {
    method: Method,
    path: String,
    headers: HeaderMap,
    body: Bytes,
}

impl OutboundRequest {
    /// A GET of a path, which may carry a query.
    pub fn get(path: impl Into<String>) -> Self {
        Self {
            method: Method::GET,
            path: path.into(),
            headers: HeaderMap::new(),
            body: Bytes::new(),
        }
    }

    /// A POST of a JSON document.
    pub fn post_json(path: impl Into<String>, document: impl Into<Bytes>) -> Self {
        Self {
            method: Method::POST,
            path: path.into(),
            headers: HeaderMap::from_iter([(CONTENT_TYPE, JSON)]),
            body: document.into(),
        }
    }

    /// The same with a header.
    #[must_use]
    pub fn with(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// As it goes over a connection to a target.
    pub(crate) fn to(self, target: &OutboundTarget) -> Result<Request<Full<Bytes>>, NotSentCause> {
        let uri = Uri::try_from(target.path_of(&self.path)).map_err(|_| NotSentCause::Request)?;
        let host = HeaderValue::try_from(&target.authority).map_err(|_| NotSentCause::Request)?;
        let mut request = Request::new(Full::new(self.body));
        *request.method_mut() = self.method;
        *request.uri_mut() = uri;
        *request.headers_mut() = self.headers;
        let headers = request.headers_mut();
        headers.insert(HOST, host);
        headers.insert(USER_AGENT, AGENT);
        headers.entry(ACCEPT).or_insert(JSON);
        Ok(request)
    }
}

impl fmt::Debug for OutboundRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OutboundRequest")
            .field("method", &self.method)
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

/// What a provider answered, whole.
#[derive(Clone, PartialEq, Eq)]
pub struct OutboundAnswer {
    /// The status, 200 to 599.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body, no larger than the settings allow.
    pub body: Bytes,
}

impl OutboundAnswer {
    /// Why the status alone makes the outcome unknown; `None` for 2xx. An adapter whose contract
    /// gives other statuses a meaning looks at those first.
    pub const fn unexpected_status(&self) -> Option<UnknownCause> {
        match self.status {
            200..=299 => None,
            500.. => Some(UnknownCause::ServerError),
            _ => Some(UnknownCause::Unlisted),
        }
    }
}

impl fmt::Debug for OutboundAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OutboundAnswer")
            .field("status", &self.status)
            .field("bytes", &self.body.len())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_keys_nor_bodies_are_shown() {
        let key = HeaderName::from_static("secret-key");
        let request = OutboundRequest::post_json("pay", r#"{"billersCode":"0451"}"#)
            .with(key.clone(), HeaderValue::from_static("SK_1"));
        let answer = OutboundAnswer {
            status: 200,
            headers: HeaderMap::from_iter([(key, HeaderValue::from_static("SK_1"))]),
            body: Bytes::from_static(b"token 0451"),
        };
        let shown = format!("{request:?} {answer:?}");
        assert!(
            !shown.contains("SK_1") && !shown.contains("0451"),
            "{shown}"
        );
        assert!(shown.contains("pay") && shown.contains("200"), "{shown}");
    }

    #[test]
    fn a_status_other_than_2xx_is_unknown() {
        let unexpected = |status| {
            let (headers, body) = (HeaderMap::new(), Bytes::new());
            OutboundAnswer {
                status,
                headers,
                body,
            }
            .unexpected_status()
        };
        assert_eq!((unexpected(200), unexpected(201)), (None, None));
        for status in [301, 302, 307, 400, 401, 404, 429] {
            assert_eq!(unexpected(status), Some(UnknownCause::Unlisted), "{status}");
        }
        for status in [500, 502, 503, 599] {
            let cause = Some(UnknownCause::ServerError);
            assert_eq!(unexpected(status), cause, "{status}");
        }
    }
}
