//! What the receivers of the documentation need: the libraries of the standard, each from the
//! registry of its language. It must not install anything but those.

use anyhow::{Context, Result};

use crate::process::Run;
use crate::repo::Repo;

/// The release for Python.
const PYTHON: &str = "standardwebhooks==1.1.0";

/// The release for JavaScript.
const JAVASCRIPT: &str = "standardwebhooks@1.1.1";

/// Installs the libraries into the target folder unless they are there: `python/bin/python` and
/// `javascript/node_modules` of the folder `receivers`, where the suites look for them.
pub(crate) fn ensure(repo: &Repo) -> Result<()> {
    let home = repo.target()?.join("receivers");
    let python = home.join("python");
    if !python.join("installed").is_file() {
        let folder = python.to_string_lossy();
        let needed = "python3 with its venv module is needed, such as Debian's python3-venv";
        Run::new("python3", ["-m", "venv", &folder])
            .stream(repo.root())
            .context(needed)?;
        let install = ["install", "--quiet", "--disable-pip-version-check", PYTHON];
        Run::new(&python.join("bin/pip").to_string_lossy(), install).stream(repo.root())?;
        std::fs::write(python.join("installed"), PYTHON)?;
    }
    let javascript = home.join("javascript");
    if !javascript.join("installed").is_file() {
        std::fs::create_dir_all(&javascript)?;
        std::fs::write(javascript.join("package.json"), "{}")?;
        let install = ["install", "--silent", "--no-audit", "--no-fund", JAVASCRIPT];
        Run::new("npm", install)
            .stream(&javascript)
            .context("npm is needed, such as Debian's packages nodejs and npm")?;
        std::fs::write(javascript.join("installed"), JAVASCRIPT)?;
    }
    Ok(())
}
