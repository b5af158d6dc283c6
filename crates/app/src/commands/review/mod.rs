//! `manilla review`: payments that only a person can decide. It must never decide by itself.

mod list;
pub(in crate::commands) mod resolve;
pub(in crate::commands) mod vend;

use clap::Subcommand;

use crate::config::Config;
use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub(crate) enum ReviewCommand {
    /// Show the payments that wait for a person, oldest first
    List(list::ReviewListOptions),
    /// Decide one, with evidence; above a limit a second person confirms
    Resolve(Box<resolve::ReviewResolveOptions>),
}

pub(crate) async fn run(command: ReviewCommand, config: &Config) -> Result<(), Failure> {
    match command {
        ReviewCommand::List(options) => list::run(&options, config).await,
        ReviewCommand::Resolve(options) => resolve::run(&options, config).await,
    }
}
