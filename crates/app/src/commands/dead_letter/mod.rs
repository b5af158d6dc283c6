//! `manilla dead-letter`: changes a provider reported that could not be applied. It must never drop
//! one: what waits here is money or a receipt that is not booked yet.

mod list;
mod retry;

use clap::Subcommand;

use crate::config::Config;
use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show the changes that wait, why, and since when
    List(list::Options),
    /// Have the running server try every one of them at once
    Retry(retry::Options),
}

pub(crate) async fn run(command: Command, config: &Config) -> Result<(), Failure> {
    match command {
        Command::List(options) => list::run(&options, config).await,
        Command::Retry(options) => retry::run(&options, config).await,
    }
}
