//! `manilla review`: payments that only a person can decide. It must never decide by itself.

mod list;
mod resolve;

use clap::Subcommand;

use crate::config::Config;
use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show the payments that wait for a person, oldest first
    List(list::Options),
    /// Decide one, with evidence; above a limit a second person confirms
    Resolve(Box<resolve::Options>),
}

pub(crate) async fn run(command: Command, config: &Config) -> Result<(), Failure> {
    match command {
        Command::List(options) => list::run(&options, config).await,
        Command::Resolve(options) => resolve::run(&options, config).await,
    }
}
