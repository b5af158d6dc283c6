//! Freezing the payments of every account. The signed log of operators is its only record, which
//! every instance reads.

use application::payment_freeze::PaymentFreeze;
use clap::Args;
use domain::freeze::{FreezeReason, FreezeState};
use serde::Serialize;

use super::reason;
use crate::commands::moment;
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::operator::sign;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla freeze all --reason 'a fault in the prices'

Within a second no instance opens a payment or takes one out of the queue, in both environments:
merchants are answered 503 with Retry-After. What was sent is concluded, and everything is read as
before. `manilla status` shows it until it ends.")]
pub(super) struct FreezeAllOptions {
    #[command(flatten)]
    pub(super) change: FreezeAllChange,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla unfreeze all --reason 'prices are corrected'

It ends no suspension: after a restore see `manilla reconcile --help`.")]
pub(super) struct UnfreezeAllOptions {
    #[command(flatten)]
    pub(super) change: FreezeAllChange,
}

#[derive(Debug, Args)]
pub(super) struct FreezeAllChange {
    /// Why, in one line; all operators see it
    #[arg(long)]
    reason: String,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    scope: &'static str,
    status: &'static str,
    /// Whether that is new.
    changed: bool,
    /// The operator who froze them before, and since when.
    #[serde(rename = "frozenBy")]
    by: Option<String>,
    since: Option<String>,
}

pub(super) async fn run(
    change: &FreezeAllChange,
    state: FreezeState,
    config: &Config,
) -> Result<(), Failure> {
    let reason = reason(&change.reason)?;
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let done = set(&context, config, (&reason, state)).await;
    context.close().await;
    let before = done?;
    let is_frozen = state == FreezeState::Frozen;
    let changed = before.is_some() != is_frozen;
    if change.json {
        return Ok(output::json(&Document {
            scope: "all",
            status: state.code(),
            changed,
            by: before.as_ref().map(|it| it.by.to_string()),
            since: before.map(|it| moment(it.since)),
        })?);
    }
    Ok(output::line(match (state, before) {
        (FreezeState::Frozen, None) => {
            "Payments are frozen: within a second no instance opens anything new.".to_owned()
        }
        (FreezeState::Frozen, Some(PaymentFreeze { by, reason, .. })) => {
            format!("Payments are frozen already, by {by}: {reason}")
        }
        (FreezeState::Active, Some(_)) => "Payments are not frozen any more.".to_owned(),
        (FreezeState::Active, None) => "Payments were not frozen.".to_owned(),
    })?)
}

/// Signs it, unless it holds already. Answers the freeze that was in force before.
async fn set(
    context: &AdminContext,
    config: &Config,
    (reason, state): (&FreezeReason, FreezeState),
) -> Result<Option<PaymentFreeze>, Failure> {
    let before = context.operators.frozen_payments().await?;
    let order = match (state, &before) {
        (FreezeState::Frozen, None) => Some(PaymentFreeze::order(reason)),
        (FreezeState::Active, Some(_)) => Some(PaymentFreeze::end(reason)),
        (FreezeState::Frozen, Some(_)) | (FreezeState::Active, None) => None,
    };
    if let Some(order) = order {
        sign(context, config, &order).await?;
    }
    Ok(before)
}
