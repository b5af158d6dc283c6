//! `manilla review list`. It must show why each payment waits, in words that lead to a decision.

use clap::Args;
use domain::transaction::{ReviewCause, State, Transaction};
use jiff::Timestamp as Moment;
use serde::Serialize;

use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla review list
  manilla review list --limit 500 --json")]
pub(crate) struct ReviewListOptions {
    /// Most payments to show
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    limit: u32,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    reviews: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    #[serde(rename = "mrcIdentity")]
    identity: String,
    #[serde(rename = "mrcReference")]
    reference: String,
    #[serde(rename = "txnReference")]
    number: u64,
    order: String,
    amount: String,
    price: String,
    since: String,
    cause: String,
}

impl Row {
    fn of(transaction: &Transaction) -> Option<Self> {
        let State::Review(review) = &transaction.state else {
            return None;
        };
        let cause = match &review.cause {
            ReviewCause::Mismatch {
                reference, amount, ..
            } => format!("the provider says it delivered {amount} under {reference}"),
            ReviewCause::Unresolved => "the provider has given no evidence either way".to_owned(),
        };
        let since = Moment::from_millisecond(review.since.as_millis());
        Some(Self {
            identity: transaction.account.to_string(),
            reference: transaction.reference.to_string(),
            number: transaction.number.get(),
            order: transaction.order.narration(),
            amount: transaction.quote.amount.to_string(),
            price: transaction.quote.price.to_string(),
            since: since.map_or_else(|_| String::new(), |moment| moment.to_string()),
            cause,
        })
    }
}

pub(super) async fn run(options: &ReviewListOptions, config: &Config) -> Result<(), Failure> {
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let waiting = context.gateway.reviews(options.limit).await;
    context.close().await;
    let reviews: Vec<Row> = waiting?.iter().filter_map(Row::of).collect();
    if options.json {
        return Ok(output::json(&Document { reviews })?);
    }
    if reviews.is_empty() {
        return Ok(output::line("No payment waits for a person.")?);
    }
    let headings = ["IDENTITY", "REFERENCE", "ORDER", "AMOUNT", "SINCE", "CAUSE"];
    let rows: Vec<[String; 6]> = reviews
        .into_iter()
        .map(|row| {
            let Row {
                identity,
                reference,
                order,
                amount,
                since,
                cause,
                ..
            } = row;
            [identity, reference, order, amount, since, cause]
        })
        .collect();
    Ok(output::line(output::table(headings, &rows))?)
}
