//! `manilla account adjust`: a balance is corrected, upwards or downwards. It must be signed before
//! it is done, by two operators above a limit, and never be done twice for one reference.

use anyhow::{Context as _, anyhow};
use application::operators::Decision;
use clap::Args;
use domain::account::AccountId;
use domain::change_set::{ChangeSet, Funding, adjustment_reference};
use domain::money::{Currency, Money};
use domain::operator::{Act, OperatorOrder};
use domain::reference::MerchantReference;
use ports::ledger_store::CommitOutcome;
use serde::Serialize;

use super::available;
use super::credit::{credited, fits};
use crate::commands::{currency, identity, known, reason};
use crate::compose::{AdminContext, DataFolder};
use crate::config::{Config, limit_is_everybodys};
use crate::failure::Failure;
use crate::operator::{not_signed, sign_as, signer};
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla account adjust --identity shop_1 --amount -500.00 --reference twice-2026-7 \\
    --reason 'credited twice on 3 May'
  manilla account adjust --identity shop_1 --amount 120.50 --reference goodwill-9 \\
    --reason 'complaint 4711' --json

Below zero it takes from what the account can spend, and never more than that. The merchant sees it
in the statement as `Adjustment` with the reference; the reason is for operators. Repeating a
reference changes nothing. Above the amount review.dual_control_above, in either direction, two
operators decide: the first proposes it, and another does it by running the very same command with a
key of their own. So they do for message credits. For a payment that was delivered use
`manilla transaction refund`.")]
pub(crate) struct AccountAdjustOptions {
    #[arg(long, value_name = "ID", help = "mrcIdentity of the account")]
    identity: String,
    /// By how much; below zero to take
    #[arg(long, allow_hyphen_values = true)]
    amount: String,
    /// Which wallet: NGN, or CRD for message credits
    #[arg(long, default_value = "NGN")]
    currency: String,
    /// Your unique reference: repeating it changes nothing
    #[arg(long)]
    reference: String,
    #[arg(
        long,
        help = "Why, in one line of 200 characters at most; all operators see it"
    )]
    reason: String,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    #[serde(rename = "mrcIdentity")]
    identity: &'a str,
    reference: &'a str,
    amount: String,
    /// `false` where it waits for another operator, or was done before.
    adjusted: bool,
    /// The entry of the operators' log that waits for another operator.
    #[serde(skip_serializing_if = "Option::is_none")]
    proposed: Option<u64>,
    #[serde(rename = "accBalance")]
    balance: Option<String>,
}

/// What became of it.
enum Adjusted {
    Now,
    Before,
    Proposed(u64),
}

pub(super) async fn run(options: &AccountAdjustOptions, config: &Config) -> Result<(), Failure> {
    let account = identity(&options.identity)?;
    let currency = currency("--currency", &options.currency)?;
    let amount = signed(&options.amount, currency)?;
    let named = MerchantReference::parse(&options.reference)
        .map_err(|error| Failure::flag("--reference", error))?;
    let reference = adjustment_reference(&named)
        .ok_or_else(|| Failure::flag("--reference", "is too long: 53 characters at most"))?;
    let reason = reason(&options.reason)?;
    limit_is_everybodys(&config.shown).map_err(|wrong| Failure::usage(anyhow!(wrong)))?;
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let funding = Funding {
        account: account.clone(),
        reference,
        amount,
        narration: format!("Adjustment {named}"),
        at: context.now(),
    };
    let adjusted = async {
        known(&context, &account).await?;
        let adjusted = Box::pin(adjust(&context, config, (funding, &named, &reason))).await?;
        Ok::<_, Failure>((adjusted, available(&context, &account, currency).await?))
    };
    let adjusted = adjusted.await;
    context.close().await;
    let (adjusted, balance) = adjusted?;
    let balance = balance.map(|it| it.to_string());
    if options.json {
        return Ok(output::json(&Answer {
            identity: account.as_str(),
            reference: named.as_str(),
            amount: amount.to_string(),
            adjusted: matches!(adjusted, Adjusted::Now),
            proposed: match adjusted {
                Adjusted::Proposed(entry) => Some(entry),
                Adjusted::Now | Adjusted::Before => None,
            },
            balance,
        })?);
    }
    let code = currency.code();
    let said = match adjusted {
        Adjusted::Now => format!("Adjusted {account} by {code} {amount} under reference {named}."),
        Adjusted::Before => {
            format!("Nothing was changed: reference {named} was adjusted by for {account} before.")
        }
        Adjusted::Proposed(entry) => format!(
            "Entry {entry} proposes to adjust {account} by {code} {amount}; nothing was changed. \
             Another operator does it by the same command."
        ),
    };
    let balance = balance.unwrap_or_default();
    Ok(output::line(format!("{said}\nBalance: {code} {balance}"))?)
}

/// An amount with its sign, which is not zero.
fn signed(text: &str, currency: Currency) -> Result<Money, Failure> {
    let (is_taken, unsigned) = match text.strip_prefix('-') {
        Some(unsigned) => (true, unsigned),
        None => (false, text),
    };
    let amount = Money::parse(unsigned, currency);
    let minor = amount
        .map_err(|error| Failure::flag("--amount", error))?
        .minor();
    if minor == 0 {
        return Err(Failure::flag("--amount", "must not be zero"));
    }
    let minor = if is_taken {
        minor.saturating_neg()
    } else {
        minor
    };
    Ok(Money::from_minor(minor, currency))
}

async fn adjust(
    context: &AdminContext,
    config: &Config,
    (funding, named, reason): (Funding, &MerchantReference, &str),
) -> Result<Adjusted, Failure> {
    let (account, amount) = (funding.account.clone(), funding.amount);
    let limit = config.settings.dual_control_above;
    // Nothing says what an amount in another currency is worth.
    let is_above =
        amount.currency() != limit.currency() || amount.minor().saturating_abs() > limit.minor();
    let act = if is_above {
        Act::AccountAdjustJointly
    } else {
        Act::AccountAdjust
    };
    let order = OperatorOrder::new(act)
        .to(&account)
        .under(&funding.reference)
        .moving(Some(amount))
        .with(reason);
    let entries = context.operator_log.of_acts(&[act]).await?;
    // What was signed before may be done by now, and the money it took is not there any more.
    if !entries.iter().any(|it| it.order == order) {
        if amount.is_positive() {
            fits(context, &account, amount).await?;
        }
        can_spend(context, &account, amount).await?;
    }
    let signer = signer(config)?;
    if is_above {
        let decided = context.operators.decide(&signer, &order).await;
        if let Decision::Proposed { entry } = decided.map_err(not_signed)? {
            // The other operator may have approved it since.
            let approved = context.operators.was_approved(&order).await;
            if !approved.map_err(not_signed)? {
                return Ok(Adjusted::Proposed(entry));
            }
        }
    } else {
        sign_as(context, &signer, &order).await?;
    }
    let committed = context.ledger.commit(ChangeSet::Fund(funding)).await;
    let committed = committed.with_context(|| {
        "it is not certain that the balance was adjusted; run the same command again, which \
         adjusts it once"
    })?;
    adjusted(&committed, &account, (named, amount))
}

/// Refuses to take more than can be spent, before anything is signed of it.
async fn can_spend(
    context: &AdminContext,
    account: &AccountId,
    amount: Money,
) -> Result<(), Failure> {
    let balance = available(context, account, amount.currency()).await?;
    let after = balance.and_then(|it| it.checked_add(amount));
    if after.is_some_and(|it| it.minor() >= 0) {
        return Ok(());
    }
    Err(too_much_taken(account, balance))
}

fn too_much_taken(account: &AccountId, balance: Option<Money>) -> Failure {
    let can_spend = balance.map_or_else(String::new, |it| {
        format!(" ({} {it})", it.currency().code())
    });
    let wrong = format!(
        "takes more than {account} can spend{can_spend}; what is held for open payments is never \
         taken, and nothing was changed"
    );
    Failure::flag("--amount", wrong)
}

/// Whether it was done now; it may have been before.
fn adjusted(
    committed: &CommitOutcome,
    account: &AccountId,
    (named, amount): (&MerchantReference, Money),
) -> Result<Adjusted, Failure> {
    if *committed == CommitOutcome::InsufficientFunds {
        return Err(too_much_taken(account, None));
    }
    if let CommitOutcome::FundingTaken(before) = committed
        && *before != amount
    {
        return Err(anyhow!(
            "nothing was changed: the reference was used before, for {} {before}; use a new \
             --reference for another amount",
            before.currency().code()
        )
        .into());
    }
    let is_new = credited(committed, account, (named, amount))?;
    Ok(if is_new {
        Adjusted::Now
    } else {
        Adjusted::Before
    })
}
