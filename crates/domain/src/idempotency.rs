//! What makes a retry recognisable. The meaning of a request must be hashed from parsed values,
//! never from its bytes, so that two spellings of one order are one order.

use std::fmt;

/// The `Idempotency-Key` a client may send: 1–255 printable ASCII characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IdempotencyKey(String);

/// The text is not an idempotency key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Idempotency-Key must be 1 to 255 printable ASCII characters")]
pub struct InvalidKey;

impl IdempotencyKey {
    /// Longest key in characters.
    pub const LENGTH_MAX: usize = 255;

    /// Reads a key.
    ///
    /// # Errors
    /// Refuses an empty text, one over [`Self::LENGTH_MAX`], and what is not printable ASCII.
    pub fn parse(text: &str) -> Result<Self, InvalidKey> {
        let fits = (1..=Self::LENGTH_MAX).contains(&text.len())
            && text.bytes().all(|b| (b' '..=b'~').contains(&b));
        fits.then(|| Self(text.to_owned())).ok_or(InvalidKey)
    }

    /// The key as sent.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A keyed hash over the parsed values of a request.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct RequestFingerprint(pub [u8; 32]);

impl fmt::Debug for RequestFingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RequestFingerprint(…)")
    }
}

/// A key together with what the request under it meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Idempotency {
    /// The client's key, unique per account.
    pub key: IdempotencyKey,
    /// What the first request under it meant.
    pub fingerprint: RequestFingerprint,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_printable_ascii_makes_a_key() {
        for text in ["", "é", "a\tb", "a\u{7f}", &"k".repeat(256)] {
            assert_eq!(IdempotencyKey::parse(text), Err(InvalidKey), "{text:?}");
        }
        assert!(IdempotencyKey::parse("order 1 / try ~2").is_ok());
    }
}
