//! `manilla key-ring`. It must show no key, but one that was made for a ring it cannot write to.

mod accept;
mod authenticate;
mod list;
mod rotate;

use anyhow::bail;
use clap::Subcommand;

use crate::config::Config;
use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub(crate) enum KeyRingCommand {
    /// Add a generation to the key ring, which seals from the next start on
    Rotate(rotate::KeyRingRotateOptions),
    /// Show the generations of the key ring, without their keys
    List(list::KeyRingListOptions),
    /// Accept the pepper and the key ring of this data folder where those before are lost
    Accept(accept::KeyRingAcceptOptions),
    /// Give rows authentication codes, after an upgrade or after they were altered
    Authenticate(authenticate::KeyRingAuthenticateOptions),
}

pub(crate) async fn run(command: &KeyRingCommand, config: &Config) -> Result<(), Failure> {
    match command {
        KeyRingCommand::Rotate(options) => rotate::run(options, config),
        KeyRingCommand::List(options) => list::run(options, config),
        KeyRingCommand::Accept(options) => accept::run(options, config).await,
        KeyRingCommand::Authenticate(options) => authenticate::run(options, config).await,
    }
}

/// Refuses a data folder that is not there: its name is probably misspelt.
fn data_folder_is_there(config: &Config) -> anyhow::Result<()> {
    if !config.data.is_dir() {
        bail!(
            "there is no data folder {}; name it with --data (it is made by `manilla serve`)",
            config.data.display()
        );
    }
    Ok(())
}
