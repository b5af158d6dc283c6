//! `manilla account topup list`. It must show what the payer of each was asked to name, so that an
//! operator finds it on the statement of the bank.

use clap::Args;
use domain::time::Timestamp;
use ports::top_ups::UnconfirmedTopUps;
use serde::Serialize;

use super::Row;
use crate::commands::{identity, known};
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
NUMBER is what the payer was asked to name with the transfer.

Examples:
  manilla account topup list
  manilla account topup list --identity shop_1 --json
  manilla account topup list --expired")]
pub(crate) struct TopUpListOptions {
    #[arg(
        long,
        value_name = "ID",
        help = "mrcIdentity of the account [default: all]"
    )]
    identity: Option<String>,
    /// Show those that have expired too: money that arrives late is credited still
    #[arg(long)]
    expired: bool,
    /// Most top-ups to show, those that expire first at the beginning
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    limit: u32,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    topups: Vec<Row>,
}

pub(super) async fn run(options: &TopUpListOptions, config: &Config) -> Result<(), Failure> {
    let account = options.identity.as_deref().map(identity).transpose()?;
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let ending_after = if options.expired {
        Timestamp::from_millis(i64::MIN)
    } else {
        context.now()
    };
    let found = async {
        if let Some(account) = &account {
            known(&context, account).await?;
        }
        let wanted = UnconfirmedTopUps {
            account: account.as_ref(),
            ending_after,
            limit: options.limit,
        };
        Ok::<_, Failure>(context.gateway.unconfirmed_top_ups(wanted).await?)
    };
    let found = found.await;
    context.close().await;
    let topups: Vec<Row> = found?.iter().map(Row::of).collect();
    if options.json {
        return Ok(output::json(&Document { topups })?);
    }
    if topups.is_empty() {
        return Ok(output::line("No top-up waits to be confirmed.")?);
    }
    let headings = [
        "IDENTITY",
        "REFERENCE",
        "NUMBER",
        "CHANNEL",
        "AMOUNT",
        "EXPIRES",
    ];
    let rows: Vec<[String; 6]> = topups
        .into_iter()
        .map(|row| {
            let amount = format!("{} {}", row.currency, row.amount);
            let number = row.number.to_string();
            let channel = row.channel.to_owned();
            [
                row.identity,
                row.reference,
                number,
                channel,
                amount,
                row.expires,
            ]
        })
        .collect();
    Ok(output::line(output::table(headings, &rows))?)
}
