//! Callbacks: what a provider sends by itself when an attempt moved on, signed as Standard Webhooks
//! has it. A callback must never be more than a hint: the gateway asks what became of the attempt.

use crate::signature::{CLOCK_WINDOW, SignatureKeys};
use serde::{Deserialize, Serialize};

/// The header with the name of a callback. A repeated one has the same.
pub const CALLBACK_ID_HEADER: &str = "webhook-id";

/// The header with the second since 1970 at which it was sent.
pub const CALLBACK_TIMESTAMP_HEADER: &str = "webhook-timestamp";

/// The header with its signatures.
pub const CALLBACK_SIGNATURE_HEADER: &str = "webhook-signature";

/// The one type there is.
pub const ATTEMPT_CHANGED: &str = "attempt.changed";

/// Most signatures that are looked at: each side has two keys.
const SIGNATURES_MAX: usize = 4;

/// What begins a signature by a shared key.
const VERSION: &str = "v1,";

/// The body of a callback. Fields that are not known are skipped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptCallback {
    /// What happened: [`ATTEMPT_CHANGED`]. Others mean nothing to the gateway.
    #[serde(rename = "type")]
    pub kind: String,
    /// The attempt.
    pub data: CallbackAttempt,
}

/// The attempt that a callback is about. More may be there; none of it is used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallbackAttempt {
    /// What it was submitted under.
    pub reference: String,
}

impl AttemptCallback {
    /// That an attempt moved on.
    pub fn changed(reference: &str) -> Self {
        Self {
            kind: ATTEMPT_CHANGED.to_owned(),
            data: CallbackAttempt {
                reference: reference.to_owned(),
            },
        }
    }
}

/// What of a callback is signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallbackParts<'a> {
    /// `webhook-id`.
    pub id: &'a str,
    /// `webhook-timestamp`.
    pub timestamp: &'a str,
    /// The body, byte for byte.
    pub body: &'a [u8],
}

impl CallbackParts<'_> {
    fn base(&self) -> Vec<u8> {
        let mut base = format!("{}.{}.", self.id, self.timestamp).into_bytes();
        base.extend_from_slice(self.body);
        base
    }

    /// Whether the headers have the one form in which no two callbacks are signed alike, and no
    /// callback like a request or an answer: those have quotation marks before any point.
    fn has_form(&self) -> bool {
        let is_name = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
        let is_id = (1..=64).contains(&self.id.len()) && self.id.bytes().all(is_name);
        let is_digit = |b: u8| b.is_ascii_digit();
        is_id && (1..=12).contains(&self.timestamp.len()) && self.timestamp.bytes().all(is_digit)
    }
}

/// The value of `webhook-signature`, by the key that signs.
pub fn sign_callback(keys: &SignatureKeys, parts: CallbackParts<'_>) -> String {
    format!("{VERSION}{}", keys.tag(&parts.base()))
}

/// Whether a callback is by one of the keys, and was sent within the window around a second.
pub fn is_authentic_callback(
    keys: &SignatureKeys,
    parts: CallbackParts<'_>,
    (signature, now): (&str, i64),
) -> bool {
    let Some(sent) = parts.timestamp.parse::<i64>().ok() else {
        return false;
    };
    let is_fresh = sent.abs_diff(now) <= CLOCK_WINDOW.as_secs();
    let base = parts.base();
    let signatures = signature.split(' ').take(SIGNATURES_MAX);
    let mut signatures = signatures.filter_map(|it| it.strip_prefix(VERSION));
    is_fresh && parts.has_form() && signatures.any(|tag| keys.has_tagged(&base, tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "old AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    const NEW: &str = "new HxwdHhsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA=";
    const NOW: i64 = 1_768_467_600;

    const PARTS: CallbackParts<'_> = CallbackParts {
        id: "cb_1",
        timestamp: "1768467600",
        body: br#"{"type":"attempt.changed","data":{"reference":"a.1"}}"#,
    };

    fn keys(lines: &[&str]) -> SignatureKeys {
        SignatureKeys::parse(&lines.join("\n")).unwrap()
    }

    #[test]
    fn a_signature_is_that_of_standard_webhooks() {
        // HMAC-SHA-256 of `cb_1.1768467600.` and the body under the 32 bytes 0 to 31.
        let signed = sign_callback(&keys(&[OLD]), PARTS);
        assert_eq!(signed, "v1,Vd0WIPLUexAk4HoUZ0p2fzC9aDSMOLzYGKTHw7lydmI=");
    }

    #[test]
    fn either_key_verifies_and_a_stranger_s_does_not() {
        let signed = sign_callback(&keys(&[OLD]), PARTS);
        let both = keys(&[NEW, OLD]);
        assert!(is_authentic_callback(&both, PARTS, (&signed, NOW)));
        let several = format!("v1a,xyz v1,AAAA {signed}");
        assert!(is_authentic_callback(&both, PARTS, (&several, NOW)));
        assert!(!is_authentic_callback(&keys(&[NEW]), PARTS, (&signed, NOW)));
        let many = format!("{}{signed}", "v1,AAAA ".repeat(SIGNATURES_MAX));
        assert!(!is_authentic_callback(&both, PARTS, (&many, NOW)));
    }

    #[test]
    fn nothing_that_is_signed_may_change_and_it_may_not_be_old() {
        let keys = keys(&[OLD]);
        let signed = sign_callback(&keys, PARTS);
        let window = i64::try_from(CLOCK_WINDOW.as_secs()).unwrap();
        let is_taken = |parts, now| is_authentic_callback(&keys, parts, (&signed, now));
        for now in [NOW - window, NOW, NOW + window] {
            assert!(is_taken(PARTS, now));
        }
        for now in [NOW - window - 1, NOW + window + 1] {
            assert!(!is_taken(PARTS, now));
        }
        let other = CallbackParts {
            id: "cb_2",
            ..PARTS
        };
        assert!(!is_taken(other, NOW));
        let other = CallbackParts {
            timestamp: "1768467601",
            ..PARTS
        };
        assert!(!is_taken(other, NOW));
        let other = CallbackParts {
            body: b"{}",
            ..PARTS
        };
        assert!(!is_taken(other, NOW));
    }

    #[test]
    fn a_signature_of_something_else_by_the_same_key_is_none_of_a_callback() {
        let keys = keys(&[OLD]);
        for id in ["", "a.b", "\"@method\": POST", "a b"] {
            let parts = CallbackParts { id, ..PARTS };
            let signed = sign_callback(&keys, parts);
            assert!(!is_authentic_callback(&keys, parts, (&signed, NOW)), "{id}");
        }
    }
}
