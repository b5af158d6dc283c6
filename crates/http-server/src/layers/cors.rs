//! CORS as interface §1 rule 9 has it. It must not admit or reject an origin: access is decided by
//! the credentials.

use http::Method;
use http::header::{
    ACCESS_CONTROL_ALLOW_CREDENTIALS, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS,
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE,
    ACCESS_CONTROL_REQUEST_HEADERS, HeaderMap, HeaderName, HeaderValue, ORIGIN,
};

/// The four headers that are always the same (interface §1, rule 9).
const FIXED: [(HeaderName, &str); 4] = [
    (
        ACCESS_CONTROL_ALLOW_METHODS,
        "GET,POST,PUT,PATCH,DELETE,OPTIONS",
    ),
    (
        ACCESS_CONTROL_EXPOSE_HEADERS,
        "RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Total, Link",
    ),
    (ACCESS_CONTROL_MAX_AGE, "86400"),
    (ACCESS_CONTROL_ALLOW_CREDENTIALS, "true"),
];

/// The CORS headers for the answer to a request from another origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CrossOrigin {
    origin: HeaderValue,
    asked_headers: Option<HeaderValue>,
}

impl CrossOrigin {
    /// Reads the origin of the request; `None` without one, or where it is not among those the
    /// operator allows.
    pub(crate) fn of(headers: &HeaderMap, allowed: Option<&[String]>) -> Option<Self> {
        let is_allowed = |origin: &&HeaderValue| {
            allowed.is_none_or(|allowed| {
                allowed
                    .iter()
                    .any(|one| one.as_bytes() == origin.as_bytes())
            })
        };
        Some(Self {
            origin: headers.get(ORIGIN).filter(is_allowed)?.clone(),
            asked_headers: headers.get(ACCESS_CONTROL_REQUEST_HEADERS).cloned(),
        })
    }

    /// Adds the headers to an answer.
    pub(crate) fn apply(self, headers: &mut HeaderMap) {
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, self.origin);
        for (name, value) in FIXED {
            headers.insert(name, HeaderValue::from_static(value));
        }
        if let Some(asked) = self.asked_headers {
            headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, asked);
        }
    }
}

/// Whether a request is a preflight.
pub(crate) fn is_preflight(method: &Method, cross_origin: Option<&CrossOrigin>) -> bool {
    method == Method::OPTIONS && cross_origin.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_that_is_not_allowed_is_answered_as_if_it_had_not_said_so() {
        let allowed = ["https://shop.example".to_owned()];
        let of = |origin| CrossOrigin::of(&headers(&[(ORIGIN, origin)]), Some(&allowed));
        assert!(of("https://shop.example").is_some());
        for other in ["https://evil.example", "http://shop.example", "null"] {
            assert_eq!(of(other), None, "{other}");
        }
    }

    fn headers(pairs: &[(HeaderName, &'static str)]) -> HeaderMap {
        let value = |text| HeaderValue::from_static(text);
        pairs
            .iter()
            .map(|(name, text)| (name.clone(), value(text)))
            .collect()
    }

    #[test]
    fn the_five_headers_are_those_of_the_interface() {
        let asked = headers(&[(ORIGIN, "https://shop.example")]);
        let mut answer = HeaderMap::new();
        CrossOrigin::of(&asked, None).unwrap().apply(&mut answer);
        let expected = headers(&[
            (ACCESS_CONTROL_ALLOW_ORIGIN, "https://shop.example"),
            (
                ACCESS_CONTROL_ALLOW_METHODS,
                "GET,POST,PUT,PATCH,DELETE,OPTIONS",
            ),
            (
                ACCESS_CONTROL_EXPOSE_HEADERS,
                "RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Total, Link",
            ),
            (ACCESS_CONTROL_MAX_AGE, "86400"),
            (ACCESS_CONTROL_ALLOW_CREDENTIALS, "true"),
        ]);
        assert_eq!(answer, expected);
    }

    #[test]
    fn the_headers_a_preflight_asks_for_are_allowed() {
        let asked = headers(&[
            (ORIGIN, "null"),
            (
                ACCESS_CONTROL_REQUEST_HEADERS,
                "authorization, content-type",
            ),
        ]);
        let mut answer = HeaderMap::new();
        CrossOrigin::of(&asked, None).unwrap().apply(&mut answer);
        assert_eq!(
            answer[ACCESS_CONTROL_ALLOW_HEADERS],
            "authorization, content-type"
        );
    }

    #[test]
    fn only_options_with_an_origin_is_a_preflight() {
        let cross_origin = CrossOrigin::of(&headers(&[(ORIGIN, "https://shop.example")]), None);
        assert!(is_preflight(&Method::OPTIONS, cross_origin.as_ref()));
        assert!(!is_preflight(&Method::GET, cross_origin.as_ref()));
        assert!(!is_preflight(&Method::OPTIONS, None));
        assert_eq!(CrossOrigin::of(&HeaderMap::new(), None), None);
    }
}
