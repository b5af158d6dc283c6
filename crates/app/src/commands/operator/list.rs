//! `manilla operator list`. It must show revoked operators too: what they signed stays valid.

use clap::Args;
use domain::operator::Member;
use jiff::Timestamp;
use serde::Serialize;

use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::operator::not_signed;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla operator list
  manilla operator list --json")]
pub(crate) struct OperatorListOptions {
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    operators: Vec<Row>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    name: String,
    status: &'static str,
    public_key: String,
    added_by: String,
    added_at: String,
    /// When the key for requests over HTTP was made, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    http_key_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    revoked_by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    revoked_at: Option<String>,
}

impl Row {
    fn of(member: &Member) -> Self {
        let revoked = member.revoked.as_ref();
        Self {
            name: member.name.to_string(),
            status: if revoked.is_some() {
                "revoked"
            } else {
                "active"
            },
            public_key: member.key.to_string(),
            added_by: member.added_by.to_string(),
            added_at: moment(member.added_at),
            http_key_at: member.http_key.as_ref().map(|it| moment(it.at)),
            revoked_by: revoked.map(|it| it.by.to_string()),
            revoked_at: revoked.map(|it| moment(it.at)),
        }
    }
}

/// A moment as a text; one outside the calendar as its number.
pub(super) fn moment(at: domain::time::Timestamp) -> String {
    let shown = Timestamp::from_millisecond(at.as_millis());
    shown.map_or_else(|_| at.as_millis().to_string(), |it| it.to_string())
}

pub(super) async fn run(options: &OperatorListOptions, config: &Config) -> Result<(), Failure> {
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let roster = context.operators.roster().await;
    context.close().await;
    let roster = roster.map_err(not_signed)?;
    let operators: Vec<Row> = roster.members().iter().map(Row::of).collect();
    if options.json {
        return Ok(output::json(&Document { operators })?);
    }
    if operators.is_empty() {
        return Ok(output::line(
            "No operator yet: add yourself with `manilla operator add --name NAME`.",
        )?);
    }
    let headings = ["NAME", "STATUS", "ADDED BY", "ADDED AT", "PUBLIC KEY"];
    let rows: Vec<[String; 5]> = operators
        .into_iter()
        .map(|row| {
            let status = row.status.to_owned();
            [row.name, status, row.added_by, row.added_at, row.public_key]
        })
        .collect();
    Ok(output::line(output::table(headings, &rows))?)
}
