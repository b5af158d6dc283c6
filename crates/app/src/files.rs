//! Files that must be whole or not there, and private ones. It must never leave half a file under
//! its final name.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{
    DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _,
};
use std::path::{Path, PathBuf};

/// The permissions of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileAccess {
    /// The owner alone reads and writes.
    Private,
    /// Everyone may read.
    Public,
}

impl FileAccess {
    const fn mode(self) -> u32 {
        match self {
            Self::Private => 0o600,
            Self::Public => 0o644,
        }
    }
}

/// Makes a folder that only its owner may enter; one that is there already is left as it is.
pub(crate) fn private_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// A lock that processes take in turn. It ends with the process, however that ends.
#[derive(Debug)]
pub(crate) struct Lock {
    /// Closing it ends the lock.
    _file: File,
}

impl Lock {
    /// Waits for the lock of a file and holds it. The file is made if need be, and its folder, and
    /// both stay.
    pub(crate) fn hold(path: &Path) -> io::Result<Self> {
        if let Some(folder) = path.parent() {
            private_folder(folder)?;
        }
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .mode(FileAccess::Private.mode())
            .open(path)?;
        file.lock()?;
        Ok(Self { _file: file })
    }
}

/// Writes a file that must not be there yet; `false` where it is.
pub(crate) fn create(path: &Path, bytes: &[u8], access: FileAccess) -> io::Result<bool> {
    let draft = draft(path, bytes, access)?;
    let linked = fs::hard_link(&draft, path);
    fs::remove_file(&draft)?;
    match linked {
        Ok(()) => sync_folder(path).map(|()| true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    }
}

/// Writes a file in the place of the one that may be there.
pub(crate) fn replace(path: &Path, bytes: &[u8], access: FileAccess) -> io::Result<()> {
    let draft = draft(path, bytes, access)?;
    fs::rename(&draft, path)?;
    sync_folder(path)
}

/// Removes a file that may not be there.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => sync_folder(path),
    }
}

/// The content of a file; `None` where there is none.
pub(crate) fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// The path of a file beside another one: the same, with this at the end.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Bytes that are free to a user where a path lies; `None` where that cannot be found out.
pub(crate) fn free_bytes(path: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(path).ok()?;
    found.f_bavail.checked_mul(found.f_frsize)
}

/// The user that owns a file or folder.
pub(crate) fn owner(path: &Path) -> io::Result<u32> {
    fs::metadata(path).map(|metadata| metadata.uid())
}

/// The access that others than the owner have, if any, as a sentence with the remedy.
pub(crate) fn exposure(path: &Path) -> io::Result<Option<String>> {
    let metadata = fs::metadata(path)?;
    let others = metadata.permissions().mode() & 0o077;
    let remedy = if metadata.is_dir() { "700" } else { "600" };
    Ok((others != 0).then(|| {
        let path = path.display();
        format!("others can get at {path}: run `chmod {remedy} {path}`")
    }))
}

/// Writes a file beside its final place, wholly and durably.
fn draft(path: &Path, bytes: &[u8], access: FileAccess) -> io::Result<PathBuf> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.draft", std::process::id()));
    let draft = path.with_file_name(name);
    // A draft under this name is of a process that died and left its number to us.
    remove(&draft)?;
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(access.mode())
        .open(&draft)?;
    // The mask of the process may have taken rights away that a public file is meant to have.
    file.set_permissions(Permissions::from_mode(access.mode()))?;
    file.write_all(bytes)?;
    file.sync_all()?;
    Ok(draft)
}

/// Makes the names in a file's folder durable.
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or_else(|| Path::new(".")))?.sync_all()
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_file_is_created_once_and_by_one() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("secret");
        assert!(create(&path, b"first", FileAccess::Private).unwrap());
        assert!(!create(&path, b"second", FileAccess::Private).unwrap());
        assert_eq!(read(&path).unwrap().unwrap(), b"first");
        assert_eq!(mode(&path), 0o600);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_replaced_file_is_the_new_one_with_the_new_access() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("cert");
        replace(&path, b"old", FileAccess::Private).unwrap();
        replace(&path, b"new", FileAccess::Public).unwrap();
        assert_eq!(read(&path).unwrap().unwrap(), b"new");
        assert_eq!(mode(&path), 0o644);
        remove(&path).unwrap();
        remove(&path).unwrap();
        assert_eq!(read(&path).unwrap(), None);
    }

    #[test]
    fn open_permissions_are_reported_with_the_command_that_closes_them() {
        let folder = TempDir::new().unwrap();
        let inner = folder.path().join("data");
        private_folder(&inner).unwrap();
        assert_eq!(exposure(&inner).unwrap(), None);
        fs::set_permissions(&inner, Permissions::from_mode(0o750)).unwrap();
        let reported = exposure(&inner).unwrap().unwrap();
        assert!(
            reported.ends_with(&format!("`chmod 700 {}`", inner.display())),
            "{reported}"
        );
    }
}
