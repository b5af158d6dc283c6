//! The few things a journal does to a disk while it writes, as a trait, so that tests can make them
//! fail. An implementation must not report success before the operating system did.

use std::fmt::Debug;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::sync::Arc;

/// What makes files.
pub(crate) trait Disk: Send + Sync + Debug {
    /// Makes a private file that must not be there yet and is only ever appended to.
    fn create(&self, path: &Path) -> io::Result<Arc<dyn AppendFile>>;

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

impl Disk for RealDisk {
    fn create(&self, path: &Path) -> io::Result<Arc<dyn AppendFile>> {
        let mut options = OpenOptions::new();
        let file = options.append(true).create_new(true).mode(0o600);
        Ok(Arc::new(file.open(path)?))
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
