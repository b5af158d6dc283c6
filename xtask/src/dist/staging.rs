//! Folders of files that an archive is made of, with the modes and dates that they get there. It
//! must not depend on the user, the umask or the time of the build.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};
use tempfile::TempDir;

use super::completions::CompletionFile;
use crate::repo::Repo;

/// What the packages of a version have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReleaseFiles<'a> {
    pub(crate) program: &'a [u8],
    /// The sample of the settings.
    pub(crate) settings: &'a str,
    /// What shells read.
    pub(crate) completions: &'a [CompletionFile],
    pub(crate) version: &'a str,
    /// The moment of the files, in seconds since 1970.
    pub(crate) epoch: u64,
}

/// A folder under way.
#[derive(Debug)]
pub(crate) struct StagedFolder {
    folder: TempDir,
    epoch: u64,
    /// What dpkg calls the installed size: each file and folder in KiB, rounded up.
    kibibytes: u64,
}

impl StagedFolder {
    pub(crate) fn new(epoch: u64) -> Result<Self> {
        Ok(Self {
            folder: tempfile::tempdir().context("no folder for what is packaged")?,
            epoch,
            kibibytes: 0,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) const fn kibibytes(&self) -> u64 {
        self.kibibytes
    }

    pub(crate) fn add(&mut self, place: &str, content: &[u8], mode: u32) -> Result<()> {
        let path = self.folder.path().join(place);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&path, content)?;
        fs::set_permissions(&path, Permissions::from_mode(mode))?;
        let length = u64::try_from(content.len())?;
        self.kibibytes = self.kibibytes.saturating_add(length.div_ceil(1024));
        Ok(())
    }

    /// Adds files of the repository, which are readable by everyone.
    pub(crate) fn add_from(&mut self, repo: &Repo, files: &[(&str, &str)]) -> Result<()> {
        for (source, place) in files {
            let content = fs::read(repo.root().join(source));
            let content = content.with_context(|| format!("{source} cannot be read"))?;
            self.add(place, &content, 0o644)?;
        }
        Ok(())
    }

    /// Gives all of it the same date, and folders their modes. Nothing may be added afterwards.
    pub(crate) fn finish(&self) -> Result<()> {
        let moment = SystemTime::UNIX_EPOCH
            .checked_add(Duration::from_secs(self.epoch))
            .context("the date is out of range")?;
        let mut folders = vec![self.folder.path().to_path_buf()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder)? {
                let path = entry?.path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    date(&path, moment)?;
                }
            }
            fs::set_permissions(&folder, Permissions::from_mode(0o755))?;
            date(&folder, moment)?;
        }
        Ok(())
    }
}

fn date(path: &PathBuf, moment: SystemTime) -> Result<()> {
    Ok(File::open(path)?.set_modified(moment)?)
}
