//! What an account at Reloadly needs. Secrets must never be shown.

use crate::operators::ReloadlyOperators;
use hmac::{Hmac, KeyInit as _, Mac as _};
use outbound_http::{OutboundSettings, OutboundTarget};
use ports::adapter::AccountSecret;
use sha2::Sha256;
use std::fmt;
use std::time::Duration;

/// How long a question may take: an attempt in doubt is asked about again.
const QUESTION: Duration = Duration::from_secs(15);

/// How long a token may take. It is fetched before the permit to send, which ends 5 s after the
/// attempt was recorded.
const TOKEN: Duration = Duration::from_secs(3);

/// An account at Reloadly.
#[derive(Debug, Clone)]
pub struct ReloadlySettings {
    /// The base of the interface, `https://topups.reloadly.com`.
    pub target: OutboundTarget,
    /// Where tokens are given out, `https://auth.reloadly.com`.
    pub auth: OutboundTarget,
    /// What the token is for: the published address of the interface.
    pub audience: String,
    /// How requests are sent.
    pub outbound: OutboundSettings,
    /// Who we are.
    pub credentials: ReloadlyCredentials,
    /// What networks are called.
    pub operators: ReloadlyOperators,
    /// How long a query may take.
    pub question: Duration,
    /// How long a token may take.
    pub token: Duration,
}

impl ReloadlySettings {
    /// An account that serves nothing yet.
    pub fn new(
        (target, auth): (OutboundTarget, OutboundTarget),
        audience: &str,
        credentials: ReloadlyCredentials,
    ) -> Self {
        Self {
            target,
            auth,
            audience: audience.to_owned(),
            outbound: OutboundSettings::default(),
            credentials,
            operators: ReloadlyOperators::default(),
            question: QUESTION,
            token: TOKEN,
        }
    }
}

/// Why a setting cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidReloadlySetting {
    /// A secret is not one.
    #[error("must be as the provider shows it, in one line of visible characters")]
    Secret,
}

/// Who we are, and what callbacks are signed with.
#[derive(Debug, Clone)]
pub struct ReloadlyCredentials {
    pub(crate) id: AccountSecret,
    pub(crate) secret: AccountSecret,
    pub(crate) webhook: Option<WebhookKey>,
}

impl ReloadlyCredentials {
    /// Reads the identity and the secret of the client and, where callbacks are taken, the secret
    /// of those.
    pub fn parse(
        (id, secret): (&str, &str),
        webhook: Option<&str>,
    ) -> Result<Self, InvalidReloadlySetting> {
        let visible = |text: &str| {
            let fits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_graphic());
            fits.then(|| text.to_owned())
                .ok_or(InvalidReloadlySetting::Secret)
        };
        let webhook = webhook.map(visible).transpose()?;
        let webhook = webhook.and_then(|text| Hmac::new_from_slice(text.as_bytes()).ok());
        Ok(Self {
            id: AccountSecret::new(visible(id)?),
            secret: AccountSecret::new(visible(secret)?),
            webhook: webhook.map(WebhookKey),
        })
    }
}

/// What callbacks are signed with.
#[derive(Clone)]
pub(crate) struct WebhookKey(Hmac<Sha256>);

impl WebhookKey {
    /// Whether a signature in hexadecimal is the key's over a body and a time. The comparison takes
    /// the same time wherever they differ.
    pub(crate) fn has_signed(&self, (body, time): (&[u8], &[u8]), signature: &[u8]) -> bool {
        let Some(signature) = from_hex(signature) else {
            return false;
        };
        let mut signing = self.0.clone();
        signing.update(body);
        signing.update(b":");
        signing.update(time);
        signing.verify_slice(&signature).is_ok()
    }
}

impl fmt::Debug for WebhookKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WebhookKey(…)")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_not_shown() {
        let parse = ReloadlyCredentials::parse;
        let credentials = parse(("client-1", "secret-1"), Some("hook-1")).unwrap();
        let shown = format!("{credentials:?}");
        assert!(!shown.contains("-1"), "{shown}");
        for wrong in [("", "s"), ("c", ""), ("c", "a b"), ("é", "s")] {
            assert!(parse(wrong, None).is_err(), "{wrong:?}");
        }
        assert!(parse(("c", "s"), Some("")).is_err());
    }

    /// Made by `printf BODY:TIME | openssl dgst -sha256 -hmac KEY`.
    #[test]
    fn a_signature_is_over_the_bytes_and_the_time() {
        const BODY: &[u8] = br#"{"type":"airtime_transaction.status"}"#;
        const SIGNED: &str = "4aac8415d1f730b1ed434b1698480282e235db026cc5e55f35e210c16012d20c";
        let credentials = ReloadlyCredentials::parse(("c", "s"), Some("hook-1")).unwrap();
        let key = credentials.webhook.unwrap();
        let signed = |body, time: &str, signature: &str| {
            key.has_signed((body, time.as_bytes()), signature.as_bytes())
        };
        assert!(signed(BODY, "1768467600", SIGNED));
        assert!(!signed(BODY, "1768467601", SIGNED));
        assert!(!signed(&BODY[1..], "1768467600", SIGNED));
        for wrong in ["", "00", &SIGNED[2..]] {
            assert!(!signed(BODY, "1768467600", wrong), "{wrong}");
        }
    }
}
