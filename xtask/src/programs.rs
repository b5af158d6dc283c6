//! Programs of the workspace that checks run, built as the tests are: a smaller selection has
//! dependencies with fewer features, and all of them would be compiled and kept once more.

use std::path::PathBuf;

use anyhow::Result;

use crate::process::Run;
use crate::repo::Repo;

#[derive(Debug, Clone, Copy)]
pub(crate) enum Program {
    Binary(&'static str),
    Example(&'static str),
}

/// The smallest example: a selection with an example has what only tests depend on.
const SMALLEST: &str = "views";

impl Program {
    /// Builds it, and gives back where it is.
    pub(crate) fn build(self, repo: &Repo) -> Result<PathBuf> {
        let selection = ["build", "--quiet", "--locked", "--workspace"];
        let (wanted, path) = match self {
            Self::Binary(name) => (vec!["--bin", name, "--example", SMALLEST], name.to_owned()),
            Self::Example(name) => (vec!["--example", name], format!("examples/{name}")),
        };
        Run::cargo(selection.into_iter().chain(wanted)).stream(repo.root())?;
        Ok(repo.target()?.join("debug").join(path))
    }
}
