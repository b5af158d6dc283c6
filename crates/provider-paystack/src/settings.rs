//! What an account at Paystack needs. The key must never be shown.

use crate::banks::PaystackBanks;
use hmac::{Hmac, KeyInit as _, Mac as _};
use http::HeaderValue;
use outbound_http::{OutboundSettings, OutboundTarget};
use sha2::Sha512;
use std::fmt;
use std::time::Duration;

/// How long a question may take: an attempt in doubt is asked about again.
const QUESTION: Duration = Duration::from_secs(15);

/// How long the recipient of a transfer may take. It is made before the permit to send, which ends
/// 5 s after the attempt was recorded.
const RECIPIENT: Duration = Duration::from_secs(3);

/// An account at Paystack.
#[derive(Debug, Clone)]
pub struct PaystackSettings {
    /// The base of the interface, `https://api.paystack.co`.
    pub target: OutboundTarget,
    /// How requests are sent.
    pub outbound: OutboundSettings,
    /// The secret key of the account.
    pub key: PaystackKey,
    /// What banks are called.
    pub banks: PaystackBanks,
    /// How long a query or a lookup may take.
    pub question: Duration,
    /// How long the recipient of a transfer may take to be made.
    pub recipient: Duration,
}

impl PaystackSettings {
    /// An account that pays the banks of the table.
    pub fn new(target: OutboundTarget, key: PaystackKey) -> Self {
        Self {
            target,
            outbound: OutboundSettings::default(),
            key,
            banks: PaystackBanks::embedded(),
            question: QUESTION,
            recipient: RECIPIENT,
        }
    }
}

/// Why a setting cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidPaystackSetting {
    /// The key is not one.
    #[error("must be a secret key as the dashboard shows it, sk_live_… or sk_test_…")]
    Key,
    /// A bank cannot be read.
    #[error("must list banks as OURS=THEIRS, separated by commas, such as NGNIP090110=566")]
    Bank,
    /// A bank is named twice.
    #[error("must not name a bank twice")]
    BankTwice,
}

/// The secret key of an account: requests carry it, and callbacks are signed with it.
#[derive(Clone)]
pub struct PaystackKey {
    pub(crate) authorization: HeaderValue,
    signing: Hmac<Sha512>,
}

impl PaystackKey {
    /// Reads a key.
    pub fn parse(text: &str) -> Result<Self, InvalidPaystackSetting> {
        let wrong = InvalidPaystackSetting::Key;
        let is_secret = text.starts_with("sk_live_") || text.starts_with("sk_test_");
        let is_plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
        if !is_secret || !text.bytes().all(is_plain) {
            return Err(wrong);
        }
        let mut authorization =
            HeaderValue::from_str(&format!("Bearer {text}")).map_err(|_| wrong)?;
        authorization.set_sensitive(true);
        let signing = Hmac::new_from_slice(text.as_bytes()).map_err(|_| wrong)?;
        Ok(Self {
            authorization,
            signing,
        })
    }

    /// Whether a signature in hexadecimal is the key's over these bytes. The comparison takes the
    /// same time wherever they differ.
    pub(crate) fn has_signed(&self, body: &[u8], signature: &[u8]) -> bool {
        let Some(signature) = from_hex(signature) else {
            return false;
        };
        let mut signing = self.signing.clone();
        signing.update(body);
        signing.verify_slice(&signature).is_ok()
    }
}

fn from_hex(text: &[u8]) -> Option<Vec<u8>> {
    let (pairs, rest) = text.as_chunks::<2>();
    let byte = |pair: &[u8; 2]| {
        let digits = std::str::from_utf8(pair).ok()?;
        let is_hex = digits.bytes().all(|b| b.is_ascii_hexdigit());
        is_hex
            .then(|| u8::from_str_radix(digits, 16).ok())
            .flatten()
    };
    let bytes: Option<Vec<u8>> = pairs.iter().map(byte).collect();
    bytes.filter(|_| rest.is_empty())
}

impl fmt::Debug for PaystackKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PaystackKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_a_secret_one_and_is_not_shown() {
        let key = PaystackKey::parse("sk_test_0123abc").unwrap();
        assert_eq!(format!("{key:?}"), "PaystackKey(…)");
        for wrong in ["", "pk_test_0123abc", "sk_test_ 1", "sk_live_é", "0123abc"] {
            let refused = PaystackKey::parse(wrong).unwrap_err();
            assert_eq!(refused, InvalidPaystackSetting::Key, "{wrong:?}");
        }
    }

    /// Made by `printf BODY | openssl dgst -sha512 -hmac KEY`.
    #[test]
    fn a_signature_is_over_the_bytes() {
        const BODY: &[u8] = br#"{"event":"transfer.success","data":{"reference":"r"}}"#;
        const SIGNED: &str = "47aacaf05d872825f95fd99b1fe997a523bd1d6adc1014f9bf16b3dbbcaf5688\
            47ef1f07c1e1cb6959f9eeb207dd4eeee65d0d3b17c4fd2210615994811eb4e5";
        let key = PaystackKey::parse("sk_test_0123abc").unwrap();
        assert!(key.has_signed(BODY, SIGNED.as_bytes()));
        assert!(key.has_signed(BODY, SIGNED.to_uppercase().as_bytes()));
        assert!(!key.has_signed(&BODY[1..], SIGNED.as_bytes()));
        let other = PaystackKey::parse("sk_test_0123abd").unwrap();
        assert!(!other.has_signed(BODY, SIGNED.as_bytes()));
        for wrong in ["", "00", &SIGNED[2..], "+1", "é"] {
            assert!(!key.has_signed(BODY, wrong.as_bytes()), "{wrong}");
        }
    }
}
