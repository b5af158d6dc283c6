//! Packages from the registries of Python and JavaScript that checks need, pinned and installed
//! into the target folder. It must not install anything that is there already.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::process::Run;
use crate::repo::Repo;

/// Installs packages for Python into an environment of their own, whose programs are in `bin`.
pub(crate) fn python(repo: &Repo, home: &Path, packages: &[&str]) -> Result<()> {
    if is_installed(home, packages) {
        return Ok(());
    }
    println!("{} will be installed", packages.join(", "));
    let needed = "python3 with its venv module is needed, such as Debian's python3-venv";
    Run::new(
        "python3",
        ["-m", "venv", "--clear", &home.to_string_lossy()],
    )
    .stream(repo.root())
    .context(needed)?;
    let install = ["install", "--quiet", "--disable-pip-version-check"];
    let install = install.into_iter().chain(packages.iter().copied());
    Run::new(&home.join("bin/pip").to_string_lossy(), install).stream(repo.root())?;
    remember(home, packages)
}

/// Installs packages for JavaScript, under `node_modules`.
pub(crate) fn javascript(home: &Path, packages: &[&str]) -> Result<()> {
    if is_installed(home, packages) {
        return Ok(());
    }
    println!("{} will be installed", packages.join(", "));
    fs::create_dir_all(home)?;
    // What runs beside the packages is made of modules of the standard.
    fs::write(home.join("package.json"), r#"{"type": "module"}"#)?;
    let install = ["install", "--silent", "--no-audit", "--no-fund"];
    Run::new("npm", install.into_iter().chain(packages.iter().copied()))
        .stream(home)
        .context("npm is needed, such as Debian's packages nodejs and npm")?;
    remember(home, packages)
}

/// The note that all of them are there: an installation that was interrupted has none.
fn note(home: &Path) -> PathBuf {
    home.join("installed")
}

fn is_installed(home: &Path, packages: &[&str]) -> bool {
    fs::read_to_string(note(home)).is_ok_and(|installed| installed == packages.join("\n"))
}

fn remember(home: &Path, packages: &[&str]) -> Result<()> {
    Ok(fs::write(note(home), packages.join("\n"))?)
}
