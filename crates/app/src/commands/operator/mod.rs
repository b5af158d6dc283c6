//! `manilla operator`: who may act, and what was done. It must never show a private key.

mod add;
mod http_key;
mod key;
mod list;
mod log;
mod revoke;

use clap::Subcommand;

use crate::config::Config;
use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub(crate) enum OperatorCommand {
    /// Add an operator: yourself as the first one, or another by the public key
    Add(add::OperatorAddOptions),
    /// Make a key of your own and show its public key; it signs once an operator has added it
    Key(key::OperatorKeyOptions),
    /// Make a key of your own for requests over HTTP, or end the one of an operator
    HttpKey(http_key::OperatorHttpKeyOptions),
    /// Show every operator there is or was
    List(list::OperatorListOptions),
    /// Show what operators did
    Log(log::OperatorLogOptions),
    /// Let an operator sign nothing any more; what was signed before stays valid
    Revoke(revoke::OperatorRevokeOptions),
}

pub(crate) async fn run(command: OperatorCommand, config: &Config) -> Result<(), Failure> {
    match command {
        OperatorCommand::Add(options) => add::run(&options, config).await,
        OperatorCommand::Key(options) => key::run(&options, config),
        OperatorCommand::HttpKey(options) => http_key::run(&options, config).await,
        OperatorCommand::List(options) => list::run(&options, config).await,
        OperatorCommand::Log(options) => log::run(&options, config).await,
        OperatorCommand::Revoke(options) => revoke::run(&options, config).await,
    }
}

/// The name a flag holds.
fn name(text: &str) -> Result<domain::operator::OperatorName, Failure> {
    let name = domain::operator::OperatorName::parse(text);
    name.map_err(|error| Failure::flag("--name", error))
}
