//! The example of a team's own gateway, outside the workspace: it is built and run as the team
//! would. It must take no change of any file of the repository.

use std::fs;

use anyhow::{Context as _, Result, ensure};

use crate::process::Run;
use crate::repo::Repo;

/// Where the example is.
const EXAMPLE: &str = "docs/examples/custom-provider";

pub(crate) fn run(repo: &Repo) -> Result<()> {
    let example = repo.root().join(EXAMPLE);
    let target = repo.target()?;
    // The versions of the workspace: what it has built is used again. The copy is ignored by git.
    fs::copy(repo.root().join("Cargo.lock"), example.join("Cargo.lock"))
        .context("the lock file of the workspace cannot be copied")?;
    let target = target.to_string_lossy().into_owned();
    Run::cargo(["fmt", "--check"]).stream(&example)?;
    Run::cargo(["build"])
        .variable("CARGO_TARGET_DIR", &*target)
        .stream(&example)?;
    let program = format!("{target}/debug/custom-provider");
    let listed = Run::new(&program, ["provider", "list"]).capture(&example)?;
    print!("{listed}");
    ensure!(
        listed.contains("\nshop "),
        "the adapter of the example is not in the list of its own gateway"
    );
    Ok(())
}
