//! `manilla account suspend` and `resume`. They must not touch what is open: that is settled either
//! way.

use clap::Args;
use domain::account::AccountStatus;
use domain::operator::{Act, OperatorOrder};
use serde::Serialize;

use super::status_word;
use crate::commands::{identity, is_known, known};
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::operator::sign;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla account suspend --identity shop_1")]
pub(crate) struct Suspend {
    #[command(flatten)]
    pub(crate) options: AccountStatusOptions,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla account resume --identity shop_1 --json")]
pub(crate) struct Resume {
    #[command(flatten)]
    pub(crate) options: AccountStatusOptions,
}

#[derive(Debug, Args)]
pub(crate) struct AccountStatusOptions {
    #[arg(long, value_name = "ID", help = "mrcIdentity of the account")]
    identity: String,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Changed<'a> {
    #[serde(rename = "mrcIdentity")]
    identity: &'a str,
    status: &'a str,
}

pub(super) async fn run(
    options: &AccountStatusOptions,
    status: AccountStatus,
    config: &Config,
) -> Result<(), Failure> {
    let account = identity(&options.identity)?;
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let act = match status {
        AccountStatus::Active => Act::AccountResume,
        AccountStatus::Suspended => Act::AccountSuspend,
    };
    let changed = async {
        known(&context, &account).await?;
        sign(&context, config, &OperatorOrder::new(act).to(&account)).await?;
        is_known(
            context.accounts.set_status(&account, status).await?,
            &account,
        )
    };
    let changed = changed.await;
    context.close().await;
    changed?;
    let status = status_word(status);
    if options.json {
        let identity = account.as_str();
        return Ok(output::json(&Changed { identity, status })?);
    }
    Ok(output::line(format!("{account} is {status}."))?)
}
