//! Where the repository is and which files belong to it. It must not look outside the
//! repository, nor at files that git ignores.

use std::collections::BTreeSet;
use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::process::Run;

/// The checked-out repository.
#[derive(Debug)]
pub(crate) struct Repo {
    root: PathBuf,
}

impl Repo {
    /// Finds the repository from any folder inside it.
    pub(crate) fn find() -> Result<Self> {
        // `cargo run` says where this package is, which holds in copies of the repository that
        // share one target folder. A binary started by hand asks git instead.
        let beside_xtask = env::var_os("CARGO_MANIFEST_DIR")
            .and_then(|folder| Path::new(&folder).parent().map(Path::to_path_buf));
        if let Some(root) = beside_xtask {
            return Ok(Self { root });
        }
        let here = env::current_dir().context("the current folder cannot be read")?;
        let root = Run::new("git", ["rev-parse", "--show-toplevel"]).capture(&here)?;
        Ok(Self {
            root: PathBuf::from(root.trim_end()),
        })
    }

    /// The repository in a folder a test has made.
    #[cfg(test)]
    pub(crate) fn at(root: &Path) -> Self {
        Self {
            root: root.to_path_buf(),
        }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Where cargo puts what it builds.
    pub(crate) fn target(&self) -> Result<PathBuf> {
        let mut metadata = cargo_metadata::MetadataCommand::new();
        let metadata = metadata.current_dir(&self.root).no_deps().exec()?;
        Ok(metadata.target_directory.into_std_path_buf())
    }

    /// Every file that is committed or about to be, relative to the root, in order.
    ///
    /// Files not yet added are included: their violations are found before the commit, and a clean
    /// clone has none. Files deleted on disk are not.
    pub(crate) fn files(&self) -> Result<BTreeSet<String>> {
        let list = [
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ];
        let output = Run::new("git", list).capture(&self.root)?;
        Ok(output
            .split('\0')
            .filter(|path| !path.is_empty() && self.root.join(path).is_file())
            .map(str::to_owned)
            .collect())
    }
}
