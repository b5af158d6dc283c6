//! `manilla refund`. It must work beside a running server.

mod decide;
mod list;

pub(super) use decide::{DecidedRefund, decide};

use clap::Subcommand;
use domain::refund::RefundVerdict;

use crate::config::Config;
use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub(crate) enum RefundCommand {
    /// Show the refunds that merchants asked for and that wait, oldest first
    List(list::RefundListOptions),
    /// Give the price of a payment back; above a limit a second operator confirms
    Approve(decide::RefundApproveOptions),
    /// Refuse a refund
    Refuse(decide::RefundRefuseOptions),
}

pub(crate) async fn run(command: RefundCommand, config: &Config) -> Result<(), Failure> {
    let (verdict, choice) = match command {
        RefundCommand::List(options) => return list::run(&options, config).await,
        RefundCommand::Approve(options) => (RefundVerdict::Approved, options.choice()),
        RefundCommand::Refuse(options) => (RefundVerdict::Refused, options.choice()),
    };
    decide::run((verdict, &choice), config).await
}
