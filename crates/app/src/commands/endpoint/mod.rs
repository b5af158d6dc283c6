//! `manilla endpoint`: where merchants have events delivered to. It must change nothing: endpoints
//! are the merchants' own.

mod list;

use clap::Subcommand;

use crate::config::Config;
use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub(crate) enum EndpointCommand {
    /// List the endpoints of an account, or of every account, and whether they are served
    List(list::EndpointListOptions),
}

pub(crate) async fn run(command: EndpointCommand, config: &Config) -> Result<(), Failure> {
    match command {
        EndpointCommand::List(options) => list::run(&options, config).await,
    }
}
