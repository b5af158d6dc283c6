//! `manilla key rotate`. The new key must be shown once and kept nowhere.

use clap::Args;
use domain::credential::LIVE_KEYS_MAX;
use domain::operator::{Act, OperatorOrder};
use serde::Serialize;

use super::revoke::live_keys;
use crate::commands::{identity, is_known, known};
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::operator::sign;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla key rotate --identity shop_1
  manilla key rotate --identity shop_1 --json

The one before it goes on working, so that clients can be changed one by one. An account has two
keys that work at most: while it has, a third is refused until `manilla key revoke`
has ended one.")]
pub(crate) struct KeyRotateOptions {
    #[arg(long, value_name = "ID", help = "mrcIdentity of the account")]
    identity: String,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Rotated<'a> {
    #[serde(rename = "mrcIdentity")]
    identity: &'a str,
    #[serde(rename = "mrcAPIKey")]
    key: &'a str,
    /// The keys that work now, by their first characters.
    live: Vec<String>,
}

pub(super) async fn run(options: &KeyRotateOptions, config: &Config) -> Result<(), Failure> {
    let account = identity(&options.identity)?;
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let rotated = async {
        let environment = known(&context, &account).await?.environment;
        let before = live_keys(&context, &account).await?;
        if let (LIVE_KEYS_MAX.., Some(oldest)) = (before.len(), before.first()) {
            return Err(Failure::from(anyhow::anyhow!(
                "{account} has {LIVE_KEYS_MAX} keys that work, and another would end {oldest}…; \
                 nothing was changed. End the one that is not used any more with `manilla key \
                 revoke --identity {account} --hint {oldest}`, and rotate then"
            )));
        }
        let (key, record) = context.new_key((&account, environment))?;
        let order = OperatorOrder::new(Act::KeyRotate)
            .to(&account)
            .under(&record.hint);
        sign(&context, config, &order).await?;
        is_known(context.accounts.add_key(&account, &record).await?, &account)?;
        Ok((key, live_keys(&context, &account).await?))
    };
    let rotated = rotated.await;
    context.close().await;
    let (key, live) = rotated?;
    if options.json {
        return Ok(output::json(&Rotated {
            identity: account.as_str(),
            key: &key,
            live,
        })?);
    }
    let live = live.join("…, ");
    Ok(output::line(format!(
        "The new key of {account} is shown this once:\n\n  mrcAPIKey    {key}\n\n\
         Working now, at most {LIVE_KEYS_MAX}: {live}…\n\
         Once the new one is in use, `manilla key revoke --hint` ends the old one."
    ))?)
}
