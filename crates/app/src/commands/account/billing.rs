//! `manilla account billing`: what an account's messages are charged to. It must not move money
//! from one wallet to another.

use clap::Args;
use domain::money::Currency;
use domain::operator::{Act, OperatorOrder};
use serde::Serialize;

use crate::commands::{currency, identity, is_known, known};
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::operator::sign;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla account billing --identity shop_1 --sms-currency CRD
  manilla account credit --identity shop_1 --currency CRD --amount 500.00")]
pub(crate) struct AccountBillingOptions {
    #[arg(long, value_name = "ID", help = "mrcIdentity of the account")]
    identity: String,
    /// NGN, or CRD for message credits
    #[arg(long, value_name = "CURRENCY")]
    sms_currency: String,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Changed<'a> {
    #[serde(rename = "mrcIdentity")]
    identity: &'a str,
    #[serde(rename = "smsCurrency")]
    sms_currency: &'a str,
}

pub(super) async fn run(options: &AccountBillingOptions, config: &Config) -> Result<(), Failure> {
    let account = identity(&options.identity)?;
    let billed: Currency = currency("--sms-currency", &options.sms_currency)?;
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let changed = async {
        known(&context, &account).await?;
        let order = OperatorOrder::new(Act::AccountBilling).to(&account);
        sign(&context, config, &order.with(billed.code())).await?;
        let found = context
            .accounts
            .set_message_currency(&account, billed)
            .await?;
        is_known(found, &account)
    };
    let changed = changed.await;
    context.close().await;
    changed?;
    if options.json {
        let (identity, sms_currency) = (account.as_str(), billed.code());
        return Ok(output::json(&Changed {
            identity,
            sms_currency,
        })?);
    }
    let code = billed.code();
    Ok(output::line(format!(
        "Messages of {account} are charged in {code}, at a running server within a second."
    ))?)
}
