//! `manilla sender add`: a name an account wants to send under. It must not be approved by being
//! asked for, unless the operator says so.

use clap::Args;
use domain::account::AccountId;
use domain::operator::{Act, OperatorOrder};
use domain::sms::{Sender, SenderName, SenderSerial, SenderStatus};
use ports::senders::SenderRegistration;

use super::Row;
use crate::commands::{identity, known, no_such_account};
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::operator::SigningAuthority;
use crate::{entropy, output};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla sender add --identity shop_1 --name CornerShop
  manilla sender add --identity shop_1 --name CornerShop --approved --json")]
pub(crate) struct SenderAddOptions {
    #[arg(long, value_name = "ID", help = "mrcIdentity of the account")]
    identity: String,
    /// What recipients see: 3 to 11 letters and digits
    #[arg(long)]
    name: String,
    /// Approve it at once
    #[arg(long)]
    approved: bool,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

/// How many serial numbers are drawn: with 9 × 10^11 to draw from, even the second is hardly ever
/// needed.
const SERIALS_MAX: usize = 8;

pub(super) async fn run(options: &SenderAddOptions, config: &Config) -> Result<(), Failure> {
    let account = identity(&options.identity)?;
    let name = SenderName::parse(&options.name).map_err(|error| Failure::flag("--name", error))?;
    let status = if options.approved {
        SenderStatus::Approved
    } else {
        SenderStatus::Pending
    };
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let registered = async {
        known(&context, &account).await?;
        let by = SigningAuthority::of(config)?;
        register(&context, &by, (account, name, status)).await
    };
    let registered = registered.await;
    context.close().await;
    let sender = registered?;
    if options.json {
        return Ok(output::json(&Row::of(&sender))?);
    }
    let next = match sender.status {
        SenderStatus::Approved => "It may send at once.".to_owned(),
        SenderStatus::Pending | SenderStatus::Rejected => format!(
            "It sends once it is approved: manilla sender approve --serial {}",
            sender.serial
        ),
    };
    Ok(output::line(format!(
        "Registered {} for {} as sender {}. {next}",
        sender.name.as_str(),
        sender.account,
        sender.serial
    ))?)
}

/// Registers a sender under a serial number made up for it.
pub(crate) async fn register(
    context: &AdminContext,
    by: &SigningAuthority,
    (account, name, status): (AccountId, SenderName, SenderStatus),
) -> Result<Sender, Failure> {
    let order = OperatorOrder::new(Act::SenderAdd)
        .to(&account)
        .under(name.as_str());
    by.sign(context, &order.with(status.code())).await?;
    for _ in 0..SERIALS_MAX {
        let now = context.now();
        let decided_at = match status {
            SenderStatus::Pending => None,
            SenderStatus::Approved | SenderStatus::Rejected => Some(now),
        };
        let sender = Sender {
            serial: made_up_serial()?,
            account: account.clone(),
            name: name.clone(),
            status,
            requested_at: now,
            decided_at,
        };
        match context.senders.register(&sender).await? {
            SenderRegistration::Done => return Ok(sender),
            SenderRegistration::SerialTaken => {}
            SenderRegistration::NameTaken => {
                return Err(Failure::from(anyhow::anyhow!(
                    "{account} has a sender {} already; `manilla sender list` shows its serial \
                     number",
                    name.as_str()
                )));
            }
            SenderRegistration::AccountUnknown => return Err(no_such_account(&account)),
        }
    }
    Err(anyhow::anyhow!("drew only serial numbers that are in use").into())
}

/// Any of the serial numbers there are, each about as likely as another.
fn made_up_serial() -> anyhow::Result<SenderSerial> {
    let span = SenderSerial::LAST - SenderSerial::FIRST + 1;
    let drawn = u64::from_le_bytes(entropy::bytes()?) % span;
    Ok(SenderSerial::from_number(SenderSerial::FIRST + drawn)?)
}
