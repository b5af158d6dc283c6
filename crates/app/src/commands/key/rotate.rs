//! `manilla key rotate`. The new key must be shown once and kept nowhere.

use clap::Args;
use domain::credential::LIVE_KEYS_MAX;
use serde::Serialize;

use crate::commands::{identity, no_such_account};
use crate::compose::{Desk, Folder};
use crate::config::Config;
use crate::failure::Failure;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla key rotate --identity shop_1
  manilla key rotate --identity shop_1 --json")]
pub(crate) struct Options {
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

pub(super) async fn run(options: &Options, config: &Config) -> Result<(), Failure> {
    let account = identity(&options.identity)?;
    let desk = Desk::open(config, Folder::MustExist).await?;
    let rotated = async {
        let (key, record) = desk.new_key()?;
        if !desk.accounts.add_key(&account, &record).await? {
            return Err(no_such_account(&account));
        }
        let credentials = desk.accounts.credentials(&account).await?;
        let keys = credentials.into_iter().flat_map(|known| known.keys);
        Ok((key, keys.map(|record| record.hint).collect::<Vec<_>>()))
    };
    let rotated = rotated.await;
    desk.close().await;
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
