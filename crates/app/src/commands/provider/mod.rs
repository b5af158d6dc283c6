//! `manilla provider`: what operators and their teams do about providers.

mod serve_sandbox;

use clap::Subcommand;

use crate::config::Config;
use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub(crate) enum ProviderCommand {
    /// Serve the sandbox provider as a process of its own, over the provider protocol
    ServeSandbox(serve_sandbox::ServeSandboxOptions),
}

pub(crate) async fn run(command: ProviderCommand, config: &Config) -> Result<(), Failure> {
    match command {
        ProviderCommand::ServeSandbox(options) => serve_sandbox::run(options, config).await,
    }
}
