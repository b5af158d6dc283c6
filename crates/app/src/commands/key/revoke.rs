//! `manilla key revoke`. It must say how many keys it ended, and never end one that was not named.

use clap::Args;
use domain::account::AccountId;
use domain::operator::{Act, OperatorOrder};
use ports::access_keys::AccessKeyRevocation;
use ports::accounts::Credentials;
use serde::Serialize;

use crate::commands::{identity, no_such_account};
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::operator::sign;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla key revoke --identity shop_1 --hint mk_test_Ab3d
  manilla key revoke --identity shop_1 --all --json")]
pub(crate) struct KeyRevokeOptions {
    #[arg(long, value_name = "ID", help = "mrcIdentity of the account")]
    identity: String,
    #[command(flatten)]
    which: KeySelection,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct KeySelection {
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

pub(super) async fn run(options: &KeyRevokeOptions, config: &Config) -> Result<(), Failure> {
    let account = identity(&options.identity)?;
    let start = options.which.hint.as_deref();
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let revoked = async {
        if context.accounts.credentials(&account).await?.is_none() {
            return Err(no_such_account(&account));
        }
        let hint = match start {
            Some(start) => Some(meant(
                &account,
                start,
                &working_keys(&context, &account).await?,
            )?),
            None => None,
        };
        let hint = hint.as_deref();
        let order = OperatorOrder::new(Act::KeyRevoke).to(&account);
        sign(&context, config, &order.under(hint.unwrap_or("every key"))).await?;
        let now = context.now();
        let revoked = context.accounts.revoke_keys(&account, hint, now).await?;
        let made = revoke_made(&context, &account, hint).await?;
        let live = working_keys(&context, &account).await?;
        Ok((revoked.saturating_add(made), live))
    };
    let revoked = revoked.await;
    context.close().await;
    let (revoked, live) = revoked?;
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
        format!("Still working: {}…", live.join("…, "))
    };
    Ok(output::line(format!(
        "Keys of {account} revoked: {revoked}.\n{left}"
    ))?)
}

/// How often the keys that a merchant made are listed again: one that was made while others were
/// revoked is found by the next look, and cannot make another once it is revoked.
const LOOKS_MAX: u32 = 10;

/// Revokes what the account made for itself: the one key that begins so, or every one.
async fn revoke_made(
    context: &AdminContext,
    account: &AccountId,
    hint: Option<&str>,
) -> anyhow::Result<u64> {
    let mut revoked = 0_u64;
    for _ in 0..LOOKS_MAX {
        let credentials = context.accounts.credentials(account).await?;
        let made = credentials.into_iter().flat_map(|known| known.access);
        let made = made.map(|live| live.sealed.key);
        let named: Vec<_> = made
            .filter(|key| hint.is_none_or(|hint| key.hint == hint))
            .collect();
        if named.is_empty() {
            break;
        }
        for key in named {
            let keys = &context.access_keys;
            let now = context.now();
            let noted = context.gateway.noted_revocation(account, key.id);
            let done = keys
                .revoke_access_key(account, (key.id, now), &noted)
                .await?;
            revoked = revoked.saturating_add(u64::from(done == AccessKeyRevocation::Done));
        }
    }
    Ok(revoked)
}

/// The keys of an account that an operator made and that work, by their first characters.
pub(super) async fn live_keys(
    context: &AdminContext,
    account: &AccountId,
) -> anyhow::Result<Vec<String>> {
    let credentials = context.accounts.credentials(account).await?;
    let keys = credentials.into_iter().flat_map(|known| known.keys);
    Ok(keys.map(|record| record.hint).collect())
}

/// The same with those that the account made for itself.
async fn working_keys(context: &AdminContext, account: &AccountId) -> anyhow::Result<Vec<String>> {
    let credentials = context.accounts.credentials(account).await?;
    let hints = |known: Credentials| {
        let made = known.access.into_iter().map(|live| live.sealed.key.hint);
        let own = known.keys.into_iter().map(|record| record.hint);
        own.chain(made).collect()
    };
    Ok(credentials.map(hints).unwrap_or_default())
}

/// The one working key that starts so, as it is known here. It may have been copied with the dots
/// that stand for its rest.
fn meant(account: &AccountId, start: &str, live: &[String]) -> Result<String, Failure> {
    let start = start.trim().trim_end_matches('…').trim_end_matches("...");
    let mut starting = live.iter().filter(|hint| hint.starts_with(start));
    let wrong = match (starting.next(), starting.next()) {
        (Some(only), None) if !start.is_empty() => return Ok(only.clone()),
        (None, _) if live.is_empty() => format!("names no key: {account} has none that works"),
        (None, _) => format!(
            "starts no working key of {account}; working: {}…",
            live.join("…, ")
        ),
        (Some(_), _) => format!("does not name one key; working: {}…", live.join("…, ")),
    };
    Err(Failure::from(anyhow::anyhow!("--hint {start} {wrong}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_named_by_as_much_of_its_start_as_identifies_it() {
        let account = AccountId::parse("shop").unwrap();
        let live = ["mk_test_Ab3d".to_owned(), "mk_test_Ab9x".to_owned()];
        for start in [
            "mk_test_Ab3d",
            "mk_test_Ab3",
            "mk_test_Ab3d…",
            "mk_test_Ab3d...",
        ] {
            assert_eq!(meant(&account, start, &live).unwrap(), "mk_test_Ab3d");
        }
        let refused = |start: &str, live: &[String]| {
            let failure = meant(&account, start, live).unwrap_err();
            failure.message().unwrap()
        };
        let both = "working: mk_test_Ab3d…, mk_test_Ab9x…";
        let unknown = refused("mk_test_none", &live);
        assert!(
            unknown.contains("starts no working key of shop"),
            "{unknown}"
        );
        assert!(unknown.contains(both), "{unknown}");
        for several in ["mk_test_", "", "…"] {
            let said = refused(several, &live);
            assert!(
                said.contains("does not name one key") && said.contains(both),
                "{said}"
            );
        }
        assert!(refused("", &live[..1]).contains("does not name one key"));
        assert!(refused("mk", &[]).contains("has none that works"));
    }
}
