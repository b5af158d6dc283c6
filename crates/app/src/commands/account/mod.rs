//! `manilla account`. It must work beside a running server.

mod adjust;
mod billing;
mod create;
mod credit;
mod list;
mod low_balance;
mod status;
mod topup;
mod update;

use clap::Subcommand;
use domain::account::{AccountId, AccountStatus};
use domain::money::{Currency, Money};
use ports::PortError;

pub(crate) use self::create::{NewAccountView, OpenedAccount};
use crate::compose::AdminContext;
use crate::config::Config;
use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub(crate) enum AccountCommand {
    /// Open an account and show its key, once
    Create(create::AccountCreateOptions),
    /// Pay money into an account; repeating a reference changes nothing
    Credit(credit::AccountCreditOptions),
    /// Correct a balance, upwards or downwards; above a limit a second operator confirms
    Adjust(adjust::AccountAdjustOptions),
    /// Show what merchants announced to pay in, and confirm what arrived
    #[command(subcommand, name = "topup")]
    TopUp(topup::TopUpCommand),
    /// Choose what the messages of an account are charged to
    Billing(billing::AccountBillingOptions),
    /// Set the e-mail address and the phone number of an account
    Update(update::AccountUpdateOptions),
    /// Set the balance below which an account gets an event
    LowBalance(low_balance::AccountLowBalanceOptions),
    /// Let an account do nothing any more; what it has open is still settled
    Suspend(status::Suspend),
    /// Let a suspended account work again
    Resume(status::Resume),
    /// Show every account with its balance
    List(list::AccountListOptions),
}

pub(crate) async fn run(command: AccountCommand, config: &Config) -> Result<(), Failure> {
    match command {
        AccountCommand::Create(options) => create::run(&options, config).await,
        AccountCommand::Credit(options) => credit::run(&options, config).await,
        AccountCommand::Adjust(options) => Box::pin(adjust::run(&options, config)).await,
        AccountCommand::TopUp(command) => topup::run(command, config).await,
        AccountCommand::Billing(options) => billing::run(&options, config).await,
        AccountCommand::Update(options) => update::run(&options, config).await,
        AccountCommand::LowBalance(options) => low_balance::run(&options, config).await,
        AccountCommand::Suspend(suspend) => {
            status::run(&suspend.options, AccountStatus::Suspended, config).await
        }
        AccountCommand::Resume(resume) => {
            status::run(&resume.options, AccountStatus::Active, config).await
        }
        AccountCommand::List(options) => list::run(&options, config).await,
    }
}

/// What an account can spend in a currency; `None` where it has no such wallet.
async fn available(
    context: &AdminContext,
    account: &AccountId,
    currency: Currency,
) -> Result<Option<Money>, PortError> {
    let wallets = context.transactions.wallets(account).await?;
    let mut balances = wallets.into_iter().map(|wallet| wallet.available);
    Ok(balances.find(|balance| balance.currency() == currency))
}

/// The word scripts know a status by.
const fn status_word(status: AccountStatus) -> &'static str {
    match status {
        AccountStatus::Active => "active",
        AccountStatus::Suspended => "suspended",
    }
}
