//! A team's own gateway, outside the workspace: it is made by `new-provider` of the example, built
//! and run as the team would. It must take no change of any file of the repository.

use std::fs;

use anyhow::{Context as _, Result, ensure};

use crate::new_provider::{self, EXAMPLE};
use crate::process::Run;
use crate::repo::Repo;

/// What the team's adapter is called.
const NAME: &str = "acme";

pub(crate) fn run(repo: &Repo) -> Result<()> {
    let target = repo.target()?;
    let team = target.join("new-provider").join(NAME);
    if team.exists() {
        fs::remove_dir_all(&team).context("what was made before cannot be removed")?;
    }
    new_provider::write(repo, NAME, &team)?;
    let target = target.to_string_lossy().into_owned();
    for folder in [repo.root().join(EXAMPLE), team.clone()] {
        Run::cargo(["fmt", "--check"]).stream(&folder)?;
    }
    // What the workspace has built is used again.
    Run::cargo(["build"])
        .variable("CARGO_TARGET_DIR", &*target)
        .stream(&team)?;
    let program = format!("{target}/debug/{NAME}");
    let listed = Run::new(&program, ["provider", "list"]).capture(&team)?;
    print!("{listed}");
    ensure!(
        listed.contains(&format!("\n{NAME} ")),
        "the adapter is not in the list of its own gateway"
    );
    Ok(())
}
