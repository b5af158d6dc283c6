//! What the receivers of the documentation need: the libraries of the standard, each from the
//! registry of its language. It must not install anything but those.

use anyhow::Result;

use crate::packages;
use crate::repo::Repo;

/// The release for Python.
const PYTHON: &str = "standardwebhooks==1.1.0";

/// The release for JavaScript.
const JAVASCRIPT: &str = "standardwebhooks@1.1.1";

/// Installs the libraries into the target folder unless they are there: `python/bin/python` and
/// `javascript/node_modules` of the folder `receivers`, where the suites look for them.
pub(crate) fn ensure(repo: &Repo) -> Result<()> {
    let home = repo.target()?.join("receivers");
    packages::python(repo, &home.join("python"), &[PYTHON])?;
    packages::javascript(&home.join("javascript"), &[JAVASCRIPT])
}
