//! `manilla transaction resend`: the events of one payment, to every endpoint of its merchant. It
//! must send nothing to a provider: what was bought is never bought again.

use anyhow::anyhow;
use clap::Args;
use domain::account::AccountId;
use domain::operator::{Act, OperatorOrder};
use domain::reference::MerchantReference;
use domain::webhook::DeliveryId;
use ports::webhooks::{Replay, ReplayOf, Replayed};
use serde::Serialize;

use crate::commands::{identity, known, no_such_payment, reason};
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::operator::sign;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla transaction resend --identity shop_1 --reference order-7 --reason 'token never came'
  manilla transaction resend --identity shop_1 --reference order-7 --reason 'down at noon' --json

Every event of the payment that has an endpoint is delivered again by the running server, whether or
not it was delivered before; receivers know it again by evtIdentifier. A token of electricity is in
the last of them. Nothing is sent to the provider. `manilla transaction show` shows the
deliveries.")]
pub(crate) struct TransactionResendOptions {
    #[arg(long, value_name = "ID", help = "mrcIdentity of the account")]
    identity: String,
    #[arg(long, help = "mrcReference of the payment")]
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
struct Document {
    due: u64,
}

pub(super) async fn run(
    options: &TransactionResendOptions,
    config: &Config,
) -> Result<(), Failure> {
    let account = identity(&options.identity)?;
    let reference = MerchantReference::parse(&options.reference)
        .map_err(|error| Failure::flag("--reference", error))?;
    let reason = reason(&options.reason)?;
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let resent = resend(&context, config, (&account, &reference, &reason)).await;
    context.close().await;
    let due = resent?;
    if options.json {
        return Ok(output::json(&Document { due })?);
    }
    Ok(output::line(format!(
        "{due} deliveries of {reference} are due now; the running server makes them."
    ))?)
}

/// Has the deliveries of a payment made again. Answers how many there are.
async fn resend(
    context: &AdminContext,
    config: &Config,
    (account, reference, reason): (&AccountId, &MerchantReference, &str),
) -> Result<u64, Failure> {
    known(context, account).await?;
    let found = context
        .transactions
        .by_reference(account, reference)
        .await?;
    let number = found
        .ok_or_else(|| no_such_payment(account, reference))?
        .number;
    let deliveries = context.outbox.deliveries_of(account, number).await?;
    if deliveries.is_empty() {
        return Err(anyhow!(
            "{reference} of {account} has no deliveries: no endpoint wanted its events when they \
             happened; `manilla endpoint list --identity {account}` shows those there are"
        )
        .into());
    }
    let order = OperatorOrder::new(Act::TransactionResend)
        .to(account)
        .under(reference)
        .with(reason);
    sign(context, config, &order).await?;
    let mut due = 0_u64;
    for (delivery, _) in deliveries {
        let replay = Replay {
            what: ReplayOf::One(DeliveryId {
                endpoint: delivery.endpoint,
                event: delivery.event.id,
            }),
            most: 1,
            now: context.now(),
        };
        match context.outbox.replay(account, &replay).await? {
            Replayed::Done(made) => due = due.saturating_add(made),
            // Its endpoint was removed meanwhile.
            Replayed::Unknown | Replayed::TooMany => {}
        }
    }
    Ok(due)
}
