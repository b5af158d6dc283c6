//! Disks that count, fail and wait.

use crate::disk::{AppendFile, JournalDisk, RealDisk};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};

/// A real disk of which each step can be made to fail.
#[derive(Debug, Default)]
pub(super) struct FaultyDisk {
    pub(super) state: Arc<DiskState>,
}

#[derive(Debug, Default)]
pub(super) struct DiskState {
    /// How many entries' files were synced.
    pub(super) syncs: AtomicUsize,
    /// How many of the next syncs of entries fail.
    pub(super) failing_syncs: AtomicU32,
    /// How many of the next writes of entries write half and fail.
    pub(super) failing_writes: AtomicU32,
    /// Closed by a test that wants syncs of entries to wait.
    pub(super) gate: Gate,
}

/// What syncs go through.
#[derive(Debug, Default)]
pub(super) struct Gate {
    is_closed: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    pub(super) fn close(&self) {
        *self.is_closed.lock().unwrap() = true;
    }

    pub(super) fn open(&self) {
        *self.is_closed.lock().unwrap() = false;
        self.opened.notify_all();
    }

    fn pass(&self) {
        let is_closed = self.is_closed.lock().unwrap();
        drop(self.opened.wait_while(is_closed, |it| *it).unwrap());
    }
}

#[derive(Debug)]
struct FaultyFile {
    file: Arc<dyn AppendFile>,
    state: Arc<DiskState>,
}

fn take_one(left: &AtomicU32) -> bool {
    let taken = left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| {
        left.checked_sub(1)
    });
    taken.is_ok()
}

impl JournalDisk for FaultyDisk {
    fn create(&self, path: &Path) -> io::Result<Arc<dyn AppendFile>> {
        let file = RealDisk.create(path)?;
        if path.extension().is_some_and(|it| it == "marks") {
            return Ok(file);
        }
        let state = Arc::clone(&self.state);
        Ok(Arc::new(FaultyFile { file, state }))
    }

    fn reopen(&self, path: &Path) -> io::Result<Arc<dyn AppendFile>> {
        RealDisk.reopen(path)
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        RealDisk.sync_folder(path)
    }
}

impl AppendFile for FaultyFile {
    fn append(&self, bytes: &[u8]) -> io::Result<()> {
        if take_one(&self.state.failing_writes) {
            self.file.append(&bytes[..bytes.len() / 2])?;
            return Err(io::Error::other("no space left on device"));
        }
        self.file.append(bytes)
    }

    fn sync(&self) -> io::Result<()> {
        self.state.gate.pass();
        self.state.syncs.fetch_add(1, Ordering::SeqCst);
        if take_one(&self.state.failing_syncs) {
            return Err(io::Error::other("input/output error"));
        }
        self.file.sync()
    }
}
