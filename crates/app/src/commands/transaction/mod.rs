//! `manilla transaction`: single payments for people who must explain them. It must change nothing.

mod attempts;
mod list;
mod next;
mod refund;
mod resend;
mod show;
mod state_words;

pub(in crate::commands) use self::state_words::open as open_state;

use clap::Subcommand;

use crate::config::Config;
use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub(crate) enum TransactionCommand {
    /// List payments: of one account, or of all of them what is not final
    List(list::TransactionListOptions),
    /// Show one payment: its attempts with what the provider said, its events, its transfers and
    /// the deliveries of its events, and what happens next
    Show(show::TransactionShowOptions),
    /// Give back the price of a delivered payment; above a limit a second operator confirms
    Refund(refund::TransactionRefundOptions),
    /// Have the events of a payment delivered again; nothing is sent to a provider
    Resend(resend::TransactionResendOptions),
}

pub(crate) async fn run(command: TransactionCommand, config: &Config) -> Result<(), Failure> {
    match command {
        TransactionCommand::List(options) => list::run(&options, config).await,
        TransactionCommand::Show(options) => show::run(&options, config).await,
        TransactionCommand::Refund(options) => Box::pin(refund::run(&options, config)).await,
        TransactionCommand::Resend(options) => resend::run(&options, config).await,
    }
}
