//! `manilla backup`: copies of the embedded store, made while a server works on it. It must never
//! change the store, nor overwrite a copy.

mod create;
pub(in crate::commands) mod manifest;
mod verify;

pub(crate) use self::verify::run as verify;

use clap::Subcommand;

use crate::config::Config;
use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub(crate) enum BackupCommand {
    /// Copy the database of the data folder into a new file, beside a running server
    Create(create::BackupCreateOptions),
    /// Check every page, index and reference of a copy, and whether it is what was written
    Verify(verify::BackupVerifyOptions),
}

pub(crate) async fn run(command: BackupCommand, config: &Config) -> Result<(), Failure> {
    match command {
        BackupCommand::Create(options) => create::run(&options, config).await,
        BackupCommand::Verify(options) => verify(&options).await,
    }
}

/// Refuses where the store is a shared database, whose own tools make copies of it.
pub(in crate::commands) fn is_embedded(config: &Config) -> Result<(), Failure> {
    if config.database.reachable()?.is_none() {
        return Ok(());
    }
    let why = "names a database of PostgreSQL, which is backed up and restored with its own tools; \
               see docs/operations/backup.md";
    Err(Failure::flag("--database", why))
}
