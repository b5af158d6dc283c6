//! The idempotency key of a request: what it names, or the nonce that it is signed with. It must be
//! read on requests that create something, and never be drawn.

use super::signature::SIGNATURE_INPUT;
use domain::idempotency::IdempotencyKey;
use http::header::{HeaderMap, HeaderName};
use sha2::{Digest as _, Sha256};

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

/// The key that follows from the nonce of a signed request that has no other: sent once more, to
/// any instance, it is answered as a retry, without secrets. Its signature was verified by now, so
/// each parameter is there once. It is made of letters: no part of a key may be taken for a card
/// number.
pub(crate) fn of_signed(headers: &HeaderMap) -> Option<IdempotencyKey> {
    let input = headers.get(SIGNATURE_INPUT)?.to_str().ok()?;
    let parameter = |name: &str| {
        let (_, rest) = input.split_once(&format!(";{name}=\""))?;
        rest.split_once('"').map(|(value, _)| value)
    };
    let (key, nonce) = (parameter("keyid")?, parameter("nonce")?);
    let digest = Sha256::digest(format!("{key} {nonce}"));
    let halves = digest.iter().flat_map(|byte| [byte >> 4, byte & 0xf]);
    let letters: String = halves
        .map(|half| char::from(b'a'.saturating_add(half)))
        .collect();
    IdempotencyKey::parse(&format!("signed {letters}")).ok()
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
    fn the_key_of_a_signed_request_is_of_its_nonce_and_signer_in_letters() {
        let of = |key: &str, nonce: &str| {
            let input =
                format!("manilla=(\"@method\");created=1;keyid=\"{key}\";nonce=\"{nonce}\"");
            let input = HeaderValue::from_str(&input).unwrap();
            of_signed(&HeaderMap::from_iter([(SIGNATURE_INPUT, input)])).unwrap()
        };
        let one = of("a1", "n-1");
        assert_eq!(one, of("a1", "n-1"));
        assert_ne!(one, of("a2", "n-1"));
        assert_ne!(one, of("a1", "n-2"));
        let letters = one.as_str().chars().filter(char::is_ascii_alphabetic);
        assert_eq!(letters.count(), 6 + 64);
        assert!(!one.as_str().contains(|it: char| it.is_ascii_digit()));
        assert_eq!(of_signed(&HeaderMap::new()), None);
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
