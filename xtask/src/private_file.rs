//! Files of steps that hold a secret. Every one must be its owner's alone, or the program refuses
//! it.

use anyhow::{Context as _, Result};
use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

/// Writes a new file that its owner alone can read.
pub(crate) fn write(path: impl AsRef<Path>, content: &str) -> Result<()> {
    let path = path.as_ref();
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
        .with_context(|| format!("{} cannot be made", path.display()))?;
    file.write_all(content.as_bytes())
        .with_context(|| format!("{} cannot be written", path.display()))
}
