//! The key ring in the data folder. It must never replace a file it cannot read, and never take a
//! generation out of it.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use domain::time::Timestamp;
use key_ring::KeyRing;

use super::unreadable;
use crate::entropy;
use crate::files::{self, FileAccess};
use crate::secret_files;

/// The name of the file in the data folder.
const FILE_NAME: &str = "keys";

/// The folder of the attempt journals in the data folder.
const JOURNALS_FOLDER: &str = "journal";

/// A key ring as it was found in the data folder.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FoundRing {
    pub(crate) ring: KeyRing,
    /// Whether it was made just now.
    pub(crate) origin: KeyOrigin,
    /// Things worth a warning.
    pub(crate) warnings: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyOrigin {
    Made,
    Kept,
}

/// The key ring in the data folder, if there is one.
pub(crate) fn known_keys(data: &Path) -> anyhow::Result<Option<KeyRing>> {
    read(&path(data))
}

/// The key ring in the data folder, made if there is none.
pub(crate) fn key_ring(data: &Path, now: Timestamp) -> anyhow::Result<FoundRing> {
    let path = path(data);
    let mut warnings = Vec::new();
    let (ring, origin) = match read(&path)? {
        Some(ring) => (ring, KeyOrigin::Kept),
        None => make(&path, now)?,
    };
    if origin == KeyOrigin::Made && holds_journals(data)? {
        warnings.push(format!(
            "{} was missing and is made anew: what was sealed before cannot be opened, neither in \
             the database nor in the attempt journal, where only references can be read; stop, \
             and restore the file from a backup",
            path.display()
        ));
    }
    warnings.extend(secret_files::guarded(&path)?);
    Ok(FoundRing {
        ring,
        origin,
        warnings,
    })
}

/// Adds a generation to the key ring in the data folder, or makes the first one.
pub(crate) fn rotate_keys(data: &Path, now: Timestamp) -> anyhow::Result<FoundRing> {
    let path = path(data);
    // Two that rotate at once would each take the other's generation out of the file.
    let folder = File::open(data).with_context(|| unreadable(data))?;
    match folder.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            bail!("another command is changing {}; try again", path.display())
        }
        Err(TryLockError::Error(error)) => return Err(error).with_context(|| unreadable(data)),
    }
    let known = key_ring(data, now)?;
    if known.origin == KeyOrigin::Made {
        return Ok(known);
    }
    let ring = known.ring.rotated(entropy::bytes()?, &moment(now))?;
    let replaced = files::replace(&path, ring.to_text().as_bytes(), FileAccess::Private);
    replaced.with_context(|| unreadable(&path))?;
    Ok(FoundRing { ring, ..known })
}

/// The time as the text form of a ring has it.
pub(crate) fn moment(now: Timestamp) -> String {
    let moment = jiff::Timestamp::from_millisecond(now.as_millis());
    moment.map(|it| it.to_string()).unwrap_or_default()
}

/// Makes the key ring, or takes the one that another process made in the same moment.
fn make(path: &Path, now: Timestamp) -> anyhow::Result<(KeyRing, KeyOrigin)> {
    let fresh = KeyRing::generate(entropy::bytes()?, &moment(now));
    let written = files::create(path, fresh.to_text().as_bytes(), FileAccess::Private);
    if written.with_context(|| unreadable(path))? {
        return Ok((fresh, KeyOrigin::Made));
    }
    let theirs = read(path)?.with_context(|| unreadable(path))?;
    Ok((theirs, KeyOrigin::Kept))
}

fn read(path: &Path) -> anyhow::Result<Option<KeyRing>> {
    let Some(bytes) = files::read(path).with_context(|| unreadable(path))? else {
        return Ok(None);
    };
    let broken = || {
        format!(
            "{} is no key ring; restore it from a backup",
            path.display()
        )
    };
    let text = String::from_utf8(bytes).map_err(|_| anyhow::anyhow!(broken()))?;
    let ring = text.parse::<KeyRing>().with_context(broken)?;
    Ok(Some(ring))
}

/// Whether entries may have been sealed in this data folder.
fn holds_journals(data: &Path) -> anyhow::Result<bool> {
    let path = data.join(JOURNALS_FOLDER);
    match std::fs::read_dir(&path) {
        Ok(mut items) => Ok(items.any(|item| item.is_ok_and(|item| item.path().is_dir()))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error).with_context(|| unreadable(&path)),
    }
}

fn path(data: &Path) -> PathBuf {
    data.join(FILE_NAME)
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt as _;

    use tempfile::TempDir;

    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_763_805_600_000);

    #[test]
    fn a_key_ring_is_made_once_and_kept_private() {
        let folder = TempDir::new().unwrap();
        assert_eq!(known_keys(folder.path()).unwrap(), None);
        let made = key_ring(folder.path(), NOW).unwrap();
        assert_eq!((made.origin, made.warnings.len()), (KeyOrigin::Made, 0));
        let generations: Vec<_> = made.ring.generations().collect();
        assert_eq!(generations, [(1, Some("2025-11-22T10:00:00Z"))]);
        let kept = key_ring(folder.path(), NOW).unwrap();
        assert_eq!((kept.origin, &kept.ring), (KeyOrigin::Kept, &made.ring));
        let metadata = fs::metadata(path(folder.path())).unwrap();
        let access = metadata.permissions().mode() & 0o777;
        assert_eq!(access, 0o600);
        let other = TempDir::new().unwrap();
        assert_ne!(key_ring(other.path(), NOW).unwrap().ring, made.ring);
    }

    #[test]
    fn a_rotation_adds_a_generation_and_keeps_the_others() {
        let folder = TempDir::new().unwrap();
        let first = rotate_keys(folder.path(), NOW).unwrap();
        assert_eq!((first.origin, first.ring.newest()), (KeyOrigin::Made, 1));
        let second = rotate_keys(folder.path(), NOW).unwrap();
        assert_eq!(second.ring.newest(), 2);
        let text = fs::read_to_string(path(folder.path())).unwrap();
        assert!(text.contains(&first.ring.newest_line().unwrap()));
        assert_eq!(known_keys(folder.path()).unwrap(), Some(second.ring));

        let held = File::open(folder.path()).unwrap();
        held.lock().unwrap();
        let refused = rotate_keys(folder.path(), NOW).unwrap_err();
        assert!(refused.to_string().contains("another command"), "{refused}");
    }

    #[test]
    fn a_ring_that_is_missing_beside_journals_is_made_anew_with_a_warning() {
        let folder = TempDir::new().unwrap();
        fs::create_dir_all(folder.path().join("journal/0123")).unwrap();
        let made = key_ring(folder.path(), NOW).unwrap();
        assert!(made.warnings[0].contains("cannot be opened"), "{made:?}");
        assert_eq!(key_ring(folder.path(), NOW).unwrap().warnings, [""; 0]);
    }

    #[test]
    fn a_file_that_is_no_key_ring_is_refused_by_its_line_and_left() {
        let folder = TempDir::new().unwrap();
        fs::write(path(folder.path()), "# keys\n1 c0ffee\n").unwrap();
        for refused in [
            key_ring(folder.path(), NOW).unwrap_err(),
            rotate_keys(folder.path(), NOW).unwrap_err(),
        ] {
            let reported = format!("{refused:#}");
            assert!(
                reported.contains("line 2: the key must be 64"),
                "{reported}"
            );
            assert!(!reported.contains("c0ffee"), "{reported}");
        }
        let kept = fs::read_to_string(path(folder.path())).unwrap();
        assert_eq!(kept, "# keys\n1 c0ffee\n");
    }

    #[test]
    fn a_key_ring_that_the_group_can_read_is_warned_of_and_one_that_all_can_is_refused() {
        let folder = TempDir::new().unwrap();
        key_ring(folder.path(), NOW).unwrap();
        fs::set_permissions(path(folder.path()), Permissions::from_mode(0o640)).unwrap();
        let warnings = key_ring(folder.path(), NOW).unwrap().warnings;
        assert!(warnings[0].contains("chmod 600"), "{warnings:?}");
        fs::set_permissions(path(folder.path()), Permissions::from_mode(0o604)).unwrap();
        let refused = key_ring(folder.path(), NOW).unwrap_err().to_string();
        assert!(refused.contains("chmod o= "), "{refused}");
    }
}
