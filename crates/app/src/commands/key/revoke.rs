//! `manilla key revoke`. It must say how many keys it ended: none is a mistake in the hint.

use clap::Args;
use serde::Serialize;

use crate::commands::{identity, no_such_account};
use crate::compose::{Desk, Folder};
use crate::config::Config;
use crate::failure::Failure;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla key revoke --identity shop_1 --hint mk_test_Ab3d
  manilla key revoke --identity shop_1 --all --json")]
pub(crate) struct Options {
    #[arg(long, value_name = "ID", help = "mrcIdentity of the account")]
    identity: String,
    #[command(flatten)]
    which: Which,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Which {
    #[arg(
        long,
        value_name = "START",
        help = "The first characters of the key, as key rotate shows them"
    )]
    hint: Option<String>,
    /// Every key of the account
    #[arg(long)]
    all: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    #[serde(rename = "mrcIdentity")]
    identity: &'a str,
    revoked: u64,
    /// The keys that still work, by their first characters.
    live: Vec<String>,
}

pub(super) async fn run(options: &Options, config: &Config) -> Result<(), Failure> {
    let account = identity(&options.identity)?;
    let hint = options.which.hint.as_deref();
    let desk = Desk::open(config, Folder::MustExist).await?;
    let revoked = async {
        if desk.accounts.credentials(&account).await?.is_none() {
            return Err(no_such_account(&account));
        }
        let now = desk.now();
        let revoked = desk.accounts.revoke_keys(&account, hint, now).await?;
        let credentials = desk.accounts.credentials(&account).await?;
        let keys = credentials.into_iter().flat_map(|known| known.keys);
        Ok((revoked, keys.map(|record| record.hint).collect::<Vec<_>>()))
    };
    let revoked = revoked.await;
    desk.close().await;
    let (revoked, live) = revoked?;
    if let Some(hint) = hint.filter(|_| revoked == 0) {
        let live = live.join(", ");
        return Err(Failure::from(anyhow::anyhow!(
            "no working key of {account} starts with {hint}; working: {live}"
        )));
    }
    if options.json {
        return Ok(output::json(&Answer {
            identity: account.as_str(),
            revoked,
            live,
        })?);
    }
    let left = if live.is_empty() {
        format!("No key of {account} works now; `manilla key rotate` makes one.")
    } else {
        format!("Still working: {}", live.join(", "))
    };
    Ok(output::line(format!(
        "Keys of {account} revoked: {revoked}.\n{left}"
    ))?)
}
