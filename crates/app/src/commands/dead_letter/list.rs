//! `manilla dead-letter list`. It must show why each change waits, in words that lead to a remedy.

use clap::Args;
use domain::provider::QueryOutcome;
use ports::changes::{ChangeStatus, DeadLetter};
use serde::Serialize;

use crate::commands::moment;
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla dead-letter list
  manilla dead-letter list --limit 500 --json

A provider reports what it did unasked: deliveries taken back, receipts of messages. What
cannot be applied waits here and is tried again by the running server, each minute at first, each
hour later; everything else goes on. What to do about a reason:

  cannot be read              mend the record; `manilla audit` names it under I9
  cannot hold more            the wallet is at the largest amount; it is booked once there is room
  no transaction is stored    compare the ledger with the provider, see `manilla reconcile`
  sent to another provider    ask the provider why it reports what it was not sent

Then `manilla dead-letter retry` has them tried at once.")]
pub(crate) struct DeadLetterListOptions {
    /// Most changes to show
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    limit: u32,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document {
    dead_letters: Vec<Row>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    provider: String,
    position: u64,
    reference: String,
    reported: String,
    reason: String,
    first_seen: String,
    last_tried: String,
    tries: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_try: Option<String>,
}

impl Row {
    fn of(letter: DeadLetter) -> Self {
        let next_try = match letter.status {
            ChangeStatus::Open { due_at } => Some(moment(due_at)),
            ChangeStatus::Resolved { .. } => None,
        };
        Self {
            provider: letter.id.provider.to_string(),
            position: letter.id.position,
            reference: letter.id.reference.to_string(),
            reported: reported(&letter.finding),
            reason: letter.reason,
            first_seen: moment(letter.first_seen_at),
            last_tried: moment(letter.tried_at),
            tries: letter.tries,
            next_try,
        }
    }
}

/// What the provider reported, in a few words.
fn reported(finding: &QueryOutcome) -> String {
    match finding {
        QueryOutcome::Delivered(receipt) => {
            let code = receipt.amount.currency().code();
            format!("delivered {code} {}", receipt.amount)
        }
        QueryOutcome::Declined(refusal) => format!("refused: {}", refusal.code),
        QueryOutcome::Pending => "still being processed".to_owned(),
        QueryOutcome::NotFound => "not found".to_owned(),
        QueryOutcome::Reversed => "taken back".to_owned(),
        QueryOutcome::Unknown => "unknown".to_owned(),
    }
}

pub(super) async fn run(options: &DeadLetterListOptions, config: &Config) -> Result<(), Failure> {
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let open = context.changes.open_letters(options.limit).await;
    context.close().await;
    let dead_letters: Vec<Row> = open?.into_iter().map(Row::of).collect();
    if options.json {
        return Ok(output::json(&Document { dead_letters })?);
    }
    if dead_letters.is_empty() {
        return Ok(output::line("Every change that was reported is applied.")?);
    }
    let headings = ["PROVIDER", "REFERENCE", "REPORTED", "SINCE", "TRIES", "WHY"];
    let rows: Vec<[String; 6]> = dead_letters
        .into_iter()
        .map(|row| {
            let tries = row.tries.to_string();
            [
                row.provider,
                row.reference,
                row.reported,
                row.first_seen,
                tries,
                row.reason,
            ]
        })
        .collect();
    Ok(output::line(output::table(headings, &rows))?)
}

#[cfg(test)]
mod tests {
    use domain::provider::ProviderId;
    use domain::reference::ProviderReference;
    use ports::changes::ChangeId;

    use super::*;
    use domain::time::Timestamp;

    #[test]
    fn a_row_shows_what_was_reported_why_it_waits_and_when_it_is_tried() {
        let row = Row::of(DeadLetter {
            id: ChangeId {
                provider: ProviderId::parse("sandbox").unwrap(),
                position: 7,
                reference: ProviderReference::from_echo("shop.order-1.1"),
            },
            finding: QueryOutcome::Reversed,
            reason: "transaction 3 cannot be read".to_owned(),
            first_seen_at: Timestamp::from_millis(0),
            tried_at: Timestamp::from_millis(60_000),
            tries: 2,
            status: ChangeStatus::Open {
                due_at: Timestamp::from_millis(180_000),
            },
        });
        assert_eq!(
            serde_json::to_string(&row).unwrap(),
            r#"{"provider":"sandbox","position":7,"reference":"shop.order-1.1","#.to_owned()
                + r#""reported":"taken back","reason":"transaction 3 cannot be read","#
                + r#""firstSeen":"1970-01-01T00:00:00Z","lastTried":"1970-01-01T00:01:00Z","#
                + r#""tries":2,"nextTry":"1970-01-01T00:03:00Z"}"#
        );
    }
}
