//! Reading `Signature-Input` and `Signature` (RFC 9421 §4). Anything but the canonical form of the
//! profile is refused: two readers must never see two meanings.

use super::keys::is_token;
use super::{ALGORITHM, LABEL, SignatureError};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Longest value that is looked at: the profile needs less than half.
const INPUT_BYTES_MAX: usize = 512;

/// What a signature says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SignatureInput<'a> {
    /// Components and parameters as they were signed.
    pub(super) parameters: &'a str,
    /// When it was signed, in seconds since the Unix epoch.
    pub(super) created: i64,
    pub(super) key_id: &'a str,
    /// Only requests have one.
    pub(super) nonce: Option<&'a str>,
}

/// Reads the value of `Signature-Input` that covers exactly these components.
pub(super) fn read_input<'a>(
    value: &'a str,
    components: &str,
) -> Result<SignatureInput<'a>, SignatureError> {
    let read = || {
        let short = Some(value).filter(|value| value.len() <= INPUT_BYTES_MAX)?;
        let parameters = short.strip_prefix(LABEL)?.strip_prefix('=')?;
        let mut rest = parameters.strip_prefix(components)?;
        let (mut created, mut key_id, mut nonce, mut algorithm) = (None, None, None, None);
        while let Some(parameter) = rest.strip_prefix(';') {
            let (name, value) = parameter.split_once('=')?;
            let end = value.find(';').unwrap_or(value.len());
            let (value, after) = value.split_at(end);
            let previous = match name {
                "created" => created.replace(value),
                "keyid" => key_id.replace(value),
                "nonce" => nonce.replace(value),
                "alg" => algorithm.replace(value),
                _ => return None,
            };
            if previous.is_some() {
                return None;
            }
            rest = after;
        }
        let algorithm = algorithm.and_then(text)?;
        (rest.is_empty() && algorithm == ALGORITHM).then_some(())?;
        Some(SignatureInput {
            parameters,
            created: created.and_then(seconds)?,
            key_id: key_id.and_then(text)?,
            nonce: match nonce {
                Some(nonce) => Some(text(nonce)?),
                None => None,
            },
        })
    };
    read().ok_or(SignatureError::Input)
}

/// Reads the value of `Signature`.
pub(super) fn read_tag(value: &str) -> Result<Vec<u8>, SignatureError> {
    let read = || {
        let short = Some(value).filter(|value| value.len() <= INPUT_BYTES_MAX)?;
        let encoded = short
            .strip_prefix(LABEL)?
            .strip_prefix("=:")?
            .strip_suffix(':')?;
        STANDARD.decode(encoded).ok()
    };
    read().ok_or(SignatureError::Form)
}

/// A quoted text without anything to escape.
fn text(value: &str) -> Option<&str> {
    let text = value.strip_prefix('"')?.strip_suffix('"')?;
    is_token(text).then_some(text)
}

/// A positive number without sign or leading zero.
fn seconds(value: &str) -> Option<i64> {
    let plain = value.bytes().all(|b| b.is_ascii_digit()) && !value.starts_with('0');
    plain.then(|| value.parse().ok()).flatten()
}
