//! Builds what is measured, then measures it. It must not be part of `ci`: a figure says something
//! about the machine too, and no build may fail for being slow.

use anyhow::Result;
use clap::Args;

use crate::process::Run;
use crate::repo::Repo;

#[derive(Args, Debug)]
pub(crate) struct BenchOptions {
    /// Passed on, such as `reads --rounds 1`; without a command, payments are measured
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    passed_on: Vec<String>,
}

pub(crate) fn run(repo: &Repo, options: &BenchOptions) -> Result<()> {
    // Standard output is for the figures: programs read them.
    Run::cargo(["build", "--profile", "dist", "--locked", "-p", "app"]).hand_over(repo.root())?;
    let bench = [
        "bench", "--quiet", "--locked", "-p", "tests", "--bench", "speed", "--",
    ];
    let passed_on = options.passed_on.iter().map(String::as_str);
    Run::cargo(bench.into_iter().chain(passed_on)).hand_over(repo.root())
}
