//! `manilla dead-letter`: changes a provider reported that could not be applied. It must never drop
//! one: what waits here is money or a receipt that is not booked yet.

mod list;
mod retry;

use clap::Subcommand;

use crate::config::Config;
use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub(crate) enum DeadLetterCommand {
    /// Show the changes that wait, why, and since when
    List(list::DeadLetterListOptions),
    /// Have the running server try every one of them at once
    Retry(retry::DeadLetterRetryOptions),
}

/// Has every one of them tried again.
pub(in crate::commands) async fn retry(json: bool, config: &Config) -> Result<(), Failure> {
    retry::run(&retry::DeadLetterRetryOptions { json }, config).await
}

pub(crate) async fn run(command: DeadLetterCommand, config: &Config) -> Result<(), Failure> {
    match command {
        DeadLetterCommand::List(options) => list::run(&options, config).await,
        DeadLetterCommand::Retry(options) => retry::run(&options, config).await,
    }
}
