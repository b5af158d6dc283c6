//! `manilla account topup`. It must work beside a running server.

mod confirm;
mod list;

use clap::Subcommand;
use domain::top_up::TopUpState;
use serde::Serialize;

use crate::commands::moment;
use crate::config::Config;
use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub(crate) enum TopUpCommand {
    /// Show the top-ups that merchants announced and no operator confirmed
    List(list::TopUpListOptions),
    /// Credit a top-up whose money arrived; confirming it again changes nothing
    Confirm(confirm::TopUpConfirmOptions),
}

pub(super) async fn run(command: TopUpCommand, config: &Config) -> Result<(), Failure> {
    match command {
        TopUpCommand::List(options) => list::run(&options, config).await,
        TopUpCommand::Confirm(options) => confirm::run(&options, config).await,
    }
}

/// A top-up as scripts read it.
#[derive(Debug, Serialize)]
struct Row {
    #[serde(rename = "mrcIdentity")]
    identity: String,
    #[serde(rename = "mrcReference")]
    reference: String,
    #[serde(rename = "txnReference")]
    number: u64,
    #[serde(rename = "txnChannel")]
    channel: &'static str,
    amount: String,
    currency: &'static str,
    announced: String,
    expires: String,
}

impl Row {
    fn of(state: &TopUpState) -> Self {
        let top_up = &state.top_up;
        Self {
            identity: top_up.account.to_string(),
            reference: top_up.reference.to_string(),
            number: top_up.number.get(),
            channel: top_up.channel.code(),
            amount: top_up.amount.to_string(),
            currency: top_up.amount.currency().code(),
            announced: moment(top_up.created_at),
            expires: moment(top_up.expires_at),
        }
    }
}
