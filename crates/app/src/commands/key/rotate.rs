//! `manilla key rotate`. The new key must be shown once and kept nowhere.

use clap::Args;
use domain::credential::LIVE_KEYS_MAX;
use serde::Serialize;

use super::revoke::live_keys;
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
    /// The keys that had to make room and stopped working.
    ended: Vec<String>,
}

pub(super) async fn run(options: &Options, config: &Config) -> Result<(), Failure> {
    let account = identity(&options.identity)?;
    let desk = Desk::open(config, Folder::MustExist).await?;
    let rotated = async {
        let before = live_keys(&desk, &account).await?;
        let (key, record) = desk.new_key(&account)?;
        if !desk.accounts.add_key(&account, &record).await? {
            return Err(no_such_account(&account));
        }
        let live = live_keys(&desk, &account).await?;
        let ended: Vec<_> = before
            .into_iter()
            .filter(|hint| !live.contains(hint))
            .collect();
        Ok((key, live, ended))
    };
    let rotated = rotated.await;
    desk.close().await;
    let (key, live, ended) = rotated?;
    if options.json {
        return Ok(output::json(&Rotated {
            identity: account.as_str(),
            key: &key,
            live,
            ended,
        })?);
    }
    let live = live.join("…, ");
    let ended: Vec<_> = ended
        .iter()
        .map(|hint| format!("\n{hint}… had to make room and stopped working."))
        .collect();
    let ended = ended.concat();
    Ok(output::line(format!(
        "The new key of {account} is shown this once:\n\n  mrcAPIKey    {key}\n\n\
         Working now, at most {LIVE_KEYS_MAX}: {live}…{ended}\n\
         Once the new one is in use, `manilla key revoke --hint` ends the old one."
    ))?)
}
