//! A copy of the repository that mutants are made in. It must leave files that are as they should
//! be untouched, so that what was built stays built.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::repo::Repo;

/// Texts by the paths of their files.
pub(super) type Changed = BTreeMap<String, String>;

/// The copy, and where it is built.
#[derive(Debug)]
pub(super) struct SourceTree {
    pub(super) root: PathBuf,
    pub(super) target: PathBuf,
    /// Where cargo-mutants writes what it found.
    pub(super) found: PathBuf,
}

impl SourceTree {
    /// Makes the copy as the repository is now, whatever was left of an interrupted run, but for
    /// the files that stand here with another text, or in addition.
    pub(super) fn copy(repo: &Repo, home: &Path, changed: &Changed) -> Result<Self> {
        let tree = Self {
            root: home.join("tree"),
            target: home.join("target"),
            found: home.join("found"),
        };
        let files = repo.files()?;
        for file in files.iter().filter(|file| !changed.contains_key(*file)) {
            let bytes =
                fs::read(repo.root().join(file)).with_context(|| format!("reading {file}"))?;
            tree.write(file, &bytes)?;
        }
        for (file, text) in changed {
            tree.write(file, text.as_bytes())?;
        }
        let belongs = |path: &str| files.contains(path) || changed.contains_key(path);
        tree.remove_others(&tree.root, &belongs)?;
        fs::create_dir_all(&tree.found)?;
        Ok(tree)
    }

    /// Writes a file that is not as it should be.
    pub(super) fn write(&self, file: &str, bytes: &[u8]) -> Result<()> {
        let copy = self.root.join(file);
        if fs::read(&copy).is_ok_and(|there| there == bytes) {
            return Ok(());
        }
        fs::create_dir_all(copy.parent().unwrap_or(&self.root))?;
        fs::write(&copy, bytes).with_context(|| format!("writing {}", copy.display()))
    }

    /// Removes files the repository no longer has: a module or a test would still be built.
    fn remove_others(&self, folder: &Path, belongs: &dyn Fn(&str) -> bool) -> Result<()> {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                self.remove_others(&path, belongs)?;
                continue;
            }
            let name = path.strip_prefix(&self.root)?;
            if !belongs(&name.to_string_lossy()) {
                fs::remove_file(&path)?;
            }
        }
        Ok(())
    }
}
