//! `manilla webhook`: what integrators and operators do about events that are delivered.

mod listen;
mod replay;

use clap::Subcommand;

use crate::config::Config;
use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub(crate) enum WebhookCommand {
    /// Receive events on this machine, verify their signatures and show them
    Listen(listen::WebhookListenOptions),
    /// Have events delivered again: one, or those of a time
    Replay(replay::WebhookReplayOptions),
}

pub(crate) async fn run(command: WebhookCommand, config: &Config) -> Result<(), Failure> {
    match command {
        WebhookCommand::Listen(options) => listen::run(&options).await,
        WebhookCommand::Replay(options) => replay::run(&options, config).await,
    }
}
