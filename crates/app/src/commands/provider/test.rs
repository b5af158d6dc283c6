//! `manilla provider test`: opens an account and asks its provider about a reference that cannot
//! exist. It must ask nothing that could change anything there.

use std::time::Duration;

use clap::Args;
use domain::provider::QueryOutcome;
use domain::reference::ProviderReference;
use ports::adapter::ProviderAccount;
use ports::clock::Clock as _;
use ports::provider::AttemptQuery;
use serde::Serialize;

use crate::clock::SystemClock;
use crate::compose::OpenedAccounts;
use crate::config::Config;
use crate::entropy;
use crate::failure::Failure;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla provider test my-shop
  manilla provider test my-shop --json

It asks about a reference that no attempt has, and for the balance where the provider shows it. A
provider that says so answers as it should: exit status 0. Any other answer, or none, is exit status
1. The balance decides nothing.")]
pub(crate) struct ProviderTestOptions {
    /// The account, as [provider.NAME] calls it
    name: String,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    provider: &'a str,
    reference: &'a str,
    answer: &'a str,
    well: bool,
    #[serde(rename = "tookMs")]
    took_ms: u128,
    lookups: Vec<&'static str>,
    /// What is left of our money there; absent where the provider does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    balance: Option<String>,
}

pub(super) async fn run(options: &ProviderTestOptions, config: &Config) -> Result<(), Failure> {
    let name = &options.name;
    let account = OpenedAccounts::open_one(config, name)?.ok_or_else(|| {
        let known: Vec<&str> = config.accounts.iter().map(|it| it.id.as_str()).collect();
        let known = known.join(", ");
        Failure::usage(anyhow::anyhow!(
            "there is no provider {name}; there is {known}"
        ))
    })?;
    let ProviderAnswer {
        reference,
        text: answer,
        is_well: well,
        took,
    } = ProviderAnswer::to_a_question(&account, config).await?;
    let document = Document {
        provider: name,
        reference: reference.as_str(),
        answer,
        well,
        took_ms: took.as_millis(),
        lookups: lookups(&account),
        balance: balance(&account, config).await,
    };
    if options.json {
        output::json(&document)?;
    } else {
        let lookups = match document.lookups.as_slice() {
            [] => "none".to_owned(),
            some => some.join(", "),
        };
        let balance = document.balance.as_ref();
        let balance = balance.map_or_else(String::new, |text| format!("\nbalance    {text}"));
        output::line(format!(
            "provider   {name}\nreference  {reference}\nanswer     {answer}\n\
             took       {} ms\nlookups    {lookups}{balance}",
            document.took_ms
        ))?;
    }
    if well {
        Ok(())
    } else {
        Err(Failure::AlreadyReported)
    }
}

/// What a provider answers about a reference that no attempt has.
pub(in crate::commands) struct ProviderAnswer {
    reference: ProviderReference,
    pub(in crate::commands) text: &'static str,
    /// Whether it is the answer that it should be.
    pub(in crate::commands) is_well: bool,
    pub(in crate::commands) took: Duration,
}

impl ProviderAnswer {
    pub(in crate::commands) async fn to_a_question(
        account: &ProviderAccount,
        config: &Config,
    ) -> anyhow::Result<Self> {
        let random = u64::from_le_bytes(entropy::bytes()?);
        // It has the form of a derived reference, and 64 random bits that no merchant chose.
        let reference = ProviderReference::from_echo(format!("manilla.test-{random:016x}.1"));
        let begun = SystemClock.uptime();
        let query = AttemptQuery::by(&reference);
        let asked = account.provider.query(&query);
        let answer = tokio::time::timeout(config.settings.call_deadline, asked).await;
        let took = SystemClock.uptime().saturating_sub(begun);
        let (text, is_well) = said(answer.ok().as_ref().map(|answer| &answer.outcome));
        Ok(Self {
            reference,
            text,
            is_well,
            took,
        })
    }
}

/// What is left of our money there, for people; `None` where the provider does not say. It decides
/// nothing about the exit status.
async fn balance(account: &ProviderAccount, config: &Config) -> Option<String> {
    let asked = account.provider.balance();
    match tokio::time::timeout(config.settings.call_deadline, asked).await {
        Ok(Ok(None)) => None,
        Ok(Ok(Some(balance))) => {
            let code = balance.available.currency().code();
            Some(format!("{code} {}", balance.available))
        }
        Ok(Err(error)) => Some(format!("could not be read: {error}")),
        Err(_) => Some("could not be read in time".to_owned()),
    }
}

/// What an answer means, and whether it is the one that it should be.
const fn said(answer: Option<&QueryOutcome>) -> (&'static str, bool) {
    match answer {
        Some(QueryOutcome::NotFound) => ("it knows no such reference, as it should", true),
        Some(QueryOutcome::Unknown) => ("it could not be asked, or its answer not be read", false),
        None => ("it did not answer in time", false),
        Some(QueryOutcome::Pending) => ("it says that the reference is pending: wrong", false),
        Some(QueryOutcome::Delivered(_)) => ("it says that it delivered: wrong", false),
        Some(QueryOutcome::Declined(_)) => ("it says that it declined: wrong", false),
        Some(QueryOutcome::Reversed) => ("it says that it took back a delivery: wrong", false),
    }
}

fn lookups(account: &ProviderAccount) -> Vec<&'static str> {
    let lookups = &account.lookups;
    let brought = [
        ("meters", lookups.meters.is_some()),
        ("smartcards", lookups.smartcards.is_some()),
        ("bill accounts", lookups.bill_accounts.is_some()),
        ("bank accounts", lookups.bank_accounts.is_some()),
        ("mobile wallets", lookups.mobile_wallets.is_some()),
        ("cards", lookups.cards.is_some()),
        ("exchange quotes", lookups.exchange_quotes.is_some()),
        ("number operators", lookups.number_operators.is_some()),
    ];
    let brought = brought.into_iter().filter(|(_, is_there)| *is_there);
    brought.map(|(name, _)| name).collect()
}
