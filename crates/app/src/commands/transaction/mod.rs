//! `manilla transaction`: single payments for people who must explain them. It must change nothing.

mod attempts;
mod show;

use clap::Subcommand;

use crate::config::Config;
use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub(crate) enum TransactionCommand {
    /// Show one payment: its attempts with what the provider said, its events and its transfers
    Show(show::TransactionShowOptions),
}

pub(crate) async fn run(command: TransactionCommand, config: &Config) -> Result<(), Failure> {
    match command {
        TransactionCommand::Show(options) => show::run(&options, config).await,
    }
}
