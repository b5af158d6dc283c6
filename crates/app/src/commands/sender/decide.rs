//! `manilla sender approve` and `reject`. They must not change what was sent before.

use clap::Args;
use domain::operator::{Act, OperatorOrder};
use domain::sms::{SenderSerial, SenderStatus};
use serde::Serialize;

use super::serial;
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::operator::sign;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla sender approve --serial 482913560177")]
pub(crate) struct Approve {
    #[command(flatten)]
    pub(crate) options: SenderDecideOptions,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla sender reject --serial 482913560177 --json")]
pub(crate) struct Reject {
    #[command(flatten)]
    pub(crate) options: SenderDecideOptions,
}

#[derive(Debug, Args)]
pub(crate) struct SenderDecideOptions {
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
    options: &SenderDecideOptions,
    status: SenderStatus,
    config: &Config,
) -> Result<(), Failure> {
    let serial = serial(&options.serial)?;
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let decided = decided(&context, config, (&serial, status)).await;
    context.close().await;
    decided?;
    let status = status.code();
    if options.json {
        let serial = serial.as_str();
        return Ok(output::json(&Changed { serial, status })?);
    }
    Ok(output::line(format!("Sender {serial} is {status}."))?)
}

async fn decided(
    context: &AdminContext,
    config: &Config,
    (serial, status): (&SenderSerial, SenderStatus),
) -> Result<(), Failure> {
    let unknown = || {
        Failure::from(anyhow::anyhow!(
            "there is no sender {serial}; `manilla sender list` shows every sender"
        ))
    };
    let listed = context.senders.senders(None).await?;
    let sender = listed.iter().find(|it| it.serial == *serial);
    let sender = sender.ok_or_else(unknown)?;
    let act = match status {
        SenderStatus::Approved => Act::SenderApprove,
        SenderStatus::Pending | SenderStatus::Rejected => Act::SenderReject,
    };
    let order = OperatorOrder::new(act).to(&sender.account).under(serial);
    sign(context, config, &order).await?;
    if context
        .senders
        .decide(serial, status, context.now())
        .await?
    {
        Ok(())
    } else {
        Err(unknown())
    }
}
