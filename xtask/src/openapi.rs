//! Compares the files that are made from the interface with those that are there. It must not know
//! how they are made: the tool that does is a crate of its own.

use anyhow::Result;
use clap::Args;

use crate::process::Run;
use crate::programs::Program;
use crate::repo::Repo;

#[derive(Args, Debug, Default)]
pub(crate) struct OpenapiOptions {
    /// Write the files anew
    #[arg(long)]
    bless: bool,
}

pub(crate) fn run(repo: &Repo, options: &OpenapiOptions) -> Result<()> {
    let tool = Program::Binary("interface-docs").build(repo)?;
    let bless = options.bless.then_some("--bless");
    Run::new(&tool.to_string_lossy(), bless).stream(repo.root())
}
