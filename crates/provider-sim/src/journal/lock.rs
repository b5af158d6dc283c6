//! The lock on the file of a book, which keeps its writers apart whatever process they are in. It
//! must not be waited for without end: whoever was stopped while he held it keeps it.

use std::fs::{File, TryLockError};
use std::io;
use std::time::Duration;

/// How often the lock is tried at once. It is held for a few microseconds: after so many tries its
/// holder does not run.
const TRIES: u32 = 32;

/// How long one who may stop his thread pauses between such tries, and how often he does: for five
/// seconds altogether.
const PAUSE: Duration = Duration::from_millis(5);
const PAUSES: u32 = 1_000;

/// Whom a holder keeps out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hold {
    /// Everybody: he writes.
    Alone,
    /// Those who write: he reads what must not be written meanwhile.
    Together,
}

/// The lock, until dropped, and what is used meanwhile. It belongs to the open file, whoever of our
/// threads took it; so it is let go of before whatever keeps these threads apart, which goes with
/// it: Rust drops the fields after the rest.
#[derive(Debug)]
pub(super) struct JournalLock<'a, W> {
    file: &'a File,
    pub(super) with: W,
}

impl<'a, W> JournalLock<'a, W> {
    /// The lock, if it is to be had within an instant.
    pub(super) fn now(file: &'a File, hold: Hold, with: W) -> io::Result<Option<Self>> {
        let taken = try_now(file, hold)?;
        Ok(taken.then(|| Self { file, with }))
    }

    /// The lock, if it is to be had within seconds; for those who may stop their thread that long.
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
        // The lock of an open file can always be let go of; closing the file would do it as well.
        if let Err(error) = self.file.unlock() {
            tracing::error!(%error, "the book of the sandbox stays locked");
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
    reason = "a book is opened before anybody is served, and read whole by commands only"
)]
fn pause() {
    std::thread::sleep(PAUSE);
}
