//! `manilla account credit`: money paid in. It must never be paid in twice for one reference.

use anyhow::Context as _;
use clap::Args;
use domain::account::AccountId;
use domain::change_set::{ChangeSet, Funding, is_adjustment};
use domain::money::Money;
use domain::operator::{Act, OperatorOrder};
use domain::reference::MerchantReference;
use domain::top_up::confirms_top_up;
use ports::ledger_store::CommitOutcome;
use serde::Serialize;

use super::available;
use crate::commands::{above_zero, currency, identity, known, line, no_such_account};
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::operator::sign;
use crate::{entropy, output};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla account credit --identity shop_1 --amount 50000.00 --reference bank-2026-0042
  manilla account credit --identity shop_1 --amount 50000.00 --narration 'Cash' --json
  manilla account credit --identity shop_1 --currency CRD --amount 500.00")]
pub(crate) struct AccountCreditOptions {
    #[arg(long, value_name = "ID", help = "mrcIdentity of the account")]
    identity: String,
    /// How much
    #[arg(long, allow_hyphen_values = true)]
    amount: String,
    /// Which wallet: NGN, or CRD for message credits
    #[arg(long, default_value = "NGN")]
    currency: String,
    /// Your unique reference: repeating it changes nothing [default: made up and printed]
    #[arg(long)]
    reference: Option<String>,
    /// One line for the statement
    #[arg(long, default_value = "Funding")]
    narration: String,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

/// Longest line for a statement, in characters.
pub(super) const NARRATION_MAX: usize = 120;

#[derive(Serialize)]
struct Answer<'a> {
    #[serde(rename = "mrcIdentity")]
    identity: &'a str,
    reference: &'a str,
    amount: String,
    /// `false` where the reference had been used before: nothing was changed.
    credited: bool,
    #[serde(rename = "accBalance")]
    balance: Option<String>,
}

pub(super) async fn run(options: &AccountCreditOptions, config: &Config) -> Result<(), Failure> {
    let account = identity(&options.identity)?;
    let currency = currency("--currency", &options.currency)?;
    let amount = above_zero(("--amount", &options.amount), currency)?;
    let reference = match &options.reference {
        Some(text) => {
            MerchantReference::parse(text).map_err(|error| Failure::flag("--reference", error))?
        }
        None => MerchantReference::parse(&format!("credit-{}", entropy::base62(16)?))?,
    };
    if confirms_top_up(&reference) {
        let wrong = "has the form of references that confirm top-ups; use another, or \
                     `manilla account topup confirm`";
        return Err(Failure::flag("--reference", wrong));
    }
    if is_adjustment(&reference) {
        let wrong = "has the form of references of corrections; use another, or `manilla account \
                     adjust`";
        return Err(Failure::flag("--reference", wrong));
    }
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let funding = Funding {
        account: account.clone(),
        reference: reference.clone(),
        amount,
        narration: line("--narration", &options.narration, NARRATION_MAX)?,
        at: context.now(),
    };
    let paid_in = async {
        known(&context, &account).await?;
        fits(&context, &account, amount).await?;
        let order = OperatorOrder::new(Act::AccountCredit)
            .to(&account)
            .under(&reference);
        let order = order.moving(Some(amount)).with(&funding.narration);
        sign(&context, config, &order).await?;
        let committed = context.ledger.commit(ChangeSet::Fund(funding)).await;
        let committed = committed.with_context(|| {
            format!(
                "it is not certain that the money was paid in; run the same command again with \
                 --reference {reference}, which pays it in once"
            )
        })?;
        let credited = credited(&committed, &account, (&reference, amount))?;
        Ok::<_, Failure>((credited, available(&context, &account, currency).await?))
    };
    let paid_in = paid_in.await;
    context.close().await;
    let (credited, balance) = paid_in?;
    let balance = balance.map(|balance| balance.to_string());
    if options.json {
        return Ok(output::json(&Answer {
            identity: account.as_str(),
            reference: reference.as_str(),
            amount: amount.to_string(),
            credited,
            balance,
        })?);
    }
    let code = amount.currency().code();
    let said = if credited {
        format!("Credited {code} {amount} to {account} under reference {reference}.")
    } else {
        format!("Nothing was changed: reference {reference} was credited to {account} before.")
    };
    let balance = balance.unwrap_or_default();
    Ok(output::line(format!("{said}\nBalance: {code} {balance}"))?)
}

/// Refuses an amount that the wallet cannot take, before anything is signed of it.
pub(super) async fn fits(
    context: &AdminContext,
    account: &AccountId,
    amount: Money,
) -> Result<(), Failure> {
    let wallets = context.transactions.wallets(account).await?;
    let mut wallets = wallets.iter();
    let wallet = wallets.find(|it| it.available.currency() == amount.currency());
    let after = wallet.map(|it| {
        let whole = it.available.checked_add(it.held)?;
        whole.checked_add(amount)
    });
    match after {
        Some(None) => Err(too_much()),
        Some(Some(_)) | None => Ok(()),
    }
}

fn too_much() -> Failure {
    Failure::flag(
        "--amount",
        "is more than the account can hold; nothing was changed",
    )
}

/// Whether it was paid in now; it may have been before.
pub(super) fn credited(
    committed: &CommitOutcome,
    account: &AccountId,
    (reference, amount): (&MerchantReference, Money),
) -> Result<bool, Failure> {
    match committed {
        CommitOutcome::Done => Ok(true),
        CommitOutcome::FundingTaken(before) if *before == amount => Ok(false),
        CommitOutcome::FundingTaken(before) => Err(other_amount(reference, *before)),
        CommitOutcome::AccountUnknown => Err(no_such_account(account)),
        CommitOutcome::BalanceLimit => Err(too_much()),
        CommitOutcome::Suspended
        | CommitOutcome::ReferenceUnsettled
        | CommitOutcome::ReferenceSettled
        | CommitOutcome::OtherEnvironment
        | CommitOutcome::SettlementUnfounded
        | CommitOutcome::AccountSuspended
        | CommitOutcome::Frozen(_)
        | CommitOutcome::KeyTaken(_)
        | CommitOutcome::ReferenceTaken(_)
        | CommitOutcome::BatchTaken(_)
        | CommitOutcome::NumberTaken
        | CommitOutcome::InsufficientFunds
        | CommitOutcome::OverDailyLimit(_)
        | CommitOutcome::VersionConflict(_)
        | CommitOutcome::SessionTaken(_)
        | CommitOutcome::VoucherRefused(_) => {
            Err(anyhow::anyhow!("the store answered a credit with nonsense").into())
        }
    }
}

/// A repeat is harmless, another amount is a mistake that must be reported.
fn other_amount(reference: &MerchantReference, before: Money) -> Failure {
    let said = format!(
        "nothing was credited: reference {reference} was used before, for {} {before}; use a new \
         --reference for another amount",
        before.currency().code()
    );
    anyhow::anyhow!(said).into()
}
