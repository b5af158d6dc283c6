//! A copy of the repository that mutants are made in. It must leave files that are as they should
//! be untouched, so that what was built stays built.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::repo::Repo;

/// The copy, and where it is built.
#[derive(Debug)]
pub(super) struct SourceTree {
    pub(super) root: PathBuf,
    pub(super) target: PathBuf,
    /// Where cargo-mutants writes what it found.
    pub(super) found: PathBuf,
}

impl SourceTree {
    /// Makes the copy as the repository is now, whatever was left of an interrupted run.
    pub(super) fn copy(repo: &Repo, home: &Path) -> Result<Self> {
        let root = home.join("tree");
        let files = repo.files()?;
        for file in &files {
            let bytes =
                fs::read(repo.root().join(file)).with_context(|| format!("reading {file}"))?;
            let copy = root.join(file);
            if fs::read(&copy).is_ok_and(|there| there == bytes) {
                continue;
            }
            fs::create_dir_all(copy.parent().unwrap_or(&root))?;
            fs::write(&copy, bytes).with_context(|| format!("writing {}", copy.display()))?;
        }
        let tree = Self {
            root,
            target: home.join("target"),
            found: home.join("found"),
        };
        tree.remove_others(&tree.root, &|path| files.contains(path))?;
        fs::create_dir_all(&tree.found)?;
        Ok(tree)
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
