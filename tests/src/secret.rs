//! Files of suites that hold a secret. Every one must be its owner's alone, or the program refuses
//! it.

use std::fs::{OpenOptions, Permissions};
use std::io::Write as _;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

/// Writes a file that its owner alone can read, in place of the one that may be there.
///
/// # Panics
/// When it cannot be written.
pub fn write(path: impl AsRef<Path>, content: impl AsRef<[u8]>) {
    let path = path.as_ref();
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(path);
    let written = file.and_then(|mut file| file.write_all(content.as_ref()));
    written.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// Gives a file other rights, such as `0o644`.
///
/// # Panics
/// When it cannot be changed.
pub fn chmod(path: impl AsRef<Path>, mode: u32) {
    let path = path.as_ref();
    let changed = std::fs::set_permissions(path, Permissions::from_mode(mode));
    changed.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}
