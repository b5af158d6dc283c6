//! Checks the content type of a body: JSON without compression, in UTF-8 (interface §1, rule 3). It
//! must not look at the body itself.

use super::list;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap};

/// The body has a content type that is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unsupported {
    /// Another type, or none.
    #[error("Content-Type must be application/json")]
    Type,
    /// JSON in another encoding of characters.
    #[error("the charset of Content-Type must be utf-8 or be left out")]
    Charset,
    /// A compressed body.
    #[error("Content-Encoding must be left out: compressed bodies are not read")]
    Coding,
}

/// Accepts `application/json`, with `charset=utf-8` or without.
pub(crate) fn check(headers: &HeaderMap) -> Result<(), Unsupported> {
    let mut types = headers.get_all(CONTENT_TYPE).iter();
    let (Some(only), None) = (types.next(), types.next()) else {
        return Err(Unsupported::Type);
    };
    let mut parts = list::parts(only.to_str().map_err(|_| Unsupported::Type)?);
    let is_json = |name: &str| name.eq_ignore_ascii_case("application/json");
    if !parts.next().is_some_and(is_json) {
        return Err(Unsupported::Type);
    }
    let foreign_charset = parts.map(list::parameter).any(|(name, value)| {
        name.eq_ignore_ascii_case("charset") && !value.eq_ignore_ascii_case("utf-8")
    });
    if foreign_charset {
        return Err(Unsupported::Charset);
    }
    let mut codings = headers.get_all(CONTENT_ENCODING).iter();
    codings
        .all(|coding| coding.as_bytes().eq_ignore_ascii_case(b"identity"))
        .then_some(())
        .ok_or(Unsupported::Coding)
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    fn typed(content_type: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static(content_type))])
    }

    #[test]
    fn json_in_utf_8_is_read() {
        for content_type in [
            "application/json",
            "Application/JSON",
            "application/json;charset=UTF-8",
            "application/json; charset=\"utf-8\"; x=y",
        ] {
            assert_eq!(check(&typed(content_type)), Ok(()), "{content_type:?}");
        }
    }

    #[test]
    fn everything_else_is_refused_with_what_is_wrong() {
        assert_eq!(check(&HeaderMap::new()), Err(Unsupported::Type));
        for content_type in [
            "",
            "text/json",
            "application/xml",
            "application/json, text/html",
            "application/x-www-form-urlencoded",
            "application/jsonx",
        ] {
            assert_eq!(
                check(&typed(content_type)),
                Err(Unsupported::Type),
                "{content_type:?}"
            );
        }
        let utf_16 = typed("application/json; charset=utf-16");
        assert_eq!(check(&utf_16), Err(Unsupported::Charset));
    }

    #[test]
    fn a_compressed_body_is_refused() {
        let mut headers = typed("application/json");
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static("identity"));
        assert_eq!(check(&headers), Ok(()));
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        assert_eq!(check(&headers), Err(Unsupported::Coding));
    }

    #[test]
    fn two_types_are_none() {
        let mut headers = typed("application/json");
        headers.append(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        assert_eq!(check(&headers), Err(Unsupported::Type));
    }
}
