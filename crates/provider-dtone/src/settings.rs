//! What an account at DT One needs. Keys must never be shown.

use crate::products::DtoneProducts;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use http::HeaderValue;
use outbound_http::{OutboundSettings, OutboundTarget};
use std::fmt;
use std::time::Duration;

/// How long a question may take: an attempt in doubt is asked about again.
const QUESTION: Duration = Duration::from_secs(15);

/// An account at DT One.
#[derive(Debug, Clone)]
pub struct DtoneSettings {
    /// The base of the interface, such as `https://dvs-api.dtone.com/v1`.
    pub target: OutboundTarget,
    /// How requests are sent.
    pub outbound: OutboundSettings,
    /// The keys of the account.
    pub keys: DtoneKeys,
    /// What products are called.
    pub products: DtoneProducts,
    /// Where callbacks are sent; `None` where none are wanted.
    pub callback_url: Option<String>,
    /// How long a query may take.
    pub question: Duration,
}

impl DtoneSettings {
    /// An account that serves nothing yet.
    pub fn new(target: OutboundTarget, keys: DtoneKeys) -> Self {
        Self {
            target,
            outbound: OutboundSettings::default(),
            keys,
            products: DtoneProducts::default(),
            callback_url: None,
            question: QUESTION,
        }
    }
}

/// Why a setting cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidDtoneSetting {
    /// A key is not one.
    #[error("must be a key as the provider shows it, in one line of visible characters")]
    Key,
}

/// The keys of an account, as every request carries them.
#[derive(Clone)]
pub struct DtoneKeys(pub(crate) HeaderValue);

impl DtoneKeys {
    /// Reads the key and the secret.
    pub fn parse(key: &str, secret: &str) -> Result<Self, InvalidDtoneSetting> {
        let is_plain = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_graphic());
        // The first colon ends the key (RFC 7617, section 2).
        if !is_plain(key) || key.contains(':') || !is_plain(secret) {
            return Err(InvalidDtoneSetting::Key);
        }
        let pair = BASE64_STANDARD.encode(format!("{key}:{secret}"));
        let header = HeaderValue::from_str(&format!("Basic {pair}"));
        let mut header = header.map_err(|_| InvalidDtoneSetting::Key)?;
        header.set_sensitive(true);
        Ok(Self(header))
    }
}

impl fmt::Debug for DtoneKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DtoneKeys(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_basic_credentials_and_are_not_shown() {
        let keys = DtoneKeys::parse("key", "secret").unwrap();
        assert_eq!(keys.0, "Basic a2V5OnNlY3JldA==");
        assert_eq!(format!("{keys:?} {:?}", keys.0), "DtoneKeys(…) Sensitive");
        for (key, secret) in [("", "s"), ("k", ""), ("k:k", "s"), ("k", "a b"), ("é", "s")] {
            let refused = DtoneKeys::parse(key, secret).unwrap_err();
            assert_eq!(refused, InvalidDtoneSetting::Key, "{key} {secret}");
        }
    }
}
