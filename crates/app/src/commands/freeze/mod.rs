//! `manilla freeze` and `manilla unfreeze`: an operator stops an account, one of its keys or
//! services, a provider, or every payment. Nothing that was sent may be stopped by it: that is
//! concluded as before.

mod account;
mod everything;

use clap::{Args, Subcommand};
use domain::freeze::{FreezeReason, FreezeState};

use super::provider::pause;
use crate::config::Config;
use crate::failure::Failure;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla freeze account --identity shop_1 --reason 'chargebacks, case 12'
  manilla freeze account --identity shop_1 --service bank --reason 'payouts to new accounts'
  manilla freeze account --identity shop_1 --key 00c3a5d97b21f04e --reason 'the key was published'
  manilla freeze provider my-shop --reason 'answers do not add up'
  manilla freeze all --reason 'a fault in the prices'

Freezing never waits for a second operator. It is signed, and every instance reads it within a
second; an account opens nothing more once the command has answered.")]
pub(crate) struct FreezeOptions {
    #[command(subcommand)]
    what: Freeze,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla unfreeze account --identity shop_1 --reason 'case 12 is settled'
  manilla unfreeze provider my-shop
  manilla unfreeze all --reason 'prices are corrected'

What a merchant froze stays frozen: the merchant lets it go on, with POST /security/unfreeze.")]
pub(crate) struct UnfreezeOptions {
    #[command(subcommand)]
    what: Unfreeze,
}

#[derive(Debug, Subcommand)]
enum Freeze {
    /// Stop an account, one of its services or one of its keys
    Account(account::AccountFreezeOptions),
    /// Give a provider nothing new, as `provider pause` does
    Provider(pause::ProviderPauseOptions),
    /// Stop the payments of every account
    All(everything::FreezeAllOptions),
}

#[derive(Debug, Subcommand)]
enum Unfreeze {
    /// Let an account, one of its services or one of its keys go on
    Account(account::AccountUnfreezeOptions),
    /// Give a provider orders again, as `provider resume` does
    Provider(pause::ProviderResumeOptions),
    /// Let the payments of every account go on
    All(everything::UnfreezeAllOptions),
}

pub(crate) async fn freeze(options: &FreezeOptions, config: &Config) -> Result<(), Failure> {
    let state = FreezeState::Frozen;
    match &options.what {
        Freeze::Account(options) => account::run(&options.change, state, config).await,
        Freeze::Provider(options) => pause::pause(options, config).await,
        Freeze::All(options) => everything::run(&options.change, state, config).await,
    }
}

pub(crate) async fn unfreeze(options: &UnfreezeOptions, config: &Config) -> Result<(), Failure> {
    let state = FreezeState::Active;
    match &options.what {
        Unfreeze::Account(options) => account::run(&options.change, state, config).await,
        Unfreeze::Provider(options) => pause::resume(options, config).await,
        Unfreeze::All(options) => everything::run(&options.change, state, config).await,
    }
}

/// Why it is done, as `--reason` says it.
fn reason(text: &str) -> Result<FreezeReason, Failure> {
    FreezeReason::parse(text).map_err(|error| Failure::flag("--reason", error))
}
