//! `manilla operator`: who may act, and what was done. It must never show a private key.

mod add;
mod key;
mod list;
mod log;
mod revoke;

use clap::Subcommand;

use crate::config::Config;
use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Add an operator: yourself as the first one, or another by the public key
    Add(add::Options),
    /// Make a key of your own and show its public key; it signs once an operator has added it
    Key(key::Options),
    /// Show every operator there is or was
    List(list::Options),
    /// Show what operators did
    Log(log::Options),
    /// Let an operator sign nothing any more; what was signed before stays valid
    Revoke(revoke::Options),
}

pub(crate) async fn run(command: Command, config: &Config) -> Result<(), Failure> {
    match command {
        Command::Add(options) => add::run(&options, config).await,
        Command::Key(options) => key::run(&options, config),
        Command::List(options) => list::run(&options, config).await,
        Command::Log(options) => log::run(&options, config).await,
        Command::Revoke(options) => revoke::run(&options, config).await,
    }
}

/// The name a flag holds.
fn name(text: &str) -> Result<domain::operator::OperatorName, Failure> {
    let name = domain::operator::OperatorName::parse(text);
    name.map_err(|error| Failure::flag("--name", error))
}
