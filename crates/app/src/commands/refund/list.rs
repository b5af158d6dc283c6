//! `manilla refund list`. It must show what an operator needs to look a payment up.

use clap::Args;
use domain::refund::RefundState;
use serde::Serialize;

use crate::commands::{identity, known, moment};
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
PAYMENT is the mrcReference of the payment: `manilla transaction show` says all of it. A refund that
is APPROVED and listed was not given yet: approve it again.

Examples:
  manilla refund list
  manilla refund list --identity shop_1 --json")]
pub(crate) struct RefundListOptions {
    #[arg(
        long,
        value_name = "ID",
        help = "mrcIdentity of the account [default: all]"
    )]
    identity: Option<String>,
    /// Most refunds to show, the oldest at the beginning
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    limit: u32,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    refunds: Vec<Row>,
}

/// A refund as scripts read it.
#[derive(Debug, Serialize)]
struct Row {
    #[serde(rename = "mrcIdentity")]
    identity: String,
    #[serde(rename = "mrcReference")]
    reference: String,
    #[serde(rename = "mrcOriginal")]
    original: String,
    #[serde(rename = "txnAmount")]
    amount: String,
    currency: &'static str,
    #[serde(rename = "rfdReason")]
    reason: String,
    asked: String,
    approved: bool,
}

impl Row {
    fn of(state: &RefundState) -> Self {
        let refund = &state.request;
        Self {
            identity: refund.account.to_string(),
            reference: refund.reference.to_string(),
            original: refund.original.to_string(),
            amount: refund.amount.to_string(),
            currency: refund.amount.currency().code(),
            reason: refund.reason.as_str().to_owned(),
            asked: moment(refund.created_at),
            approved: state.verdict().is_some(),
        }
    }
}

pub(super) async fn run(options: &RefundListOptions, config: &Config) -> Result<(), Failure> {
    let account = options.identity.as_deref().map(identity).transpose()?;
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let found = async {
        if let Some(account) = &account {
            known(&context, account).await?;
        }
        let waiting = context
            .gateway
            .waiting_refunds(account.as_ref(), options.limit);
        Ok::<_, Failure>(waiting.await?)
    };
    let found = found.await;
    context.close().await;
    let refunds: Vec<Row> = found?.iter().map(Row::of).collect();
    if options.json {
        return Ok(output::json(&Document { refunds })?);
    }
    if refunds.is_empty() {
        return Ok(output::line("No refund waits for a decision.")?);
    }
    let headings = [
        "IDENTITY",
        "REFERENCE",
        "PAYMENT",
        "AMOUNT",
        "ASKED",
        "APPROVED",
        "REASON",
    ];
    let rows: Vec<[String; 7]> = refunds
        .into_iter()
        .map(|row| {
            let amount = format!("{} {}", row.currency, row.amount);
            let approved = if row.approved { "yes" } else { "no" };
            [
                row.identity,
                row.reference,
                row.original,
                amount,
                row.asked,
                approved.to_owned(),
                row.reason,
            ]
        })
        .collect();
    Ok(output::line(output::table(headings, &rows))?)
}
