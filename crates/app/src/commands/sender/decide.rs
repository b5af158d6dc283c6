//! `manilla sender approve` and `reject`. They must not change what was sent before.

use clap::Args;
use domain::sms::SenderStatus;
use serde::Serialize;

use super::serial;
use crate::compose::{Desk, Folder};
use crate::config::Config;
use crate::failure::Failure;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla sender approve --serial 482913560177")]
pub(crate) struct Approve {
    #[command(flatten)]
    pub(crate) options: Options,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla sender reject --serial 482913560177 --json")]
pub(crate) struct Reject {
    #[command(flatten)]
    pub(crate) options: Options,
}

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The 12-digit serial number of the sender
    #[arg(long, value_name = "SERIAL")]
    serial: String,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Changed<'a> {
    serial: &'a str,
    status: &'a str,
}

pub(super) async fn run(
    options: &Options,
    status: SenderStatus,
    config: &Config,
) -> Result<(), Failure> {
    let serial = serial(&options.serial)?;
    let desk = Desk::open(config, Folder::MustExist).await?;
    let found = desk.senders.decide(&serial, status, desk.now()).await;
    desk.close().await;
    if !found? {
        return Err(Failure::from(anyhow::anyhow!(
            "there is no sender {serial}; `manilla sender list` shows every sender"
        )));
    }
    let status = status.code();
    if options.json {
        let serial = serial.as_str();
        return Ok(output::json(&Changed { serial, status })?);
    }
    Ok(output::line(format!("Sender {serial} is {status}."))?)
}
