//! The lock on a journal file, which excludes writers of all processes. It must not be waited for
//! without end: a process that is stopped while it holds the lock keeps it.

use std::fs::{File, TryLockError};
use std::io;
use std::time::Duration;

/// How often the lock is tried at once. It is held for a few microseconds: after so many tries its
/// holder does not run.
const TRIES: u32 = 32;

/// How long a caller that may block its thread pauses between such tries, and how often: five
/// seconds in all.
const PAUSE: Duration = Duration::from_millis(5);
const PAUSES: u32 = 1_000;

/// What a lock excludes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hold {
    /// All others: a writer's lock.
    Alone,
    /// Writers: a reader's lock.
    Together,
}

/// The lock, held until drop, and what is used meanwhile. It belongs to the open file, not to a
/// thread; so it is released before the guard in `with` that excludes the other threads: Rust
/// drops the fields after `drop` has run.
#[derive(Debug)]
pub(super) struct JournalLock<'a, W> {
    file: &'a File,
    pub(super) with: W,
}

impl<'a, W> JournalLock<'a, W> {
    /// The lock, if it is free at once or after a few tries.
    pub(super) fn now(file: &'a File, hold: Hold, with: W) -> io::Result<Option<Self>> {
        let taken = try_now(file, hold)?;
        Ok(taken.then(|| Self { file, with }))
    }

    /// The lock, if it is free within seconds; for callers that may block their thread that long.
    pub(super) fn soon(file: &'a File, hold: Hold, with: W) -> io::Result<Option<Self>> {
        for _ in 0..PAUSES {
            if try_now(file, hold)? {
                return Ok(Some(Self { file, with }));
            }
            pause();
        }
        Ok(None)
    }
}

impl<W> Drop for JournalLock<'_, W> {
    fn drop(&mut self) {
        // The lock of an open file can always be released; closing the file would do so too.
        if let Err(error) = self.file.unlock() {
            tracing::error!(%error, "the journal of the sandbox stays locked");
        }
    }
}

fn try_now(file: &File, hold: Hold) -> io::Result<bool> {
    for _ in 0..TRIES {
        let tried = match hold {
            Hold::Alone => file.try_lock(),
            Hold::Together => file.try_lock_shared(),
        };
        match tried {
            Ok(()) => return Ok(true),
            Err(TryLockError::WouldBlock) => std::thread::yield_now(),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
    Ok(false)
}

#[expect(
    clippy::disallowed_methods,
    reason = "a journal is opened before any request is served, and read whole by commands only"
)]
fn pause() {
    std::thread::sleep(PAUSE);
}
