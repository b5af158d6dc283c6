//! `manilla transaction refund`: an operator gives back the price of a delivered payment that the
//! merchant did not ask for. It must go the way of every refund: recorded, signed, and given once.

use anyhow::anyhow;
use application::operators::NotSigned;
use application::refunds::RefundError;
use clap::Args;
use domain::account::AccountId;
use domain::reference::MerchantReference;
use domain::refund::{NewRefund, RefundReason, RefundVerdict};

use crate::commands::refund::{DecidedRefund, decide};
use crate::commands::{above_zero, currency, identity, known, no_such_payment};
use crate::compose::{AdminContext, DataFolder};
use crate::config::{Config, limit_is_everybodys};
use crate::failure::Failure;
use crate::operator::{not_signed, signer};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla transaction refund --identity shop_1 --reference order-7 --refund-reference goodwill-7 \\
    --reason 'complaint 4711: the meter was replaced'
  manilla transaction refund --identity shop_1 --reference order-7 --refund-reference goodwill-7 \\
    --reason 'half of it was delivered' --amount 500.00 --json

Ask the provider first: where it takes the delivery back, the price returns by that, and a refund is
not needed. The merchant finds the refund under its reference with the reason, and an event reports
it. Repeating a reference changes nothing. Above the amount review.dual_control_above two operators
decide: the first proposes it, and another does it by running the very same command with a key of
their own. Where the merchant asked for a refund, use `manilla refund approve`.")]
pub(crate) struct TransactionRefundOptions {
    #[arg(long, value_name = "ID", help = "mrcIdentity of the account")]
    identity: String,
    #[arg(long, help = "mrcReference of the payment")]
    reference: String,
    #[arg(long, help = "A reference for the refund, new in the account")]
    refund_reference: String,
    /// Why, in one line; the merchant reads it
    #[arg(long)]
    reason: String,
    /// How much of the price [default: all of it]
    #[arg(long, allow_hyphen_values = true)]
    amount: Option<String>,
    /// Of which currency: NGN, or CRD where the payment was made in message credits
    #[arg(long, default_value = "NGN")]
    currency: String,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(
    options: &TransactionRefundOptions,
    config: &Config,
) -> Result<(), Failure> {
    let account = identity(&options.identity)?;
    let reference = |flag, text: &str| {
        MerchantReference::parse(text).map_err(|error| Failure::flag(flag, error))
    };
    let amount = options.amount.as_deref();
    let currency = currency("--currency", &options.currency)?;
    let amount = amount.map(|text| above_zero(("--amount", text), currency));
    let wanted = NewRefund {
        reference: reference("--refund-reference", &options.refund_reference)?,
        original: reference("--reference", &options.reference)?,
        amount: amount.transpose()?,
        reason: RefundReason::parse(&options.reason)
            .map_err(|error| Failure::flag("--reason", error))?,
    };
    limit_is_everybodys(&config.shown).map_err(|wrong| Failure::usage(anyhow!(wrong)))?;
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let decided = async {
        // The refund is recorded before it is decided: by operators only.
        let signer = signer(config)?;
        let roster = context.operators.roster().await.map_err(not_signed)?;
        if roster.operator(&signer.name).is_none() {
            return Err(not_signed(NotSigned::NoOperator(signer.name)));
        }
        let account = known(&context, &account).await?;
        let asked = context.gateway.refund_by_operator(&account, &wanted).await;
        let state = asked.map_err(|why| refused(why, (&account.id, &wanted.original)))?;
        let detail = format!("payment {}", wanted.original);
        let verdict = RefundVerdict::Approved;
        Box::pin(decide(&context, &signer, (state, verdict, detail))).await
    };
    let decided = decided.await;
    context.close().await;
    let (state, proposed) = decided?;
    let decided = DecidedRefund {
        state: &state,
        proposed,
    };
    decided.print(options.json)
}

fn refused(why: RefundError, (identity, original): (&AccountId, &MerchantReference)) -> Failure {
    match why {
        RefundError::PaymentUnknown => no_such_payment(identity, original),
        RefundError::PaymentTaken => Failure::from(anyhow!(
            "another refund of this payment was asked for; `manilla refund list --identity \
             {identity}` shows it, and `manilla refund approve` gives it"
        )),
        RefundError::ReferenceTaken(taken) => Failure::flag(
            "--refund-reference",
            format!("{taken} was used for another refund of {identity}; take a new one"),
        ),
        RefundError::NotRefundable(_)
        | RefundError::TooMany
        | RefundError::Unknown
        | RefundError::Request(_) => {
            Failure::from(anyhow::Error::from(why).context("nothing was changed"))
        }
    }
}
