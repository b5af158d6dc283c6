//! The references that were seen, each bound for ever to its request. A reference must be stored
//! here before the provider acts on it, and is never removed.

mod record;

pub(crate) use record::{BoundRequest, ReferenceFate, ReferenceRecord};

use domain::reference::ProviderReference;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The first line of the file: what it is, and how its lines are to be read.
const HEADER: &[u8] = b"manilla provider references 1\n";

/// Longest line: a reference, a service, an amount, a beneficiary and a hash fit several times.
const LINE_BYTES_MAX: usize = 4096;

/// Whether a stored reference outlasts a crash of the machine, or of the process only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReferenceSync {
    /// The disk has it before the provider acts.
    #[default]
    EachReference,
    /// The kernel has it: enough for a sandbox.
    Off,
}

/// Why the file of references cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ReferenceStoreError {
    /// Reading or writing failed.
    #[error("the file of references cannot be read or written")]
    Io(#[from] io::Error),
    /// It is another file.
    #[error("this is not a file of references, or one of another version")]
    Foreign,
    /// A line before the last is damaged.
    #[error("the file of references is damaged at byte {0}; put a good copy in its place")]
    Damaged(u64),
    /// Another process has it.
    #[error("another process uses the file of references; end it, or name another file")]
    InUse,
}

/// The first 16 bytes of the SHA-256 of a reference; no two references share them.
type Fingerprint = [u8; 16];

/// The store: a file that only grows, and the place of each reference in it.
#[derive(Debug)]
pub(crate) struct ReferenceStore {
    file: File,
    sync: ReferenceSync,
    known: Mutex<KnownReferences>,
}

#[derive(Debug)]
struct KnownReferences {
    places: HashMap<Fingerprint, u64>,
    end: u64,
}

/// Whether a reference was stored by this call or before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stored {
    Now,
    Before(ReferenceRecord),
}

impl ReferenceStore {
    /// Opens a file of references, or begins one; a torn last line is cut off.
    pub(crate) fn open(path: &Path, sync: ReferenceSync) -> Result<Self, ReferenceStoreError> {
        let mut options = OpenOptions::new();
        options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600);
        let file = options.open(path)?;
        // Kept until this process ends, however it ends.
        file.try_lock().map_err(|_| ReferenceStoreError::InUse)?;
        let known = KnownReferences::read(&file)?;
        Ok(Self {
            file,
            sync,
            known: Mutex::new(known),
        })
    }

    /// Whether storing waits for the disk.
    pub(crate) const fn sync(&self) -> ReferenceSync {
        self.sync
    }

    /// The record of a reference, where it was seen.
    pub(crate) fn find(
        &self,
        reference: &ProviderReference,
    ) -> Result<Option<ReferenceRecord>, ReferenceStoreError> {
        let place = self.known().places.get(&fingerprint(reference)).copied();
        place.map(|place| self.record_at(place)).transpose()
    }

    /// Stores a record unless its reference was seen before. It may stop the thread while the disk
    /// writes. When this fails, nothing may be done under the reference.
    pub(crate) fn store(&self, record: &ReferenceRecord) -> Result<Stored, ReferenceStoreError> {
        let line = record.encode();
        let before = {
            let mut known = self.known();
            let end = known.end;
            match known.places.entry(fingerprint(&record.reference)) {
                Entry::Occupied(place) => Some(*place.get()),
                Entry::Vacant(place) => {
                    if let Err(error) = self.file.write_all_at(&line, end) {
                        // Where this fails too, the next start finds a torn line.
                        let _ = self.file.set_len(end);
                        return Err(error.into());
                    }
                    place.insert(end);
                    known.end = end.saturating_add(line.len() as u64);
                    None
                }
            }
        };
        if let Some(place) = before {
            return Ok(Stored::Before(self.record_at(place)?));
        }
        match self.sync {
            ReferenceSync::EachReference => self.file.sync_data()?,
            ReferenceSync::Off => {}
        }
        Ok(Stored::Now)
    }

    fn record_at(&self, place: u64) -> Result<ReferenceRecord, ReferenceStoreError> {
        let mut bytes = [0; LINE_BYTES_MAX];
        let mut filled = 0;
        while let Some(rest) = bytes.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match self
                .file
                .read_at(rest, place.saturating_add(filled as u64))?
            {
                0 => break,
                length => filled = filled.saturating_add(length),
            }
        }
        let line = bytes.split(|b| *b == b'\n').next().unwrap_or_default();
        ReferenceRecord::decode(line).ok_or(ReferenceStoreError::Damaged(place))
    }

    fn known(&self) -> MutexGuard<'_, KnownReferences> {
        // A panic while it was held leaves it as it was before or after a line.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl KnownReferences {
    fn read(file: &File) -> Result<Self, ReferenceStoreError> {
        let mut known = Self {
            places: HashMap::new(),
            end: 0,
        };
        let mut reader = BufReader::new(file);
        let mut line = Vec::new();
        reader.read_until(b'\n', &mut line)?;
        if line != HEADER {
            if !HEADER.starts_with(&line) {
                return Err(ReferenceStoreError::Foreign);
            }
            file.set_len(0)?;
            file.write_all_at(HEADER, 0)?;
            known.end = HEADER.len() as u64;
            return Ok(known);
        }
        known.end = line.len() as u64;
        loop {
            line.clear();
            let length = reader.read_until(b'\n', &mut line)? as u64;
            if length == 0 {
                return Ok(known);
            }
            let Some(record) = line.strip_suffix(b"\n").and_then(ReferenceRecord::decode) else {
                if !reader.fill_buf()?.is_empty() {
                    return Err(ReferenceStoreError::Damaged(known.end));
                }
                file.set_len(known.end)?;
                return Ok(known);
            };
            known
                .places
                .insert(fingerprint(&record.reference), known.end);
            known.end = known.end.saturating_add(length);
        }
    }
}

fn fingerprint(reference: &ProviderReference) -> Fingerprint {
    let digest: [u8; 32] = Sha256::digest(reference.as_str()).into();
    digest.first_chunk().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::money::{Currency, Money};
    use domain::order::Service;
    use domain::time::Timestamp;
    use std::fs;
    use std::io::Write;
    use tempfile::TempDir;

    fn record(reference: &str, fate: ReferenceFate) -> ReferenceRecord {
        ReferenceRecord {
            reference: ProviderReference::from_echo(reference),
            at: Timestamp::from_millis(1),
            fate,
        }
    }

    fn bound(hash: u8) -> BoundRequest {
        BoundRequest {
            hash: [hash; 32],
            service: Service::Electricity,
            amount: Money::from_minor(500_000, Currency::Ngn),
            beneficiary: "04123456789".to_owned(),
            takes_token: true,
            inner: Some("inner-1".to_owned()),
            adapter_state: None,
        }
    }

    #[test]
    fn a_reference_is_stored_once_and_outlasts_a_restart() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("references");
        let first = record("a", ReferenceFate::Accepted(bound(1)));
        {
            let store = ReferenceStore::open(&path, ReferenceSync::EachReference).unwrap();
            assert_eq!(store.store(&first).unwrap(), Stored::Now);
            let other = record("a", ReferenceFate::Accepted(bound(2)));
            assert_eq!(store.store(&other).unwrap(), Stored::Before(first.clone()));
            let expired = record("b", ReferenceFate::Expired(bound(3)));
            assert_eq!(store.store(&expired).unwrap(), Stored::Now);
            assert_eq!(
                store.store(&record("c", ReferenceFate::Sealed)).unwrap(),
                Stored::Now
            );
            let second = ReferenceStore::open(&path, ReferenceSync::Off);
            assert!(matches!(second, Err(ReferenceStoreError::InUse)));
        }
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(b"00000000 {\"torn").unwrap();
        drop(file);
        let store = ReferenceStore::open(&path, ReferenceSync::Off).unwrap();
        let found = |reference: &str| {
            store
                .find(&ProviderReference::from_echo(reference))
                .unwrap()
        };
        assert_eq!(found("a"), Some(first));
        assert_eq!(found("b").unwrap().fate, ReferenceFate::Expired(bound(3)));
        assert_eq!(found("c").unwrap().fate, ReferenceFate::Sealed);
        assert_eq!(found("d"), None);
        assert_eq!(
            store.store(&record("d", ReferenceFate::Sealed)).unwrap(),
            Stored::Now
        );
        assert_eq!(found("d").unwrap().fate, ReferenceFate::Sealed);
    }

    #[test]
    fn a_damaged_file_is_not_opened() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("references");
        let store = ReferenceStore::open(&path, ReferenceSync::Off).unwrap();
        for name in ["a", "b"] {
            store.store(&record(name, ReferenceFate::Sealed)).unwrap();
        }
        drop(store);
        let mut bytes = fs::read(&path).unwrap();
        bytes[HEADER.len() + 20] ^= 1;
        fs::write(&path, bytes).unwrap();
        let opened = ReferenceStore::open(&path, ReferenceSync::Off);
        assert!(
            matches!(opened, Err(ReferenceStoreError::Damaged(at)) if at == HEADER.len() as u64)
        );
        fs::write(&path, "something else\n").unwrap();
        let opened = ReferenceStore::open(&path, ReferenceSync::Off);
        assert!(matches!(opened, Err(ReferenceStoreError::Foreign)));
    }
}
