//! The verbs of operations, and how `Allow` lists them. HEAD comes with GET and is no verb of its
//! own.

use http::Method;
use http::header::HeaderValue;

/// The verb of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verb {
    Get,
    Post,
}

impl Verb {
    pub const fn method(self) -> Method {
        match self {
            Self::Get => Method::GET,
            Self::Post => Method::POST,
        }
    }

    /// Whether a request with a method is for this verb. HEAD is treated as GET.
    pub(super) fn answers(self, method: &Method) -> bool {
        self.method() == *method || (self == Self::Get && method == Method::HEAD)
    }

    /// The verbs a path with such an operation takes; HEAD comes with GET (RFC 9110 §9.3.2).
    pub(super) const fn allows(self) -> &'static str {
        match self {
            Self::Get => "GET, HEAD, ",
            Self::Post => "POST, ",
        }
    }
}

/// Verbs as `Allow` lists them; every path takes OPTIONS as well.
pub(super) fn allowing(verbs: String) -> HeaderValue {
    let options = HeaderValue::from_static("OPTIONS");
    HeaderValue::try_from(verbs + "OPTIONS").unwrap_or(options)
}
