//! Reads what a request's signature covers and the signature itself (RFC 9421, RFC 9530). It must
//! not judge either: two values of a header are never taken for one.

use super::idempotency_key::IDEMPOTENCY_KEY;
use application::request_signing::ReceivedSignature;
use http::header::{HeaderMap, HeaderName};
use http::{Method, Request, Uri};
use message_signatures::{MerchantRequest, content_digest};

pub(crate) const SIGNATURE_INPUT: HeaderName = HeaderName::from_static("signature-input");
const SIGNATURE: HeaderName = HeaderName::from_static("signature");
const CONTENT_DIGEST: HeaderName = HeaderName::from_static("content-digest");

/// A header that is there more than once, or is no text.
struct Unreadable;

/// The head of a request, of which a signature covers parts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SignedHead<'a> {
    pub(crate) method: &'a Method,
    pub(crate) uri: &'a Uri,
    pub(crate) headers: &'a HeaderMap,
}

impl<'a> SignedHead<'a> {
    /// The head of a request with its body.
    pub(crate) fn of<B>(request: &'a Request<B>) -> Self {
        Self {
            method: request.method(),
            uri: request.uri(),
            headers: request.headers(),
        }
    }
}

/// What a signature of a request covers, and the signature, where it has one.
pub(crate) fn read(head: SignedHead<'_>) -> (MerchantRequest<'_>, ReceivedSignature<'_>) {
    let SignedHead {
        method,
        uri,
        headers,
    } = head;
    let digest = once(headers, &CONTENT_DIGEST);
    let retry = once(headers, &IDEMPOTENCY_KEY);
    let fields = (once(headers, &SIGNATURE_INPUT), once(headers, &SIGNATURE));
    let is_readable = digest.is_ok() && retry.is_ok();
    let received = match fields {
        (Ok(None), Ok(None)) => ReceivedSignature::None,
        (Ok(Some(input)), Ok(Some(signature))) if is_readable => {
            ReceivedSignature::Whole { input, signature }
        }
        (Ok(_) | Err(Unreadable), Ok(_) | Err(Unreadable)) => ReceivedSignature::Unreadable,
    };
    let request = MerchantRequest {
        method: method.as_str(),
        path: uri.path(),
        query: uri.query(),
        content_digest: digest.unwrap_or_default(),
        idempotency_key: retry.unwrap_or_default(),
    };
    (request, received)
}

/// Whether a body is the one that was signed; also where none was. The signature of an admitted
/// request covers its `Content-Digest`.
pub(crate) fn has_signed_body(headers: &HeaderMap, body: &[u8]) -> bool {
    if !headers.contains_key(SIGNATURE_INPUT) {
        return true;
    }
    let digest = once(headers, &CONTENT_DIGEST).unwrap_or_default();
    digest.is_some_and(|it| it == content_digest(body))
}

fn once<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, Unreadable> {
    let mut values = headers.get_all(name).iter();
    let first = values.next();
    if values.next().is_some() {
        return Err(Unreadable);
    }
    first
        .map(|value| value.to_str().map(str::trim))
        .transpose()
        .map_err(|_| Unreadable)
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    fn headers(pairs: &[(&HeaderName, &'static str)]) -> HeaderMap {
        let pairs = pairs.iter();
        let pairs = pairs.map(|(name, value)| ((*name).clone(), HeaderValue::from_static(value)));
        pairs.collect()
    }

    fn received(pairs: &[(&HeaderName, &'static str)]) -> String {
        let uri = Uri::from_static("/balance?a=1");
        let headers = headers(pairs);
        let (request, received) = read(SignedHead {
            method: &Method::GET,
            uri: &uri,
            headers: &headers,
        });
        assert_eq!((request.path, request.query), ("/balance", Some("a=1")));
        format!("{received:?}")
    }

    #[test]
    fn a_signature_is_one_of_each_header() {
        let input = (&SIGNATURE_INPUT, "i");
        let signature = (&SIGNATURE, "s");
        let whole = "Whole { input: \"i\", signature: \"s\" }";
        assert_eq!(received(&[]), "None");
        assert_eq!(received(&[(&CONTENT_DIGEST, "d")]), "None");
        assert_eq!(received(&[input, signature]), whole);
        for unreadable in [
            &[input][..],
            &[signature],
            &[input, input, signature],
            &[input, signature, signature],
            &[
                input,
                signature,
                (&CONTENT_DIGEST, "a"),
                (&CONTENT_DIGEST, "b"),
            ],
            &[
                input,
                signature,
                (&IDEMPOTENCY_KEY, "a"),
                (&IDEMPOTENCY_KEY, "b"),
            ],
        ] {
            assert_eq!(received(unreadable), "Unreadable");
        }
    }

    #[test]
    fn a_body_that_was_signed_has_its_digest() {
        let body = br#"{"hello": "world"}"#;
        // RFC 9530 Appendix B.1, without the line feed that its example ends with.
        let right = "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:";
        let signed = (&SIGNATURE_INPUT, "i");
        assert!(has_signed_body(&headers(&[]), body));
        assert!(has_signed_body(&headers(&[(&CONTENT_DIGEST, "x")]), body));
        assert!(has_signed_body(
            &headers(&[signed, (&CONTENT_DIGEST, right)]),
            body
        ));
        assert!(!has_signed_body(
            &headers(&[signed, (&CONTENT_DIGEST, right)]),
            b"{}"
        ));
        assert!(!has_signed_body(&headers(&[signed]), body));
    }
}
