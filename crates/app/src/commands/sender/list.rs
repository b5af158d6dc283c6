//! `manilla sender list`. It must show every sender there is, whatever its state.

use clap::Args;
use domain::sms::Sender;
use serde::Serialize;

use super::Row;
use crate::commands::identity;
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla sender list
  manilla sender list --identity shop_1 --json")]
pub(crate) struct SenderListOptions {
    #[arg(long, value_name = "ID", help = "Only senders of this mrcIdentity")]
    identity: Option<String>,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    senders: Vec<Row>,
}

impl Row {
    pub(super) fn of(sender: &Sender) -> Self {
        Self {
            serial: sender.serial.to_string(),
            identity: sender.account.to_string(),
            name: sender.name.as_str().to_owned(),
            status: sender.status.code(),
        }
    }
}

pub(super) async fn run(options: &SenderListOptions, config: &Config) -> Result<(), Failure> {
    let account = options.identity.as_deref().map(identity).transpose()?;
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let listed = context.senders.senders(account.as_ref()).await;
    context.close().await;
    let senders: Vec<Row> = listed?.iter().map(Row::of).collect();
    if options.json {
        return Ok(output::json(&Document { senders })?);
    }
    if senders.is_empty() {
        return Ok(output::line(
            "No sender yet: register one with `manilla sender add --identity ID --name NAME`.",
        )?);
    }
    let headings = ["SERIAL", "IDENTITY", "NAME", "STATUS"];
    let rows: Vec<[String; 4]> = senders
        .into_iter()
        .map(|row| [row.serial, row.identity, row.name, row.status.to_owned()])
        .collect();
    Ok(output::line(output::table(headings, &rows))?)
}
