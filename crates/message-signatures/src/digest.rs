//! The digest of a body (RFC 9530). Only SHA-256 is accepted.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// What comes before and after the base 64 of a digest, and the length of that: 32 bytes.
const PREFIX: &str = "sha-256=:";
const SUFFIX: &str = ":";
const LENGTH: usize = 44;

/// The value of `Content-Digest`: `sha-256=:base64:`, also of an empty body.
pub fn content_digest(body: &[u8]) -> String {
    let digest: [u8; 32] = Sha256::digest(body).into();
    format!("{PREFIX}{}{SUFFIX}", STANDARD.encode(digest))
}

/// Whether a value of `Content-Digest` is one SHA-256.
pub(crate) fn is_content_digest(value: &str) -> bool {
    let inner = value.strip_prefix(PREFIX);
    let inner = inner.and_then(|it| it.strip_suffix(SUFFIX));
    inner.is_some_and(|it| it.len() == LENGTH && !it.contains([':', ',']))
}
