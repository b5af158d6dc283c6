//! API keys by shape: prefix, body, checksum. It must never store or print a whole key except to
//! the one who just created it; stores keep a keyed hash ([`KeyHash`]).

use crate::time::Timestamp;
use std::fmt;

/// The number of a key within its account, drawn at random with the key. It is part of what is
/// hashed, so that a stored hash is of no use in another row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyId(pub i64);

/// HMAC-SHA-256 of a key with its account and its number, under the installation's pepper: the only
/// form that is ever stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyHash(pub [u8; 32]);

impl fmt::Debug for KeyHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyHash(…)")
    }
}

/// A stored key of an account: what is needed to recognise, show and revoke it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRecord {
    /// Its number within the account.
    pub id: KeyId,
    /// The first characters of the key, shown in lists: `mk_test_Ab3d`.
    pub hint: String,
    /// The keyed hash.
    pub hash: KeyHash,
    /// When it was made.
    pub created_at: Timestamp,
}

/// How many keys of an account work at a time: the current one and, during rotation, the last.
pub const LIVE_KEYS_MAX: usize = 2;

/// How many random base62 characters a key body has: 30 × log2(62) ≈ 178 bits.
pub const KEY_BODY_LENGTH: usize = 30;
