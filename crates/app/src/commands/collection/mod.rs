//! `manilla collection`. It must work beside a running server, and credit each session of a bank
//! once.

mod crediting;
mod import;
mod record;
mod statement;

use clap::Subcommand;

use crate::config::Config;
use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub(crate) enum CollectionCommand {
    /// Credit a payment that arrived at your bank
    Record(record::CollectionRecordOptions),
    /// Credit the payments of your bank's statement
    Import(import::CollectionImportOptions),
}

pub(crate) async fn run(command: CollectionCommand, config: &Config) -> Result<(), Failure> {
    match command {
        CollectionCommand::Record(options) => record::run(&options, config).await,
        CollectionCommand::Import(options) => import::run(&options, config).await,
    }
}
