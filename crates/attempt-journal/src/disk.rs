//! The few things a journal does to a disk while it writes, as a trait, so that tests can make them
//! fail. An implementation must not report success before the operating system did.

use std::fmt::Debug;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, FileExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// What makes files.
pub(crate) trait JournalDisk: Send + Sync + Debug {
    /// Makes a private file that must not be there yet and is only ever appended to.
    fn create(&self, path: &Path) -> io::Result<Arc<dyn AppendFile>>;

    /// The same for a file that is synced again and again while it grows.
    fn create_synced(&self, path: &Path) -> io::Result<Arc<dyn AppendFile>> {
        self.create(path)
    }

    /// Opens a file that [`Self::create`] made, to append to it again.
    fn reopen(&self, path: &Path) -> io::Result<Arc<dyn AppendFile>>;

    /// Makes the names in a folder durable.
    fn sync_folder(&self, path: &Path) -> io::Result<()>;
}

/// A file that is appended to.
pub(crate) trait AppendFile: Send + Sync + Debug {
    /// Appends bytes, which other processes of this machine can read then.
    fn append(&self, bytes: &[u8]) -> io::Result<()>;

    /// Makes what was appended durable.
    fn sync(&self) -> io::Result<()>;
}

/// The disk of this machine.
#[derive(Debug)]
pub(crate) struct RealDisk;

impl JournalDisk for RealDisk {
    fn create(&self, path: &Path) -> io::Result<Arc<dyn AppendFile>> {
        let mut options = OpenOptions::new();
        let file = options.append(true).create_new(true).mode(0o600);
        Ok(Arc::new(file.open(path)?))
    }

    fn create_synced(&self, path: &Path) -> io::Result<Arc<dyn AppendFile>> {
        let mut options = OpenOptions::new();
        let file = options
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(path)?;
        Ok(Arc::new(ZeroedFile {
            file,
            ends: Mutex::default(),
        }))
    }

    fn reopen(&self, path: &Path) -> io::Result<Arc<dyn AppendFile>> {
        Ok(Arc::new(OpenOptions::new().append(true).open(path)?))
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        sync_folder(path)
    }
}

impl AppendFile for File {
    fn append(&self, bytes: &[u8]) -> io::Result<()> {
        let mut file = self;
        file.write_all(bytes)
    }

    fn sync(&self) -> io::Result<()> {
        self.sync_data()
    }
}

/// Fewest bytes that zeros are written for at a time, and how many are written with one call.
static ZEROS: [u8; 64 * 1024] = [0; 64 * 1024];

/// Most bytes that zeros are written for at a time: a sync that carries them takes a few
/// milliseconds.
const ZEROED_AT_ONCE_MAX: u64 = 1024 * 1024;

/// A file whose end lies in zeros that were written before. Where a file grows with every write,
/// each sync waits for the file system to store its new length as well, and so does every other
/// sync on that file system, the database's among them. No frame begins with zeros.
#[derive(Debug)]
struct ZeroedFile {
    file: File,
    ends: Mutex<Ends>,
}

#[derive(Debug, Default)]
struct Ends {
    /// Where the next bytes go.
    written: u64,
    /// Where the zeros end; never before what was written.
    zeroed: u64,
    /// Whether there was no room for zeros: then none are written any more.
    is_full: bool,
}

impl ZeroedFile {
    /// Writes zeros up to a place, and some more: as many as there are already, within bounds.
    fn zero(&self, ends: &mut Ends, up_to: u64) -> io::Result<()> {
        let piece = u64::try_from(ZEROS.len()).unwrap_or(ZEROED_AT_ONCE_MAX);
        let more = ends.zeroed.clamp(piece, ZEROED_AT_ONCE_MAX);
        let wanted = up_to.saturating_add(more);
        while ends.zeroed < wanted {
            self.file.write_all_at(&ZEROS, ends.zeroed)?;
            ends.zeroed = ends.zeroed.saturating_add(piece);
        }
        Ok(())
    }
}

impl AppendFile for ZeroedFile {
    fn append(&self, bytes: &[u8]) -> io::Result<()> {
        let mut ends = self.ends.lock().unwrap_or_else(PoisonError::into_inner);
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let end = ends.written.saturating_add(length);
        if end > ends.zeroed && !ends.is_full {
            // Without room for zeros there may be room for the bytes.
            ends.is_full = self.zero(&mut ends, end).is_err();
        }
        self.file.write_all_at(bytes, ends.written)?;
        ends.written = end;
        ends.zeroed = ends.zeroed.max(end);
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}

/// A private file that is there or is made.
pub(crate) fn open_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.append(true).read(true).create(true).mode(0o600);
    options.open(path)
}

/// Makes a folder that only its owner may enter.
pub(crate) fn private_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).create(path)
}

pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_appended_is_never_written_over_with_zeros() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("segment");
        let mut options = OpenOptions::new();
        let file = options.write(true).create_new(true).open(&path).unwrap();
        let zeroed = ZeroedFile {
            file,
            ends: Mutex::default(),
        };
        // The first writes find no room for zeros, as on a full disk.
        zeroed.ends.lock().unwrap().is_full = true;
        zeroed.append(b"one").unwrap();
        zeroed.append(b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"onetwo");
        zeroed.ends.lock().unwrap().is_full = false;
        zeroed.append(b"three").unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let (written, zeros) = bytes.split_at(11);
        assert_eq!(written, b"onetwothree");
        assert!(zeros.len() >= ZEROS.len() && zeros.iter().all(|byte| *byte == 0));
        zeroed.append(b"four").unwrap();
        let again = std::fs::read(&path).unwrap();
        assert_eq!(
            again.len(),
            bytes.len(),
            "it grew though there were zeros left"
        );
        assert_eq!(again.get(..15), Some(&b"onetwothreefour"[..]));
    }
}
