//! `manilla operator log`: what was done, and by whom. It must not judge: whether it is signed is
//! for the audit to say.

use clap::Args;
use domain::operator::OperatorEntry;
use serde::Serialize;

use super::list::moment;
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla operator log
  manilla operator log --after 1200 --limit 50 --json

Entries of `program` are what the program did by itself: it opens an account to try things with.
`manilla audit` says whether every entry is signed and none is missing.")]
pub(crate) struct OperatorLogOptions {
    /// Only entries after this one
    #[arg(long, default_value_t = 0, value_name = "NUMBER")]
    after: u64,
    /// Most entries
    #[arg(long, default_value_t = 1_000, value_name = "COUNT")]
    limit: u32,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    entries: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    number: u64,
    at: String,
    actor: String,
    act: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    account: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    reference: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    amount: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    currency: Option<&'static str>,
    #[serde(skip_serializing_if = "String::is_empty")]
    detail: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    approves: Option<u64>,
}

impl Row {
    fn of(entry: OperatorEntry) -> Self {
        let order = entry.order;
        Self {
            number: entry.number,
            at: moment(entry.at),
            actor: entry.actor.as_str().to_owned(),
            act: order.act.code(),
            account: order.account,
            reference: order.reference,
            amount: order.amount.map(|it| it.to_string()),
            currency: order.amount.map(|it| it.currency().code()),
            detail: order.detail,
            approves: entry.approves,
        }
    }

    fn cells(self) -> [String; 7] {
        let amount = self.currency.unwrap_or_default().to_owned();
        let amount = format!("{amount} {}", self.amount.unwrap_or_default());
        let act = match self.approves {
            Some(number) => format!("{} (approves {number})", self.act),
            None => self.act.to_owned(),
        };
        let number = self.number.to_string();
        let amount = amount.trim().to_owned();
        [
            number,
            self.at,
            self.actor,
            act,
            self.account,
            self.reference,
            amount,
        ]
    }
}

pub(super) async fn run(options: &OperatorLogOptions, config: &Config) -> Result<(), Failure> {
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let entries = context
        .operator_log
        .entries(options.after, options.limit)
        .await;
    context.close().await;
    let entries: Vec<Row> = entries?.into_iter().map(Row::of).collect();
    if options.json {
        return Ok(output::json(&Document { entries })?);
    }
    let headings = [
        "ENTRY",
        "AT",
        "ACTOR",
        "ACT",
        "ACCOUNT",
        "REFERENCE",
        "AMOUNT",
    ];
    let rows: Vec<_> = entries.into_iter().map(Row::cells).collect();
    Ok(output::line(output::table(headings, &rows))?)
}
