//! Signatures of HTTP messages (RFC 9421): HMAC-SHA-256 over a fixed list of components, in one
//! profile for what gateways and providers say to each other and one for requests of merchants. A
//! value that is not exactly of its profile must be refused.

mod answer;
mod digest;
mod input;
mod keys;
mod merchant;
mod nonces;
mod request;

pub use answer::{AnswerBinding, AnswerParts, sign_answer, verify_answer};
pub use digest::content_digest;
pub use keys::{InvalidKeys, SignatureKeys};
pub use merchant::{
    MerchantRequest, MerchantSignature, MerchantSignatureError, sign_merchant_request,
    verify_merchant_request,
};
pub use nonces::{NonceMemory, NonceRefused};
pub use request::{RequestParts, VerifiedRequest, sign_request, verify_request};

use std::time::Duration;

/// The label of the one signature a message has.
pub const LABEL: &str = "manilla";

/// The algorithm (RFC 9421 §3.3.3).
pub const ALGORITHM: &str = "hmac-sha256";

/// How far apart the clocks of both sides may be, the time on the way included.
pub const CLOCK_WINDOW: Duration = Duration::from_mins(5);

/// The header fields that a signature adds to a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignatureFields {
    /// `Content-Digest` (RFC 9530).
    pub content_digest: String,
    /// `Signature-Input`.
    pub signature_input: String,
    /// `Signature`.
    pub signature: String,
}

/// The header fields of a message as they arrived, each of which must be there once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReceivedFields<'a> {
    /// `Content-Digest`.
    pub content_digest: &'a str,
    /// `Signature-Input`.
    pub signature_input: &'a str,
    /// `Signature`.
    pub signature: &'a str,
}

/// Why a message is not accepted as authentic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum SignatureError {
    /// `Signature-Input` is not exactly of the profile.
    #[error("`Signature-Input` must be of the profile: the listed components and parameters")]
    Input,
    /// `Signature` has not the form `manilla=:base64:`.
    #[error("`Signature` must have the form {LABEL}=:base64:")]
    Form,
    /// The key is none of those that are valid.
    #[error("the `keyid` is not known; both sides must have the same keys")]
    Key,
    /// Signed too long ago, or in the future.
    #[error("`created` is more than {} s away; set the clock", CLOCK_WINDOW.as_secs())]
    Clock,
    /// The digest is not the body's.
    #[error("`Content-Digest` is not the SHA-256 of the body")]
    Digest,
    /// The signature is not of these components.
    #[error("the signature does not fit the message and the key")]
    Mismatch,
}

/// Lines of the signature base (RFC 9421 §2.5) in the order of the profile.
fn base(lines: &[(&str, &str)], parameters: &str) -> String {
    let mut base = String::new();
    for (component, value) in lines {
        base.push_str(component);
        base.push_str(": ");
        base.push_str(value);
        base.push('\n');
    }
    base.push_str("\"@signature-params\": ");
    base.push_str(parameters);
    base
}

/// The list of covered components as `Signature-Input` writes it.
fn covered(lines: &[(&str, &str)]) -> String {
    let components: Vec<_> = lines.iter().map(|(component, _)| *component).collect();
    format!("({})", components.join(" "))
}

/// Signs these lines: what `Signature-Input` and `Signature` hold. An answer has no nonce.
fn sign(
    keys: &SignatureKeys,
    lines: &[(&str, &str)],
    (created, nonce): (i64, Option<&str>),
) -> (String, String) {
    let nonce = nonce.map_or_else(String::new, |nonce| format!(";nonce=\"{nonce}\""));
    let parameters = format!(
        "{};created={created};keyid=\"{}\"{nonce};alg=\"{ALGORITHM}\"",
        covered(lines),
        keys.current_id(),
    );
    let signature = keys.sign(&base(lines, &parameters));
    (format!("{LABEL}={parameters}"), signature)
}

/// Whether a moment of signing is within the window; both in seconds since the Unix epoch.
fn is_in_window(created: i64, now: i64) -> bool {
    created.abs_diff(now) <= CLOCK_WINDOW.as_secs()
}
