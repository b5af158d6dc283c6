//! What is written beside a copy: what it has in it, and by what it is known again. It must be
//! written last, so that a copy with one is whole.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use sqlite::BackupContents;

use crate::commands::moment;
use crate::files::{self, FileAccess};
use crate::output;

/// Bytes that are hashed at a time.
const CHUNK: usize = 1 << 20;

/// What a copy is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::commands) struct Manifest {
    /// The program that made it.
    pub(in crate::commands) version: String,
    /// When it was begun: what was committed later is not in it.
    pub(in crate::commands) created_at: String,
    pub(in crate::commands) schema_version: i64,
    pub(in crate::commands) bytes: u64,
    pub(in crate::commands) sha256: String,
    pub(in crate::commands) transactions: u64,
    /// When the newest transaction was accepted.
    pub(in crate::commands) newest_transaction_at: Option<String>,
}

impl Manifest {
    /// Of a copy as it lies there.
    pub(super) fn of(
        copy: &Path,
        contents: &BackupContents,
        created_at: String,
    ) -> anyhow::Result<Self> {
        let (bytes, sha256) = hashed(copy)?;
        Ok(Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            created_at,
            schema_version: contents.schema,
            bytes,
            sha256,
            transactions: contents.transactions,
            newest_transaction_at: contents.newest_at.map(moment),
        })
    }

    /// That of a copy; `None` where there is none.
    pub(in crate::commands) fn read(copy: &Path) -> anyhow::Result<Option<Self>> {
        let path = path(copy);
        let cannot = || format!("{} cannot be read", path.display());
        let Some(text) = files::read(&path).with_context(cannot)? else {
            return Ok(None);
        };
        serde_json::from_slice(&text).with_context(cannot).map(Some)
    }

    /// Keeps it beside its copy.
    pub(super) fn write(&self, copy: &Path) -> anyhow::Result<()> {
        let path = path(copy);
        let text = serde_json::to_vec_pretty(self)?;
        files::replace(&path, &text, FileAccess::Private)
            .with_context(|| format!("{} cannot be written", path.display()))
    }

    /// Refuses a copy that is not the one this was written of.
    pub(in crate::commands) fn check(&self, copy: &Path) -> anyhow::Result<()> {
        let (bytes, sha256) = hashed(copy)?;
        if (bytes, &sha256) != (self.bytes, &self.sha256) {
            bail!(
                "{} is not what was written: {bytes} bytes with SHA-256 {sha256}, and {} has {} \
                 bytes with SHA-256 {}",
                copy.display(),
                path(copy).display(),
                self.bytes,
                self.sha256
            );
        }
        Ok(())
    }
}

/// Where the manifest of a copy lies.
pub(super) fn path(copy: &Path) -> PathBuf {
    files::beside(copy, ".json")
}

/// The size and the SHA-256 of a file.
fn hashed(path: &Path) -> anyhow::Result<(u64, String)> {
    let cannot = || format!("{} cannot be read", path.display());
    let mut file = File::open(path).with_context(cannot)?;
    let (mut hash, mut bytes, mut chunk) = (Sha256::new(), 0_u64, vec![0; CHUNK]);
    loop {
        let length = file.read(&mut chunk).with_context(cannot)?;
        let Some(read) = chunk.get(..length).filter(|read| !read.is_empty()) else {
            break;
        };
        hash.update(read);
        bytes = bytes.saturating_add(read.len() as u64);
    }
    Ok((bytes, output::hex(&hash.finalize())))
}
