//! The keys both sides share. Two are valid at a time, so that one can replace the other without a
//! gap; no key may ever be shown.

use super::LABEL;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::fmt;

/// Shortest secret in bytes: that of the hash (RFC 2104 §3).
const SECRET_BYTES_MIN: usize = 32;

/// Longest secret in bytes: the block of the hash; a longer one is hashed first and gains nothing.
const SECRET_BYTES_MAX: usize = 64;

/// Longest identifier of a key.
const ID_LENGTH_MAX: usize = 64;

/// One key.
#[derive(Clone)]
struct Key {
    id: String,
    secret: Vec<u8>,
}

/// The keys of one signer: what is signed is signed with the first, and either verifies.
#[derive(Clone)]
pub struct SignatureKeys {
    current: Key,
    other: Option<Key>,
}

/// The keys cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidKeys {
    /// No key, or more than two.
    #[error("must hold one or two keys, each on a line: its identifier, a space and its secret")]
    Count,
    /// A line that is no key.
    #[error(
        "line {0} must be an identifier of 1 to {ID_LENGTH_MAX} characters out of \
         A-Z a-z 0-9 . _ -, a space, and {SECRET_BYTES_MIN} to {SECRET_BYTES_MAX} bytes in base \
         64;          `openssl rand -base64 32` makes such a secret"
    )]
    Line(usize),
    /// Two keys of one identifier.
    #[error("both keys have the same identifier; give the new one another")]
    SameId,
}

/// Secrets are shown by nothing.
impl fmt::Debug for SignatureKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignatureKeys")
            .field("current", &self.current.id)
            .field("other", &self.other.as_ref().map(|key| &key.id))
            .finish_non_exhaustive()
    }
}

impl SignatureKeys {
    /// Reads a file of keys: one or two lines `identifier secret`, the one to sign with first.
    /// Empty lines and lines that begin with `#` are skipped.
    ///
    /// # Errors
    /// When there is none or a third, or a line is no key.
    pub fn parse(text: &str) -> Result<Self, InvalidKeys> {
        let lines = text.lines().enumerate();
        let lines = lines.map(|(index, line)| (index.saturating_add(1), line.trim()));
        let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let keys = lines.map(|(number, line)| Key::parse(line).ok_or(InvalidKeys::Line(number)));
        let keys: Vec<Key> = keys.collect::<Result<_, _>>()?;
        let mut keys = keys.into_iter();
        let (Some(current), other, None) = (keys.next(), keys.next(), keys.next()) else {
            return Err(InvalidKeys::Count);
        };
        if other.as_ref().is_some_and(|other| other.id == current.id) {
            return Err(InvalidKeys::SameId);
        }
        Ok(Self { current, other })
    }

    /// One key of an identifier that needs no quoting, for signing and verifying.
    pub fn single(id: impl Into<String>, secret: [u8; 32]) -> Self {
        Self {
            current: Key {
                id: id.into(),
                secret: secret.to_vec(),
            },
            other: None,
        }
    }

    /// The identifier of the key that signs.
    pub(super) fn current_id(&self) -> &str {
        &self.current.id
    }

    /// The value of `Signature` over a base, by the key that signs.
    pub(super) fn sign(&self, base: &str) -> String {
        let tag = self
            .current
            .mac(base)
            .map(|mac| mac.finalize().into_bytes());
        let tag = tag.map(|tag| STANDARD.encode(tag)).unwrap_or_default();
        format!("{LABEL}=:{tag}:")
    }

    /// The tag of the key that signs over some bytes, in base 64.
    pub fn tag(&self, bytes: &[u8]) -> String {
        let mac = self.current.mac_of(bytes);
        let tag = mac.map(|mac| STANDARD.encode(mac.finalize().into_bytes()));
        tag.unwrap_or_default()
    }

    /// Whether a tag in base 64 over some bytes is by either key.
    pub fn has_tagged(&self, bytes: &[u8], tag: &str) -> bool {
        let Ok(tag) = STANDARD.decode(tag) else {
            return false;
        };
        let mut keys = std::iter::once(&self.current).chain(&self.other);
        // In constant time for each key.
        keys.any(|key| {
            key.mac_of(bytes)
                .is_some_and(|mac| mac.verify_slice(&tag).is_ok())
        })
    }

    /// Whether a tag over a base is by the key of this identifier; `None` where there is none.
    pub(super) fn verify(&self, id: &str, base: &str, tag: &[u8]) -> Option<bool> {
        let mut keys = std::iter::once(&self.current).chain(&self.other);
        let key = keys.find(|key| key.id == id)?;
        // In constant time.
        Some(key.mac(base)?.verify_slice(tag).is_ok())
    }
}

impl Key {
    fn parse(line: &str) -> Option<Self> {
        let (id, secret) = line.split_once(char::is_whitespace)?;
        let secret = STANDARD.decode(secret.trim()).ok()?;
        let long = (SECRET_BYTES_MIN..=SECRET_BYTES_MAX).contains(&secret.len());
        (long && is_token(id)).then(|| Self {
            id: id.to_owned(),
            secret,
        })
    }

    fn mac(&self, base: &str) -> Option<Hmac<Sha256>> {
        self.mac_of(base.as_bytes())
    }

    fn mac_of(&self, bytes: &[u8]) -> Option<Hmac<Sha256>> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.secret).ok()?;
        mac.update(bytes);
        Some(mac)
    }
}

/// Whether a text can be a key's identifier or a nonce: it needs no escapes anywhere.
pub(super) fn is_token(text: &str) -> bool {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-');
    (1..=ID_LENGTH_MAX).contains(&text.len()) && text.bytes().all(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

    #[test]
    fn one_or_two_keys_are_read_and_never_shown() {
        let two = format!("# keys of the provider\nnew {SECRET}\n\nold {SECRET}\n");
        let keys = SignatureKeys::parse(&two).unwrap();
        assert_eq!(keys.current_id(), "new");
        assert_eq!(
            format!("{keys:?}"),
            "SignatureKeys { current: \"new\", other: Some(\"old\"), .. }"
        );
    }

    #[test]
    fn what_is_no_key_is_refused_with_its_line() {
        let refused = |text: &str| SignatureKeys::parse(text).unwrap_err();
        assert_eq!(refused("# none\n"), InvalidKeys::Count);
        let three = format!("a {SECRET}\nb {SECRET}\nc {SECRET}");
        assert_eq!(refused(&three), InvalidKeys::Count);
        assert_eq!(
            refused(&format!("a {SECRET}\na {SECRET}")),
            InvalidKeys::SameId
        );
        assert_eq!(refused(SECRET), InvalidKeys::Line(1));
        assert_eq!(
            refused(&format!("# one\na {SECRET}\nb c2hvcnQ=")),
            InvalidKeys::Line(3)
        );
        assert_eq!(
            refused(&format!("sch\u{fc}ssel {SECRET}")),
            InvalidKeys::Line(1)
        );
    }
}
