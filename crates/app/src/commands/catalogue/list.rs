//! `manilla catalogue list`: every version. It must say which is in force by the time of the store.

use std::cmp::Ordering;

use clap::Args;
use serde::Serialize;

use super::{hex, in_force, moment};
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla catalogue list
  manilla catalogue list --json")]
pub(crate) struct CatalogueListOptions {
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document {
    in_force: u32,
    now: String,
    versions: Vec<Row>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    version: u32,
    state: &'static str,
    effective_from: String,
    published_at: String,
    published_by: String,
    reason: String,
    digest: String,
    changes: Vec<String>,
}

pub(super) async fn run(options: &CatalogueListOptions, config: &Config) -> Result<(), Failure> {
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let reading = context.catalogue.versions(0).await;
    context.close().await;
    let reading = reading?;
    let now = reading.now;
    let current = in_force(&reading.versions, now);
    let versions = reading.versions.into_iter().map(|it| Row {
        version: it.number,
        state: match it.number.cmp(&current) {
            Ordering::Less => "over",
            Ordering::Equal => "in force",
            Ordering::Greater => "waits",
        },
        effective_from: moment(it.effective_from),
        published_at: moment(it.published_at),
        published_by: it.published_by,
        reason: it.reason,
        digest: hex(&it.digest),
        changes: it.changes,
    });
    let versions: Vec<_> = versions.collect();
    if options.json {
        return Ok(output::json(&Document {
            in_force: current,
            now: moment(now),
            versions,
        })?);
    }
    if versions.is_empty() {
        return Ok(output::line(
            "No version was published; the catalogue of the program is in force.",
        )?);
    }
    let rows: Vec<_> = versions
        .into_iter()
        .map(|it| {
            [
                it.version.to_string(),
                it.state.to_owned(),
                it.effective_from,
                it.published_by,
                it.reason,
                it.changes.len().to_string(),
            ]
        })
        .collect();
    let headings = ["VERSION", "STATE", "FROM", "BY", "REASON", "PRODUCTS"];
    Ok(output::line(output::table(headings, &rows))?)
}
