//! `manilla account list`. It must not show anything of a key.

use clap::Args;
use domain::account::Account;
use domain::ledger::Wallet;
use domain::money::Currency;
use serde::Serialize;

use super::status_word;
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla account list
  manilla account list --data /var/lib/manilla --json")]
pub(crate) struct AccountListOptions {
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    accounts: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    #[serde(rename = "mrcIdentity")]
    identity: String,
    #[serde(rename = "accName")]
    name: String,
    #[serde(rename = "accEmail")]
    email: Option<String>,
    #[serde(rename = "accPhone")]
    phone: Option<String>,
    environment: &'static str,
    status: &'static str,
    #[serde(rename = "accBalance")]
    balance: String,
    #[serde(rename = "accHeld")]
    held: String,
    #[serde(rename = "accCurrency")]
    currency: &'static str,
    /// The low-balance threshold; `null` where there is none.
    #[serde(rename = "accLowBalance")]
    low_balance: Option<String>,
    #[serde(rename = "crdBalance")]
    credits: String,
    #[serde(rename = "crdHeld")]
    credits_held: String,
    #[serde(rename = "crdLowBalance")]
    low_credits: Option<String>,
    #[serde(rename = "smsCurrency")]
    message_currency: &'static str,
    #[serde(rename = "accTimezone")]
    time_zone: String,
}

impl Row {
    fn of((account, wallets): (Account, Vec<Wallet>)) -> Self {
        let of = |currency| {
            let found = wallets
                .iter()
                .find(|wallet| wallet.available.currency() == currency);
            found
                .cloned()
                .unwrap_or_else(|| Wallet::new(account.id.clone(), currency))
        };
        let (wallet, credits) = (of(account.currency), of(Currency::Crd));
        Self {
            identity: account.id.to_string(),
            name: account.name.as_str().to_owned(),
            email: account.contact.email.map(|email| email.to_string()),
            phone: account.contact.phone.map(|phone| phone.to_string()),
            environment: account.environment.code(),
            status: status_word(account.status),
            balance: wallet.available.to_string(),
            held: wallet.held.to_string(),
            currency: account.currency.code(),
            low_balance: wallet.low_balance_threshold.map(|below| below.to_string()),
            low_credits: credits.low_balance_threshold.map(|below| below.to_string()),
            credits: credits.available.to_string(),
            credits_held: credits.held.to_string(),
            message_currency: account.message_currency.code(),
            time_zone: account.time_zone,
        }
    }
}

pub(super) async fn run(options: &AccountListOptions, config: &Config) -> Result<(), Failure> {
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let listed = context.accounts.list().await;
    context.close().await;
    let accounts: Vec<Row> = listed?.into_iter().map(Row::of).collect();
    if options.json {
        return Ok(output::json(&Document { accounts })?);
    }
    if accounts.is_empty() {
        return Ok(output::line(
            "No account yet: open one with `manilla account create --name NAME`.",
        )?);
    }
    let headings = [
        "IDENTITY",
        "NAME",
        "ENVIRONMENT",
        "STATUS",
        "BALANCE",
        "HELD",
        "CURRENCY",
        "CREDITS",
    ];
    let rows: Vec<[String; 8]> = accounts
        .into_iter()
        .map(|row| {
            let (status, currency) = (row.status.to_owned(), row.currency.to_owned());
            [
                row.identity,
                row.name,
                row.environment.to_owned(),
                status,
                row.balance,
                row.held,
                currency,
                row.credits,
            ]
        })
        .collect();
    Ok(output::line(output::table(headings, &rows))?)
}
