//! Builds the program that is published: optimised, without symbols, and with the list of its
//! dependencies within it. It must not contain paths of the machine it was built on.

use std::env;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::process::Run;
use crate::repo::Repo;
use crate::tools::AUDITABLE;

pub(super) fn build(repo: &Repo, epoch: u64) -> Result<PathBuf> {
    AUDITABLE.ensure(repo)?;
    let options = [
        "auditable",
        "build",
        "--locked",
        "--profile=dist",
        "--package=app",
        "--bin=manilla",
    ];
    Run::cargo(options)
        .variable("CARGO_PROFILE_DIST_STRIP", "symbols")
        .variable("CARGO_PROFILE_DIST_DEBUG", "none")
        .variable("RUSTFLAGS", remapped(repo)?)
        .variable("SOURCE_DATE_EPOCH", epoch.to_string())
        .stream(repo.root())?;
    Ok(repo.target()?.join("dist/manilla"))
}

/// Has messages of panics name sources by paths that are the same everywhere.
fn remapped(repo: &Repo) -> Result<String> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| env::home_dir().map(|home| home.join(".cargo")));
    let home = home.context("where cargo keeps its packages cannot be found out")?;
    Ok(format!(
        "--remap-path-prefix={}=/manilla --remap-path-prefix={}=/cargo",
        repo.root().display(),
        home.display()
    ))
}
