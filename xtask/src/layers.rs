//! Which crate may depend on which. The arrows are a table in `table`, the judgement a pure
//! function in `check`; this file only fetches the graph and prints. It must not compile anything.

mod check;
mod graph;
mod table;

use anyhow::{Result, bail};

use crate::repo::Repo;

pub(crate) fn run(repo: &Repo) -> Result<()> {
    let packages = graph::load(repo)?;
    let violations = check::violations(table::LAYERS, &packages);
    for violation in &violations {
        println!("{violation}");
    }
    match violations.len() {
        0 => {
            println!("layers: {} crates keep to the table", packages.len());
            Ok(())
        }
        count => bail!("layers: {count} violation(s); the table is xtask/src/layers/table.rs"),
    }
}
