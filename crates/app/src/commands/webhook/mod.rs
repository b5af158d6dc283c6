//! `manilla webhook`: what integrators and operators do about events that are delivered.

mod listen;

use clap::Subcommand;

use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Receive events on this machine, verify their signatures and show them
    Listen(listen::Options),
}

pub(crate) async fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Listen(options) => listen::run(&options).await,
    }
}
