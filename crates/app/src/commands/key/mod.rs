//! `manilla key`. A key must be shown once, to its maker alone.

mod revoke;
mod rotate;

use clap::Subcommand;

use crate::config::Config;
use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub(crate) enum KeyCommand {
    /// Make another key for an account and show it, once; the one before it goes on working
    Rotate(rotate::KeyRotateOptions),
    /// Make keys of an account stop working
    Revoke(revoke::KeyRevokeOptions),
}

pub(crate) async fn run(command: KeyCommand, config: &Config) -> Result<(), Failure> {
    match command {
        KeyCommand::Rotate(options) => rotate::run(&options, config).await,
        KeyCommand::Revoke(options) => revoke::run(&options, config).await,
    }
}
