//! `manilla account topup confirm`: the money of a top-up arrived. It must never be credited twice,
//! and never with an amount that was not typed.

use anyhow::Context as _;
use clap::Args;
use domain::account::AccountId;
use domain::change_set::{ChangeSet, Funding};
use domain::money::Money;
use domain::operator::{Act, OperatorOrder};
use domain::reference::MerchantReference;
use domain::top_up::{AccountTopUp, TopUpState};
use ports::ledger_store::CommitOutcome;
use serde::Serialize;

use super::super::credit::{NARRATION_MAX, credited, fits};
use crate::commands::{above_zero, identity, known, line};
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::operator::sign;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Credits the account with what arrived, once for each top-up, also after the top-up has expired.

Examples:
  manilla account topup confirm --identity shop_1 --reference top-1 --amount 50000.00
  manilla account topup confirm --identity shop_1 --reference top-1 --amount 49950.00 --differs
  manilla account topup confirm --identity shop_1 --reference top-1 --amount 50000.00 --json")]
pub(crate) struct TopUpConfirmOptions {
    #[arg(long, value_name = "ID", help = "mrcIdentity of the account")]
    identity: String,
    #[arg(long, help = "mrcReference under which the merchant announced it")]
    reference: String,
    /// How much arrived
    #[arg(long, allow_hyphen_values = true)]
    amount: String,
    /// Another amount arrived than was announced
    #[arg(long)]
    differs: bool,
    /// One line for the statement [default: the reference of the top-up]
    #[arg(long)]
    narration: Option<String>,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    #[serde(rename = "mrcIdentity")]
    identity: &'a str,
    #[serde(rename = "mrcReference")]
    reference: &'a str,
    #[serde(rename = "txnReference")]
    number: u64,
    amount: String,
    /// `false` where it had been confirmed before: nothing was changed.
    credited: bool,
}

pub(super) async fn run(options: &TopUpConfirmOptions, config: &Config) -> Result<(), Failure> {
    let account = identity(&options.identity)?;
    let reference = MerchantReference::parse(&options.reference)
        .map_err(|error| Failure::flag("--reference", error))?;
    let narration = match &options.narration {
        Some(text) => line("--narration", text, NARRATION_MAX)?,
        None => format!("Top-up {reference}"),
    };
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let confirmed = async {
        known(&context, &account).await?;
        let state = announced(&context, &account, &reference).await?;
        let currency = state.top_up.amount.currency();
        let arrived = above_zero(("--amount", &options.amount), currency)?;
        let credited = if let Some(before) = state.confirmed {
            again(&state.top_up, arrived, before.amount)?
        } else {
            agrees(&state.top_up, arrived, options.differs)?;
            let order = (&context, config);
            credit(order, &state.top_up, (arrived, narration)).await?
        };
        Ok::<_, Failure>((state.top_up, arrived, credited))
    };
    let confirmed = confirmed.await;
    context.close().await;
    let (top_up, arrived, credited) = confirmed?;
    if options.json {
        return Ok(output::json(&Answer {
            identity: account.as_str(),
            reference: reference.as_str(),
            number: top_up.number.get(),
            amount: arrived.to_string(),
            credited,
        })?);
    }
    let code = arrived.currency().code();
    let said = if credited {
        format!("Credited {code} {arrived} to {account} for top-up {reference}.")
    } else {
        format!("Nothing was changed: top-up {reference} of {account} was confirmed before.")
    };
    Ok(output::line(said)?)
}

/// The top-up that is confirmed.
async fn announced(
    context: &AdminContext,
    account: &AccountId,
    reference: &MerchantReference,
) -> Result<TopUpState, Failure> {
    let found = context.gateway.top_up_of(account, reference).await?;
    found.ok_or_else(|| {
        anyhow::anyhow!(
            "{account} announced no top-up {reference}; `manilla account topup list --identity \
             {account} --expired` shows what it announced, and `manilla account credit` pays in \
             what was not announced"
        )
        .into()
    })
}

/// Refuses an amount that differs from what was announced, unless that is said.
fn agrees(top_up: &AccountTopUp, arrived: Money, differs: bool) -> Result<(), Failure> {
    if arrived == top_up.amount || differs {
        return Ok(());
    }
    let wrong = format!(
        "is not the {} that was announced; nothing was changed. Look at the statement of the \
         bank, and add --differs if {arrived} is what arrived",
        top_up.amount
    );
    Err(Failure::flag("--amount", wrong))
}

/// A repeat is harmless, another amount is a mistake that must be reported.
fn again(top_up: &AccountTopUp, arrived: Money, before: Money) -> Result<bool, Failure> {
    if arrived == before {
        return Ok(false);
    }
    Err(anyhow::anyhow!(
        "nothing was credited: top-up {} was confirmed before, with {} {before}; pay in what \
         arrived beside it with `manilla account credit`",
        top_up.reference,
        before.currency().code()
    )
    .into())
}

/// Books the money; whether it was booked now.
async fn credit(
    (context, config): (&AdminContext, &Config),
    top_up: &AccountTopUp,
    (amount, narration): (Money, String),
) -> Result<bool, Failure> {
    let account = &top_up.account;
    fits(context, account, amount).await?;
    let funding = Funding {
        account: account.clone(),
        reference: top_up.funding_reference(),
        amount,
        narration,
        at: context.now(),
    };
    let order = OperatorOrder::new(Act::AccountCredit)
        .to(account)
        .under(&funding.reference);
    let order = order.moving(Some(amount)).with(&funding.narration);
    sign(context, config, &order).await?;
    let under = funding.reference.clone();
    let committed = context.ledger.commit(ChangeSet::Fund(funding)).await;
    let committed = committed.with_context(|| {
        format!(
            "it is not certain that top-up {} was credited; run the same command again, which \
             credits it once",
            top_up.reference
        )
    })?;
    // Another operator has confirmed it meanwhile.
    if let CommitOutcome::FundingTaken(before) = committed {
        return again(top_up, amount, before);
    }
    credited(&committed, account, (&under, amount))
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::builders::{naira, top_up};

    #[test]
    fn an_amount_that_differs_has_to_be_meant() {
        let top_up = top_up("shop", 7, "top-1");
        assert!(agrees(&top_up, naira("50,000.00"), false).is_ok());
        assert!(agrees(&top_up, naira("49,999.99"), true).is_ok());
        let refused = agrees(&top_up, naira("49,999.99"), false).unwrap_err();
        let said = refused.message().unwrap();
        assert!(
            said.contains("--differs") && said.contains("50,000.00"),
            "{said}"
        );
    }

    #[test]
    fn a_repeat_with_another_amount_is_reported() {
        let top_up = top_up("shop", 7, "top-1");
        assert!(!again(&top_up, naira("1.00"), naira("1.00")).unwrap());
        let said = again(&top_up, naira("2.00"), naira("1.00")).unwrap_err();
        let said = said.message().unwrap();
        assert!(said.contains("confirmed before, with NGN 1.00"), "{said}");
    }
}
