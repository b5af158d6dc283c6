//! `manilla provider fund`: money that was paid to a provider. It moves none: it enters what was
//! paid elsewhere, once per reference.

use anyhow::{Context as _, anyhow};
use clap::Args;
use domain::float::Prefunding;
use domain::money::Money;
use domain::operator::{Act, OperatorOrder};
use domain::provider::ProviderId;
use domain::reference::MerchantReference;
use ports::float::PrefundOutcome;
use serde::Serialize;

use crate::commands::{above_zero, currency, line};
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::operator::sign;
use crate::{entropy, output};

/// Longest reason, in characters: it names a document, it is not one.
const REASON_MAX: usize = 200;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla provider fund my-shop 500000.00 --reason 'transfer of 3 May' --reference bank-2026-0042
  manilla provider fund my-shop 20000.00 --paid-back --reason 'wallet emptied' --json

It moves no money: it enters what was paid to the provider elsewhere, so that `manilla provider
float` can say what must be left. An operator signs it. A mistake is put right by a second entry
the other way.")]
pub(crate) struct ProviderFundOptions {
    /// The account, as [provider.NAME] calls it
    name: String,
    /// How much was paid
    amount: String,
    /// In which currency: NGN, or CRD for message credits
    #[arg(long, default_value = "NGN")]
    currency: String,
    /// The provider paid it back to us
    #[arg(long)]
    paid_back: bool,
    /// What it rests on
    #[arg(long)]
    reason: String,
    /// Your unique reference: repeating it changes nothing [default: made up and printed]
    #[arg(long)]
    reference: Option<String>,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    provider: &'a str,
    reference: &'a str,
    currency: &'static str,
    amount: String,
    /// `false` where the reference had been used before: nothing was changed.
    entered: bool,
}

pub(super) async fn run(options: &ProviderFundOptions, config: &Config) -> Result<(), Failure> {
    let provider = configured(&options.name, config)?;
    let currency = currency("--currency", &options.currency)?;
    let paid = above_zero(("AMOUNT", &options.amount), currency)?;
    let amount = if options.paid_back {
        Money::zero(currency).checked_sub(paid).unwrap_or(paid)
    } else {
        paid
    };
    let reference = match &options.reference {
        Some(text) => {
            MerchantReference::parse(text).map_err(|error| Failure::flag("--reference", error))?
        }
        None => MerchantReference::parse(&format!("prefund-{}", entropy::base62(16)?))?,
    };
    let reason = line("--reason", &options.reason, REASON_MAX)?;
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let prefunding = Prefunding {
        provider,
        reference,
        amount,
        reason,
        by: String::new(),
        at: context.now(),
    };
    let outcome = enter(&context, config, &prefunding).await;
    context.close().await;
    let is_new = is_new(outcome?, &prefunding)?;
    let Prefunding {
        provider,
        reference,
        ..
    } = &prefunding;
    if options.json {
        return Ok(output::json(&Document {
            provider: provider.as_str(),
            reference: reference.as_str(),
            currency: currency.code(),
            amount: amount.to_string(),
            entered: is_new,
        })?);
    }
    let code = currency.code();
    let verb = if options.paid_back { "from" } else { "to" };
    Ok(output::line(if is_new {
        format!("Entered {code} {paid} paid {verb} {provider} under reference {reference}.")
    } else {
        format!("Nothing was changed: reference {reference} was entered for {provider} before.")
    })?)
}

/// Has an operator sign the entry, and enters it under that name.
async fn enter(
    context: &AdminContext,
    config: &Config,
    prefunding: &Prefunding,
) -> Result<PrefundOutcome, Failure> {
    let order = OperatorOrder::new(Act::ProviderFund)
        .to(&prefunding.provider)
        .under(&prefunding.reference)
        .moving(Some(prefunding.amount))
        .with(&prefunding.reason);
    let by = sign(context, config, &order).await?;
    let prefunding = Prefunding {
        by: by.to_string(),
        ..prefunding.clone()
    };
    let outcome = context.floats.prefund(&prefunding).await;
    Ok(outcome.with_context(|| {
        format!(
            "it is not certain that it was entered; run the same command again with --reference \
             {}, which enters it once",
            prefunding.reference
        )
    })?)
}

/// Whether it was entered now; it may have been before.
fn is_new(outcome: PrefundOutcome, prefunding: &Prefunding) -> Result<bool, Failure> {
    match outcome {
        PrefundOutcome::Done => Ok(true),
        PrefundOutcome::Taken(before) if before == prefunding.amount => Ok(false),
        PrefundOutcome::Taken(before) => {
            let said = format!(
                "nothing was entered: reference {} was used for {} before, for {} {before}; use a \
                 new --reference for another amount",
                prefunding.reference,
                prefunding.provider,
                before.currency().code()
            );
            Err(anyhow!(said).into())
        }
    }
}

/// The account of this name; one that is not configured is probably misspelt.
pub(in crate::commands) fn configured(name: &str, config: &Config) -> Result<ProviderId, Failure> {
    let account = config.accounts.iter().find(|it| it.id.as_str() == name);
    account.map(|it| it.id.clone()).ok_or_else(|| {
        let known: Vec<&str> = config.accounts.iter().map(|it| it.id.as_str()).collect();
        let known = known.join(", ");
        Failure::usage(anyhow!("there is no provider {name}; there is {known}"))
    })
}
