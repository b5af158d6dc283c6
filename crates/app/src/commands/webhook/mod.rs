//! `manilla webhook`: what integrators and operators do about events that are delivered.

mod listen;
mod replay;

use clap::Subcommand;

use crate::config::Config;
use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Receive events on this machine, verify their signatures and show them
    Listen(listen::Options),
    /// Have events delivered again: one, or those of a time
    Replay(replay::Options),
}

pub(crate) async fn run(command: Command, config: &Config) -> Result<(), Failure> {
    match command {
        Command::Listen(options) => listen::run(&options).await,
        Command::Replay(options) => replay::run(&options, config).await,
    }
}
