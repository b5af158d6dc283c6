//! `manilla sender`. It must work beside a running server, which takes a decision into account with
//! the next message.

mod add;
mod decide;
mod list;

use clap::Subcommand;
use domain::sms::{SenderSerial, SenderStatus};
use serde::Serialize;

pub(crate) use self::add::register;
use crate::config::Config;
use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub(crate) enum SenderCommand {
    /// Register a sender name for an account; messages need it approved
    Add(add::SenderAddOptions),
    /// Let an account send messages under a sender
    Approve(decide::Approve),
    /// Let an account send no messages under a sender, now and until it is approved again
    Reject(decide::Reject),
    /// Show every sender with its serial number and its state
    List(list::SenderListOptions),
}

pub(crate) async fn run(command: SenderCommand, config: &Config) -> Result<(), Failure> {
    match command {
        SenderCommand::Add(options) => add::run(&options, config).await,
        SenderCommand::Approve(approve) => {
            decide::run(&approve.options, SenderStatus::Approved, config).await
        }
        SenderCommand::Reject(reject) => {
            decide::run(&reject.options, SenderStatus::Rejected, config).await
        }
        SenderCommand::List(options) => list::run(&options, config).await,
    }
}

/// A sender as scripts read it.
#[derive(Debug, Serialize)]
struct Row {
    serial: String,
    #[serde(rename = "mrcIdentity")]
    identity: String,
    name: String,
    status: &'static str,
}

/// The serial number a flag names.
fn serial(text: &str) -> Result<SenderSerial, Failure> {
    SenderSerial::parse(text).map_err(|error| Failure::flag("--serial", error))
}
