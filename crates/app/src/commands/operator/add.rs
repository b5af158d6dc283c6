//! `manilla operator add`. The first operator is added by who owns the data folder, once; each
//! further one by the key of another.

use anyhow::anyhow;
use application::operators::Decision;
use clap::Args;
use domain::operator::{Act, OperatorName, OperatorOrder, PublicKey};
use serde::Serialize;

use super::name;
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::operator::{key_file, not_signed, signer, signer_or_new};
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla operator add --name alpha
  manilla operator add --name beta \\
    --public-key 3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c
  MANILLA_OPERATOR_PASSPHRASE_FILE=pass manilla operator add --name alpha --json

The first form makes a key, unless the file of --operator-key holds one, and adds the first
operator; it works once, for the owner of the data folder, or for who may write the books in the
database. Each further operator makes a key with `manilla operator key` and has another add its
public key. From the third on two operators must do that, one after the other: one who could add
others alone could approve what needs two persons under a second name.")]
pub(crate) struct OperatorAddOptions {
    /// Name of the operator: 2 to 32 characters of a-z, 0-9 and -
    #[arg(long)]
    name: String,
    #[arg(
        long,
        value_name = "HEX",
        help = "Public key of another operator, as `manilla operator key` shows it"
    )]
    public_key: Option<String>,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    name: &'a str,
    public_key: String,
    added: bool,
    /// The entry of the log that waits for another operator.
    #[serde(skip_serializing_if = "Option::is_none")]
    proposed: Option<u64>,
}

pub(super) async fn run(options: &OperatorAddOptions, config: &Config) -> Result<(), Failure> {
    let name = name(&options.name)?;
    let given = options.public_key.as_deref().map(|text| {
        let wrong = "must be the 64 hexadecimal digits that `manilla operator key` shows";
        PublicKey::parse(text).ok_or_else(|| Failure::flag("--public-key", wrong))
    });
    let given = given.transpose()?;
    // A key that cannot be kept is refused before anything is made.
    key_file(config)?;
    let context = AdminContext::open(config, DataFolder::MadeIfMissing).await?;
    let added = match given {
        None => first(&context, config, &name).await.map(|key| (key, None)),
        Some(key) => another(&context, config, (&name, key)).await,
    };
    context.close().await;
    let (key, proposed) = added?;
    if options.json {
        return Ok(output::json(&Answer {
            name: name.as_str(),
            public_key: key.to_string(),
            added: proposed.is_none(),
            proposed,
        })?);
    }
    Ok(output::line(match proposed {
        None => format!("{name} is an operator with the public key {key}."),
        Some(entry) => format!(
            "Entry {entry} proposes {name}. Another operator adds {name} by the same command."
        ),
    })?)
}

/// The first operator adds itself.
async fn first(
    context: &AdminContext,
    config: &Config,
    name: &OperatorName,
) -> Result<PublicKey, Failure> {
    let roster = context.operators.roster().await.map_err(not_signed)?;
    if let Some(known) = roster.active().next() {
        let by = &known.name;
        return Err(anyhow!(
            "the first operator is there already: nothing was changed. Make a key with `manilla \
             operator key --name {name}`, and have {by} or another operator run: manilla operator \
             add --name {name} --public-key …"
        )
        .into());
    }
    context.is_of_this_user()?;
    let signer = signer_or_new(config, name)?;
    let key = PublicKey(signer.key.public());
    let order = OperatorOrder::new(Act::OperatorAdd).under(name).with(key);
    let entry = context.operators.sign(&signer, &order).await;
    entry.map_err(not_signed)?;
    Ok(key)
}

async fn another(
    context: &AdminContext,
    config: &Config,
    (name, key): (&OperatorName, PublicKey),
) -> Result<(PublicKey, Option<u64>), Failure> {
    let roster = context.operators.roster().await.map_err(not_signed)?;
    let signer = signer(config)?;
    let order = OperatorOrder::new(Act::OperatorAdd).under(name).with(key);
    if !roster.needs_approval() {
        let entry = context.operators.sign(&signer, &order).await;
        return entry.map(|_| (key, None)).map_err(not_signed);
    }
    let decided = context.operators.decide(&signer, &order).await;
    Ok(match decided.map_err(not_signed)? {
        Decision::Approved { .. } => (key, None),
        Decision::Proposed { entry } => (key, Some(entry)),
    })
}
