//! Where the entry of each reference is. It must not grow with the length of references: it is kept
//! in memory for the whole journal.

use domain::reference::ProviderReference;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Parts of the index. Each grows by itself, so that growing never stops the provider for as long
/// as copying the whole index takes.
const SHARDS: usize = 256;

/// The first 16 bytes of the SHA-256 of a reference: long enough that no two references share one,
/// and a fraction of the size of the reference itself.
type Fingerprint = [u8; 16];

/// The place of each reference's entry: 24 bytes an entry, before the slack of a hash table.
#[derive(Debug)]
pub(super) struct JournalIndex(Vec<HashMap<Fingerprint, u64>>);

/// A reference is in the index already, with an entry at another place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TakenReference;

/// Whether a place was in the index before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SeenAttempt {
    First,
    Again,
}

impl JournalIndex {
    pub(super) fn new() -> Self {
        Self(vec![HashMap::new(); SHARDS])
    }

    pub(super) fn find(&self, reference: &ProviderReference) -> Option<u64> {
        let (shard, fingerprint) = place(reference);
        self.0.get(shard)?.get(&fingerprint).copied()
    }

    /// Puts a reference in; one that has another place keeps it.
    pub(super) fn insert(
        &mut self,
        reference: &ProviderReference,
        offset: u64,
    ) -> Result<SeenAttempt, TakenReference> {
        let (shard, fingerprint) = place(reference);
        match self
            .0
            .get_mut(shard)
            .ok_or(TakenReference)?
            .entry(fingerprint)
        {
            Entry::Vacant(vacant) => {
                vacant.insert(offset);
                Ok(SeenAttempt::First)
            }
            Entry::Occupied(occupied) if *occupied.get() == offset => Ok(SeenAttempt::Again),
            Entry::Occupied(_) => Err(TakenReference),
        }
    }
}

fn place(reference: &ProviderReference) -> (usize, Fingerprint) {
    let digest: [u8; 32] = Sha256::digest(reference.as_str()).into();
    let fingerprint = digest.first_chunk().copied().unwrap_or_default();
    let [.., last] = digest;
    (usize::from(last), fingerprint)
}
