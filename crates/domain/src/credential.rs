//! API keys by shape: prefix, body, checksum. It must never store or print a whole key except to
//! the one who just created it; stores keep a keyed hash ([`KeyHash`]).

use crate::time::Timestamp;
use std::fmt;

/// The number of a key within its account, drawn at random with the key. It is part of what is
/// hashed, so that a stored hash is of no use in another row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyId(pub i64);

/// Why a text is not the number of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 16 digits out of 0-9 a-f, such as 00000000000000a1")]
pub struct InvalidKeyId;

impl KeyId {
    /// How many digits it is written with.
    pub const DIGITS: usize = 16;

    /// Reads the number as it is written: sixteen hexadecimal digits, in whatever case.
    ///
    /// # Errors
    /// Refuses any other length and character.
    pub fn parse(text: &str) -> Result<Self, InvalidKeyId> {
        let fits = text.len() == Self::DIGITS && text.bytes().all(|b| b.is_ascii_hexdigit());
        let number = u64::from_str_radix(text, 16).map_err(|_| InvalidKeyId);
        let number = number.map(|number| Self(number.cast_signed()));
        number.and_then(|id| fits.then_some(id).ok_or(InvalidKeyId))
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_number_of_a_key_has_one_length() {
        assert_eq!(KeyId(161).to_string(), "00000000000000a1");
        assert_eq!(KeyId(-1).to_string(), "ffffffffffffffff");
        assert_eq!(KeyId::parse("00000000000000A1"), Ok(KeyId(161)));
        for text in [
            "",
            "a1",
            "+0000000000000a1",
            "00000000000000a1 ",
            "g0000000000000a1",
        ] {
            assert_eq!(KeyId::parse(text), Err(InvalidKeyId), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn every_number_of_a_key_reads_back(number in any::<i64>()) {
            let id = KeyId(number);
            prop_assert_eq!(KeyId::parse(&id.to_string()), Ok(id));
        }
    }
}
