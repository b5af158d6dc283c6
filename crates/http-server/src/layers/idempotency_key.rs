//! The idempotency key of a request. It must be read on requests that create something and never be
//! generated.

use domain::idempotency::IdempotencyKey;
use http::header::{HeaderMap, HeaderName};

/// The request's header.
pub(crate) const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// On answers that repeat the answer to an earlier request.
pub(crate) const IDEMPOTENCY_REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// The header does not hold one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Idempotency-Key must be given once and be 1 to 255 printable ASCII characters")]
pub(crate) struct InvalidIdempotencyHeader;

/// Reads the key of a request; `None` where it has none.
pub(crate) fn read(
    headers: &HeaderMap,
) -> Result<Option<IdempotencyKey>, InvalidIdempotencyHeader> {
    let mut values = headers.get_all(IDEMPOTENCY_KEY).iter();
    let Some(value) = values.next() else {
        return Ok(None);
    };
    if values.next().is_some() {
        return Err(InvalidIdempotencyHeader);
    }
    let text = value.to_str().map_err(|_| InvalidIdempotencyHeader)?;
    IdempotencyKey::parse(text)
        .map(Some)
        .map_err(|_| InvalidIdempotencyHeader)
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    fn keyed(keys: &[&[u8]]) -> HeaderMap {
        keys.iter()
            .map(|key| (IDEMPOTENCY_KEY, HeaderValue::from_bytes(key).unwrap()))
            .collect()
    }

    #[test]
    fn one_printable_key_is_read_as_it_is() {
        assert_eq!(read(&HeaderMap::new()), Ok(None));
        let key = read(&keyed(&[b"order 1/try 2"])).unwrap().unwrap();
        assert_eq!(key.as_str(), "order 1/try 2");
    }

    #[test]
    fn no_key_two_keys_and_foreign_characters_are_refused() {
        let long = [b'k'; 256];
        for keys in [
            &[&b""[..]][..],
            &[b"a", b"b"],
            &[b"\xc3\xa9"],
            &[b"a\tb"],
            &[&long],
        ] {
            assert_eq!(
                read(&keyed(keys)),
                Err(InvalidIdempotencyHeader),
                "{keys:?}"
            );
        }
    }
}
