//! Keys derived for one purpose, and sealing with them. A key must never seal twice under one
//! counter: a caller gives each key a context that no other use has.

use crate::{Error, KEY_BYTES, Purpose};
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};
use ring::hkdf::{HKDF_SHA256, Prk, Salt};
use ring::hmac;
use std::collections::BTreeMap;
use std::fmt;

/// What every extraction is salted with, so that the secret key serves this gateway only.
const EXTRACTION_SALT: &[u8] = b"manilla key-ring v1";

/// What a proof is the authentication of, under a key that nothing else is done with.
const PROOF: &[u8] = b"manilla key-ring proof v1";

/// What a key makes of a constant.
pub(crate) fn proof(key: &[u8; KEY_BYTES]) -> [u8; KEY_BYTES] {
    let key = hmac::Key::new(hmac::HMAC_SHA256, key);
    let mut proof = [0; KEY_BYTES];
    for (byte, made) in proof.iter_mut().zip(hmac::sign(&key, PROOF).as_ref()) {
        *byte = *made;
    }
    proof
}

/// The keys of one purpose, by generation.
#[derive(Clone)]
pub struct PurposeKeys {
    purpose: Purpose,
    newest: u32,
    secrets: BTreeMap<u32, Prk>,
}

impl fmt::Debug for PurposeKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PurposeKeys")
            .field("purpose", &self.purpose)
            .field("newest", &self.newest)
            .finish_non_exhaustive()
    }
}

impl PurposeKeys {
    pub(crate) fn derive<'a>(
        purpose: Purpose,
        newest: u32,
        keys: impl Iterator<Item = (u32, &'a [u8; KEY_BYTES])>,
    ) -> Self {
        let salt = Salt::new(HKDF_SHA256, EXTRACTION_SALT);
        let secrets = keys.map(|(number, key)| (number, salt.extract(key)));
        Self {
            purpose,
            newest,
            secrets: secrets.collect(),
        }
    }

    /// The number of the generation that seals.
    pub fn newest(&self) -> u32 {
        self.newest
    }

    /// A secret of each generation, oldest first, for purposes that do not seal.
    pub fn derived(&self) -> BTreeMap<u32, [u8; KEY_BYTES]> {
        let each = self.secrets.iter();
        let derived = each.filter_map(|(number, secret)| {
            let mut bytes = [0; KEY_BYTES];
            let (label, length) = self.label();
            let number_in_info = number.to_be_bytes();
            let info = [&length[..], label, &number_in_info[..]];
            // One block of the hash is always there.
            secret
                .expand(&info, HKDF_SHA256)
                .ok()?
                .fill(&mut bytes)
                .ok()?;
            Some((*number, bytes))
        });
        derived.collect()
    }

    /// The key of the newest generation for one context, to seal with. The context must hold
    /// something that no other use of the purpose has, such as 16 random bytes.
    ///
    /// # Errors
    /// Never in a ring that was parsed or generated.
    pub fn sealing_key(&self, context: &[u8]) -> Result<SealingKey, Error> {
        self.opening_key(self.newest, context)
    }

    /// The key of a generation for one context, to open with.
    ///
    /// # Errors
    /// When the generation is not in the ring.
    pub fn opening_key(&self, generation: u32, context: &[u8]) -> Result<SealingKey, Error> {
        let secret = self.secrets.get(&generation);
        let secret = secret.ok_or(Error::Missing(generation))?;
        let (label, length) = self.label();
        let number = generation.to_be_bytes();
        let info = [&length[..], label, &number[..], context];
        let derived = secret.expand(&info, &CHACHA20_POLY1305);
        let derived = derived.map_err(|_| Error::TooLong)?;
        Ok(SealingKey {
            generation,
            key: LessSafeKey::new(UnboundKey::from(derived)),
        })
    }

    /// The label of the purpose and its length. Each part of what a key is derived from is preceded
    /// by its length or is the last: no two lists of parts are one text.
    fn label(&self) -> (&'static [u8], [u8; 8]) {
        let label = self.purpose.label().as_bytes();
        let length = u64::try_from(label.len()).unwrap_or(u64::MAX);
        (label, length.to_be_bytes())
    }
}

/// The key of one purpose, generation and context.
pub struct SealingKey {
    generation: u32,
    key: LessSafeKey,
}

impl fmt::Debug for SealingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SealingKey")
            .field("generation", &self.generation)
            .finish_non_exhaustive()
    }
}

impl SealingKey {
    /// How many bytes a sealed text is longer.
    pub const OVERHEAD: usize = 16;

    /// The generation it is of.
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// Seals a text in its place together with data that is not hidden. The counter must not have
    /// been used with this key before.
    ///
    /// # Errors
    /// When the text is too long for the cipher.
    pub fn seal(&self, counter: u64, aad: &[u8], text: &mut Vec<u8>) -> Result<(), Error> {
        let sealed = self
            .key
            .seal_in_place_append_tag(nonce(counter), Aad::from(aad), text);
        sealed.map_err(|_| Error::TooLong)
    }

    /// Opens what was sealed with the same key, counter and data.
    ///
    /// # Errors
    /// When anything of these differs or the sealed text was changed.
    pub fn open(&self, counter: u64, aad: &[u8], sealed: &[u8]) -> Result<Vec<u8>, Error> {
        let mut text = sealed.to_vec();
        let opened = self
            .key
            .open_in_place(nonce(counter), Aad::from(aad), &mut text);
        let length = opened.map_err(|_| Error::Mismatch(self.generation))?.len();
        text.truncate(length);
        Ok(text)
    }
}

/// The counter as the last eight of the twelve bytes.
fn nonce(counter: u64) -> Nonce {
    let mut bytes = [0_u8; ring::aead::NONCE_LEN];
    for (byte, digit) in bytes.iter_mut().rev().zip(counter.to_le_bytes()) {
        *byte = digit;
    }
    Nonce::assume_unique_for_key(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::KeyRing;
    use proptest::prelude::*;

    const CONTEXT: &[u8] = b"a segment";

    fn ring() -> KeyRing {
        KeyRing::generate([0xc0; KEY_BYTES], "2026-11-22T10:00:00Z")
    }

    fn sealed(key: &SealingKey, counter: u64, aad: &[u8], text: &[u8]) -> Vec<u8> {
        let mut sealed = text.to_vec();
        key.seal(counter, aad, &mut sealed).unwrap();
        sealed
    }

    proptest! {
        #[test]
        fn what_was_sealed_opens_with_the_same_and_with_nothing_else(
            text in proptest::collection::vec(any::<u8>(), 0..200),
            (counter, aad) in (any::<u64>(), proptest::collection::vec(any::<u8>(), 1..40)),
            flipped in any::<proptest::sample::Index>(),
        ) {
            let keys = ring().key(Purpose::AttemptJournal);
            let key = keys.sealing_key(CONTEXT).unwrap();
            let mut sealed = sealed(&key, counter, &aad, &text);
            prop_assert_eq!(sealed.len(), text.len() + SealingKey::OVERHEAD);
            prop_assert_eq!(key.open(counter, &aad, &sealed).unwrap(), text);
            let mismatch = Err(Error::Mismatch(1));
            prop_assert_eq!(key.open(counter ^ 1, &aad, &sealed), mismatch.clone());
            prop_assert_eq!(key.open(counter ^ (1 << 63), &aad, &sealed), mismatch.clone());
            prop_assert_eq!(key.open(counter, &aad[1..], &sealed), mismatch.clone());
            let other = keys.sealing_key(b"another").unwrap();
            prop_assert_eq!(other.open(counter, &aad, &sealed), mismatch.clone());
            let index = flipped.index(sealed.len());
            sealed[index] ^= 1;
            prop_assert_eq!(key.open(counter, &aad, &sealed), mismatch);
        }
    }

    #[test]
    fn an_old_generation_opens_and_the_new_one_seals() {
        let old = ring();
        let of_old = old.key(Purpose::AttemptJournal);
        let kept = sealed(&of_old.sealing_key(CONTEXT).unwrap(), 7, b"", b"text");
        let rotated = old.rotated([7; KEY_BYTES], "").unwrap();
        let keys = rotated.key(Purpose::AttemptJournal);
        assert_eq!(keys.sealing_key(CONTEXT).unwrap().generation(), 2);
        let opening = keys.opening_key(1, CONTEXT).unwrap();
        assert_eq!(opening.open(7, b"", &kept).unwrap(), b"text");
        let newest = keys.opening_key(2, CONTEXT).unwrap();
        assert_eq!(newest.open(7, b"", &kept), Err(Error::Mismatch(2)));
    }

    #[test]
    fn a_generation_that_is_not_there_is_named() {
        let keys = ring().key(Purpose::AttemptJournal);
        let missing = keys.opening_key(9, CONTEXT).unwrap_err();
        assert_eq!(missing.to_string(), "generation 9 is not in the key ring");
    }

    /// The same secret key under two numbers gives two keys, and so does every secret key.
    #[test]
    fn every_generation_has_a_key_of_its_own() {
        let same = ring().rotated([0xc0; KEY_BYTES], "").unwrap();
        let keys = same.key(Purpose::AttemptJournal);
        let first = sealed(&keys.opening_key(1, CONTEXT).unwrap(), 0, b"", b"text");
        let second = keys.opening_key(2, CONTEXT).unwrap();
        assert_eq!(second.open(0, b"", &first), Err(Error::Mismatch(2)));
    }

    #[test]
    fn purposes_have_labels_of_their_own_that_do_not_change() {
        assert_eq!(
            Purpose::AttemptJournal.label(),
            "manilla attempt-journal v1"
        );
        assert_eq!(Purpose::Instances.label(), "manilla instances v1");
        assert_eq!(Purpose::Fields.label(), "manilla fields v1");
        let keys = ring().key(Purpose::AttemptJournal);
        let known = sealed(&keys.sealing_key(CONTEXT).unwrap(), 1, b"aad", b"text");
        // Computed with Python's hashlib and cryptography, apart from this code.
        let expected = 0xeab9_3027_ade3_2da0_8680_b4c7_8c5a_efcb_u128;
        assert_eq!(known[..16], expected.to_be_bytes());
        assert_eq!(known[16..], [0xbd, 0xb2, 0x78, 0x8a]);
    }

    #[test]
    fn nothing_of_a_ring_prints_a_key() {
        let ring = ring();
        let keys = ring.key(Purpose::AttemptJournal);
        let key = keys.sealing_key(CONTEXT).unwrap();
        let printed = format!("{ring:?} {keys:?} {key:?}");
        assert!(!printed.contains("c0"), "{printed}");
        assert!(!printed.contains("192"), "{printed}");
    }
}
