//! `manilla account low-balance`: the balance below which an account gets an event. It must not
//! keep the account from spending the rest.

use clap::{ArgGroup, Args};
use domain::money::Money;
use serde::Serialize;

use super::available;
use crate::commands::{above_zero, currency, identity, no_such_account};
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::output;

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("wanted").required(true).args(["below", "off"])), after_help = "\
Its webhook endpoints receive account.low_balance each time a payment takes what it can spend
below that balance.

Examples:
  manilla account low-balance --identity shop_1 --below 5000.00
  manilla account low-balance --identity shop_1 --currency CRD --below 100.00 --json
  manilla account low-balance --identity shop_1 --off")]
pub(crate) struct AccountLowBalanceOptions {
    #[arg(long, value_name = "ID", help = "mrcIdentity of the account")]
    identity: String,
    /// The balance below which the event is sent
    #[arg(long, value_name = "AMOUNT")]
    below: Option<String>,
    /// Send the event no longer
    #[arg(long)]
    off: bool,
    /// Which wallet: NGN, or CRD for message credits
    #[arg(long, default_value = "NGN")]
    currency: String,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Changed<'a> {
    #[serde(rename = "mrcIdentity")]
    identity: &'a str,
    currency: &'static str,
    /// `null` where it was removed.
    #[serde(rename = "accLowBalance")]
    low_balance: Option<String>,
    #[serde(rename = "accBalance")]
    balance: Option<String>,
}

pub(super) async fn run(
    options: &AccountLowBalanceOptions,
    config: &Config,
) -> Result<(), Failure> {
    let account = identity(&options.identity)?;
    let currency = currency("--currency", &options.currency)?;
    let below = options.below.as_deref();
    let below = below
        .map(|amount| above_zero(("--below", amount), currency))
        .transpose()?;
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let set = context
        .accounts
        .set_low_balance(&account, currency, below)
        .await;
    let balance = available(&context, &account, currency).await;
    context.close().await;
    if !set? {
        return Err(no_such_account(&account));
    }
    let balance = balance?;
    if options.json {
        return Ok(output::json(&Changed {
            identity: account.as_str(),
            currency: currency.code(),
            low_balance: below.map(|below| below.to_string()),
            balance: balance.map(|balance| balance.to_string()),
        })?);
    }
    let code = currency.code();
    let Some(below) = below else {
        let said = format!("{account} gets no low-balance event in {code}.");
        return Ok(output::line(said)?);
    };
    let said = format!(
        "{account} gets an event when a payment takes its balance below {code} {below}{}.",
        balance.map_or_else(String::new, |balance| standing(balance, below))
    );
    Ok(output::line(said)?)
}

/// The balance now. Only a fall is an event, so a balance that is low already deserves a hint.
fn standing(balance: Money, below: Money) -> String {
    if balance.minor() < below.minor() {
        format!("; it has {balance}, so the event comes when that has been more and falls again")
    } else {
        format!("; it has {balance}")
    }
}
