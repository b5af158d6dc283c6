//! One server per data folder. The lock belongs to the process and ends with it, however it ends;
//! it must never be judged by the file being there.

use crate::error::PART;
use ports::PortError;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::Path;

/// The file that is locked; it holds the number of the process that locked it last.
const FILE: &str = "serve.lock";

/// How often taking the lock is tried: a process that checks whether it is held has it for an
/// instant.
const TRIES: u32 = 100;

/// The right to serve a data folder, until dropped.
#[derive(Debug)]
pub struct ServeLock {
    _file: File,
}

impl ServeLock {
    /// Takes the lock of a data folder, which must exist.
    ///
    /// # Errors
    /// When another process serves the folder; the error names it.
    pub fn acquire(dir: &Path) -> Result<Self, PortError> {
        let mut file = open(dir).map_err(cannot_lock(dir))?;
        for _ in 0..TRIES {
            match file.try_lock() {
                Ok(()) => {
                    note_owner(&mut file).map_err(cannot_lock(dir))?;
                    return Ok(Self { _file: file });
                }
                Err(TryLockError::WouldBlock) => std::thread::yield_now(),
                Err(TryLockError::Error(error)) => return Err(cannot_lock(dir)(error)),
            }
        }
        Err(taken(dir, &mut file))
    }
}

/// Whether a server works on a data folder at this moment.
///
/// # Errors
/// When the lock cannot be looked at.
pub fn is_held(dir: &Path) -> Result<bool, PortError> {
    let file = match File::open(dir.join(FILE)) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(cannot_lock(dir)(error)),
    };
    match file.try_lock_shared() {
        Ok(()) => Ok(false),
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(error)) => Err(cannot_lock(dir)(error)),
    }
}

fn open(dir: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    options.open(dir.join(FILE))
}

fn note_owner(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "{}", std::process::id())
}

fn taken(dir: &Path, file: &mut File) -> PortError {
    let mut owner = String::new();
    // The number is a courtesy; without it the error is still true.
    let _ = file.read_to_string(&mut owner);
    let owner = owner.trim();
    let owner = if owner.is_empty() { "unknown" } else { owner };
    let dir = dir.display();
    PortError::new(
        PART,
        format!("{dir} is served by another process (pid {owner}); stop it or use another folder"),
    )
}

fn cannot_lock(dir: &Path) -> impl FnOnce(io::Error) -> PortError {
    let what = format!("lock {}", dir.join(FILE).display());
    move |error| PortError::caused(PART, what, error)
}

#[cfg(test)]
mod tests {
    use super::{FILE, ServeLock, is_held};

    #[test]
    fn a_second_server_on_the_same_folder_is_refused_with_the_pid_of_the_first() {
        let dir = tempfile::tempdir().unwrap();
        assert!(!is_held(dir.path()).unwrap());
        let lock = ServeLock::acquire(dir.path()).unwrap();
        assert!(is_held(dir.path()).unwrap());
        let error = ServeLock::acquire(dir.path()).unwrap_err().to_string();
        assert!(
            error.contains(&format!("pid {}", std::process::id())),
            "{error}"
        );
        drop(lock);
        assert!(!is_held(dir.path()).unwrap());
        ServeLock::acquire(dir.path()).unwrap();
    }

    #[test]
    fn a_lock_file_left_behind_by_a_dead_process_blocks_no_process() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(FILE), "4000000\n").unwrap();
        assert!(!is_held(dir.path()).unwrap());
        ServeLock::acquire(dir.path()).unwrap();
    }
}
