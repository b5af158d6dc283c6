//! `manilla key-ring accept`: the secrets of this data folder in place of those the store was used
//! with. It must change nothing where the store was used with them already.

use anyhow::anyhow;
use clap::Args;
use domain::operator::{Act, OperatorOrder};
use ports::audit::Serving;
use serde::Serialize;

use crate::commands::reason;
use crate::compose::{AcceptedSecrets, AdminContext, RowCodes};
use crate::config::Config;
use crate::failure::Failure;
use crate::operator::sign;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla key-ring accept --reason 'the disk with the key ring is lost'

For the day on which the pepper or the key ring is lost everywhere, backups too. What was sealed
under the keys before stays closed, and keys of accounts that were made under a pepper or a
generation that is lost must be made anew (`manilla key rotate`). Stop every server first, and give
all of them the same files.")]
pub(crate) struct KeyRingAcceptOptions {
    #[arg(
        long,
        help = "Why, in one line of 200 characters at most; all operators see it"
    )]
    reason: String,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    /// Whether other secrets were accepted before.
    changed: bool,
}

pub(super) async fn run(options: &KeyRingAcceptOptions, config: &Config) -> Result<(), Failure> {
    let reason = reason(&options.reason)?;
    let (context, secrets) = AdminContext::open_to_accept(config).await?;
    let accepted = accept(&context, (&secrets, &reason), config).await;
    context.close().await;
    let accepted = accepted?;
    if options.json {
        let changed = accepted.is_some();
        return Ok(output::json(&Answer { changed })?);
    }
    Ok(output::line(match accepted {
        Some(RowCodes::Given) => {
            "The pepper and the key ring of this data folder are accepted. Give every instance the \
             same files before it is started."
        }
        Some(RowCodes::ToBeGiven) => {
            "The pepper and the key ring of this data folder are accepted. Give every instance the \
             same files, and run `manilla key-ring authenticate --altered --reason …` as the owner \
             of the tables: rows have codes of the keys before, and are refused until they have \
             others."
        }
        None => "This store was used with these already; nothing was changed.",
    })?)
}

async fn accept(
    context: &AdminContext,
    (secrets, reason): (&AcceptedSecrets, &str),
    config: &Config,
) -> Result<Option<RowCodes>, Failure> {
    if secrets.are_those_of_the_store().await? {
        return Ok(None);
    }
    if context.serving().await? == Serving::Yes {
        return Err(anyhow!(
            "a server works on this store, and would go on sealing under the keys before; stop \
             every server first, and nothing was changed"
        )
        .into());
    }
    let detail = format!("{reason} (fingerprint {})", secrets.fingerprint());
    let order = OperatorOrder::new(Act::SecretsAccept).with(detail);
    sign(context, config, &order).await?;
    Ok(Some(secrets.accept().await?))
}
