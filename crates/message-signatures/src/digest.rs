//! The digest of a body (RFC 9530). Only SHA-256 is accepted.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// The value of `Content-Digest`: `sha-256=:base64:`, also of an empty body.
pub fn content_digest(body: &[u8]) -> String {
    let digest: [u8; 32] = Sha256::digest(body).into();
    format!("sha-256=:{}:", STANDARD.encode(digest))
}
