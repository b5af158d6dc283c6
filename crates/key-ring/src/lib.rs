//! The key ring: generations of one secret key, and the keys derived from them for everything the
//! gateway seals. It must never print a key, and never draw one: random bytes come from the caller.

mod authentication;
mod seal;
mod text;

pub use authentication::{AuthenticationKeys, TAG_BYTES, Tag};
pub use seal::{PurposeKeys, SealingKey};
pub use text::{KeyTextError, ParseErrorKind};

use std::collections::BTreeMap;
use std::fmt;

/// The length of a key in bytes.
pub const KEY_BYTES: usize = 32;

/// What keys are used for. Each purpose has keys of its own, so that a text sealed for one cannot
/// be opened as one of another.
///
/// To add a purpose, add a variant and give it a label in `label` that no other has. A
/// label is part of the derivation of its keys and must never change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// The transactions within the entries of the attempt journal.
    AttemptJournal,
    /// Messages between instances over one database.
    Instances,
    /// Confidential fields of the database.
    Fields,
    /// Secrets of accounts at providers in the configuration.
    ProviderSecrets,
    /// What API keys are hashed under, and what secrets of merchants are made from.
    Credentials,
    /// The authentication codes of rows in the database.
    Rows,
}

impl Purpose {
    const fn label(self) -> &'static str {
        match self {
            Self::AttemptJournal => "manilla attempt-journal v1",
            Self::Instances => "manilla instances v1",
            Self::Fields => "manilla fields v1",
            Self::ProviderSecrets => "manilla provider-secrets v1",
            Self::Credentials => "manilla credentials v1",
            Self::Rows => "manilla rows v1",
        }
    }
}

/// Why a text was not sealed or opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// It was sealed under a key that is not here.
    #[error("generation {0} is not in the key ring")]
    Missing(u32),
    /// It was sealed with other data, for another purpose or under another counter, or was changed.
    #[error("the sealed text does not match its key (generation {0}) and its context")]
    Mismatch(u32),
    /// The cipher refused to seal, which it does for texts of many gigabytes only.
    #[error("the text is too long to be sealed")]
    TooLong,
    /// There is no number left for another generation.
    #[error("the highest generation number is in use already")]
    Exhausted,
}

/// One generation of the secret key.
#[derive(Clone, PartialEq, Eq)]
struct KeyGeneration {
    key: [u8; KEY_BYTES],
    /// When it was made, as the text form says it.
    made_at: Option<String>,
}

/// The generations of the secret key, at least one. The highest seals, every one opens.
#[derive(Clone, PartialEq, Eq)]
pub struct KeyRing {
    /// Never empty.
    generations: BTreeMap<u32, KeyGeneration>,
    newest: u32,
}

impl fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<_> = self.generations.keys().collect();
        f.debug_struct("KeyRing")
            .field("generations", &numbers)
            .finish_non_exhaustive()
    }
}

impl KeyRing {
    /// A ring of one generation, from random bytes of the caller.
    pub fn generate(key: [u8; KEY_BYTES], made_at: &str) -> Self {
        let made_at = text::moment(made_at);
        let generations = BTreeMap::from([(1, KeyGeneration { key, made_at })]);
        Self {
            generations,
            newest: 1,
        }
    }

    /// The ring with one more generation, which seals from now on.
    ///
    /// # Errors
    /// When the highest possible number is in use.
    pub fn rotated(mut self, key: [u8; KEY_BYTES], made_at: &str) -> Result<Self, Error> {
        let number = self.newest.checked_add(1).ok_or(Error::Exhausted)?;
        let made_at = text::moment(made_at);
        self.generations
            .insert(number, KeyGeneration { key, made_at });
        self.newest = number;
        Ok(self)
    }

    /// The number of the generation that seals.
    pub fn newest(&self) -> u32 {
        self.newest
    }

    /// Every generation, oldest first, with the time it was made where the text form says it.
    pub fn generations(&self) -> impl Iterator<Item = (u32, Option<&str>)> {
        let each = self.generations.iter();
        each.map(|(number, generation)| (*number, generation.made_at.as_deref()))
    }

    /// What each generation makes of a constant, oldest first: two rings that make the same of it
    /// have the same key. It does not reveal the key.
    pub fn proofs(&self) -> impl Iterator<Item = (u32, [u8; KEY_BYTES])> {
        let each = self.generations.iter();
        each.map(|(number, generation)| (*number, seal::proof(&generation.key)))
    }

    /// The keys of a purpose.
    pub fn key(&self, purpose: Purpose) -> PurposeKeys {
        let keys = self.generations.iter();
        let keys = keys.map(|(number, generation)| (*number, &generation.key));
        PurposeKeys::derive(purpose, self.newest, keys)
    }
}

#[cfg(test)]
mod tests {
    use super::KeyRing;

    #[test]
    fn a_proof_follows_from_its_key_alone() {
        let ring = KeyRing::generate([7; 32], "").rotated([8; 32], "").unwrap();
        let proofs: Vec<_> = ring.proofs().collect();
        let other = KeyRing::generate([7; 32], "2026-11-30T00:00:00Z");
        assert_eq!(other.proofs().collect::<Vec<_>>(), proofs[..1]);
        let [(1, first), (2, second)] = proofs[..] else {
            panic!("{proofs:?}");
        };
        assert_ne!(first, second);
        assert_ne!(first, [7; 32]);
        // HMAC-SHA-256 under 32 bytes of 7, as another program makes it.
        assert_eq!(first[..8], [0x2f, 0xf9, 0x78, 0x23, 0x13, 0x27, 0x5a, 0x47]);
    }
}
