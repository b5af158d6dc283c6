//! Authentication codes: HMAC-SHA-256, cut to its first half as RFC 2104 allows. A code must say
//! nothing of its key, and its check must take equally long wherever two codes differ.

use crate::{Error, KEY_BYTES, PurposeKeys};
use ring::hmac;
use std::collections::BTreeMap;
use std::fmt;

/// The length of a code in bytes.
pub const TAG_BYTES: usize = 16;

/// What a key makes of a text.
pub type Tag = [u8; TAG_BYTES];

/// The keys of one purpose that authenticate, by generation.
#[derive(Clone)]
pub struct AuthenticationKeys {
    newest: u32,
    keys: BTreeMap<u32, hmac::Key>,
}

impl fmt::Debug for AuthenticationKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AuthenticationKeys")
            .field("newest", &self.newest)
            .finish_non_exhaustive()
    }
}

impl From<&PurposeKeys> for AuthenticationKeys {
    fn from(keys: &PurposeKeys) -> Self {
        let secrets = keys.derived().into_iter();
        let of = |(number, secret): (u32, [u8; KEY_BYTES])| {
            (number, hmac::Key::new(hmac::HMAC_SHA256, &secret))
        };
        Self {
            newest: keys.newest(),
            keys: secrets.map(of).collect(),
        }
    }
}

impl AuthenticationKeys {
    /// The number of the newest generation.
    pub fn newest(&self) -> u32 {
        self.newest
    }

    /// The code of a text under a generation.
    ///
    /// # Errors
    /// When the generation is not in the ring.
    pub fn tag(&self, generation: u32, text: &[u8]) -> Result<Tag, Error> {
        let key = self.keys.get(&generation);
        let made = hmac::sign(key.ok_or(Error::Missing(generation))?, text);
        let mut tag = [0; TAG_BYTES];
        for (byte, made) in tag.iter_mut().zip(made.as_ref()) {
            *byte = *made;
        }
        Ok(tag)
    }

    /// Checks the code of a text.
    ///
    /// # Errors
    /// When the generation is not in the ring, or the code is that of another text or key.
    pub fn check(&self, generation: u32, text: &[u8], tag: &Tag) -> Result<(), Error> {
        let expected = self.tag(generation, text)?;
        let pairs = expected.iter().zip(tag);
        if pairs.fold(0, |differs, (ours, theirs)| differs | (ours ^ theirs)) == 0 {
            Ok(())
        } else {
            Err(Error::Mismatch(generation))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{KeyRing, Purpose};
    use proptest::prelude::*;

    fn keys(ring: &KeyRing) -> AuthenticationKeys {
        AuthenticationKeys::from(&ring.key(Purpose::Rows))
    }

    fn ring() -> KeyRing {
        KeyRing::generate([0xc0; KEY_BYTES], "")
    }

    proptest! {
        #[test]
        fn a_code_is_of_one_text_and_of_no_other(
            text in proptest::collection::vec(any::<u8>(), 1..200),
            flipped in any::<proptest::sample::Index>(),
            bit in 0..8_u32,
        ) {
            let keys = keys(&ring());
            let tag = keys.tag(1, &text).unwrap();
            prop_assert_eq!(keys.check(1, &text, &tag), Ok(()));
            let mut other = text.clone();
            let index = flipped.index(other.len());
            other[index] ^= 1 << bit;
            prop_assert_eq!(keys.check(1, &other, &tag), Err(Error::Mismatch(1)));
            let mut forged = tag;
            forged[flipped.index(TAG_BYTES)] ^= 1 << bit;
            prop_assert_eq!(keys.check(1, &text, &forged), Err(Error::Mismatch(1)));
        }
    }

    #[test]
    fn every_generation_has_codes_of_its_own() {
        let old = ring();
        let made = keys(&old).tag(1, b"row").unwrap();
        let keys = keys(&old.rotated([7; KEY_BYTES], "").unwrap());
        assert_eq!(keys.newest(), 2);
        assert_eq!(keys.check(1, b"row", &made), Ok(()));
        let newer = keys.tag(2, b"row").unwrap();
        assert_ne!(newer, made);
        assert_eq!(keys.check(2, b"row", &newer), Ok(()));
        assert_eq!(keys.check(2, b"row", &made), Err(Error::Mismatch(2)));
        assert_eq!(keys.check(3, b"row", &made), Err(Error::Missing(3)));
    }

    #[test]
    fn a_code_is_the_same_for_ever() {
        let made = keys(&ring()).tag(1, b"row").unwrap();
        // Computed with Python's hashlib and hmac, apart from this code.
        assert_eq!(
            made,
            0x378b_ce2d_c6a7_6fe4_7696_2531_db13_f034_u128.to_be_bytes()
        );
    }

    #[test]
    fn keys_print_nothing_of_themselves() {
        assert_eq!(
            format!("{:?}", keys(&ring())),
            "AuthenticationKeys { newest: 1, .. }"
        );
    }
}
