//! `manilla delivery`: what is on its way to merchants' endpoints, and what became of it. It must
//! change nothing; `manilla webhook replay` has deliveries made again.

mod list;
mod rows;

use clap::Subcommand;

use crate::config::Config;
use crate::failure::Failure;

pub(crate) use self::rows::{ShownDelivery, table};

#[derive(Debug, Subcommand)]
pub(crate) enum DeliveryCommand {
    /// List the deliveries of an account, the newest event first
    List(list::DeliveryListOptions),
}

pub(crate) async fn run(command: DeliveryCommand, config: &Config) -> Result<(), Failure> {
    match command {
        DeliveryCommand::List(options) => list::run(&options, config).await,
    }
}
