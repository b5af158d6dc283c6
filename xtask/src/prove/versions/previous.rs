//! The program of the release before, built from its commit. The checkout must stay as it is: the
//! sources lie below the target folder, and so does what is built of them.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};

use crate::process::Run;
use crate::repo::Repo;

/// The release before, and the commit that dated it.
pub(super) const RELEASE: &str = "0.2.0";
const COMMIT: &str = "c355417070ef0e86007c44b987831ed6df262257";

/// Builds it once; what is built already is taken again.
pub(super) fn build(repo: &Repo) -> Result<PathBuf> {
    let folder = repo.target()?.join("prove").join("previous");
    let (source, target) = (folder.join("source"), folder.join("target"));
    if source.exists() {
        fs::remove_dir_all(&source).context("the sources of before cannot be removed")?;
    }
    fs::create_dir_all(&source)?;
    let archive = folder.join("source.tar");
    let file = archive.to_string_lossy();
    let written = ["archive", "--format=tar", "--output", &file, COMMIT];
    Run::new("git", written).capture(repo.root())?;
    // The files have the time of the commit, so that nothing is built again.
    Run::new("tar", ["-xf", &file]).capture(&source)?;
    fs::remove_file(&archive)?;
    Run::cargo(["build", "--locked", "--package", "app", "--target-dir"])
        .argument(&target.to_string_lossy())
        .stream(&source)?;
    Ok(target.join("debug").join("manilla"))
}
