//! `manilla operator http-key`: the key of an operator for requests over HTTP. It must be shown
//! once, and stored nowhere.

use application::operators::http_keys::{http_key_end, http_key_order, mint_http_key};
use clap::Args;
use serde::Serialize;

use super::name;
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::entropy;
use crate::failure::Failure;
use crate::operator::{sign, sign_as, signer};
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla operator http-key
  manilla operator http-key --json
  manilla operator http-key --revoke beta

Makes a key for GET https://…/operations/cases and the other requests of operators, signed with the
key of the operator who runs it, in place of the one before. It is shown once: send the name of the
operator and the key as credentials. It opens no account and moves no money. --revoke ends the key
of any operator, because a stolen key cannot wait.")]
pub(crate) struct OperatorHttpKeyOptions {
    #[arg(
        long,
        value_name = "NAME",
        help = "End the key of this operator, and make none"
    )]
    revoke: Option<String>,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<&'a str>,
}

pub(super) async fn run(options: &OperatorHttpKeyOptions, config: &Config) -> Result<(), Failure> {
    match &options.revoke {
        Some(of) => revoke(of, options.json, config).await,
        None => make(options.json, config).await,
    }
}

async fn make(is_json: bool, config: &Config) -> Result<(), Failure> {
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let made = async {
        let signer = signer(config)?;
        let key = mint_http_key(entropy::bytes()?);
        let order = http_key_order(&signer.name, &key);
        let order = order.ok_or_else(|| anyhow::anyhow!("no key could be made"))?;
        sign_as(&context, &signer, &order).await?;
        Ok::<_, Failure>((signer.name, key))
    };
    let made = made.await;
    context.close().await;
    let (name, key) = made?;
    if is_json {
        let key = Some(key.as_str());
        let name = name.as_str();
        return Ok(output::json(&Answer { name, key })?);
    }
    Ok(output::line(format!(
        "The key of {name} for requests over HTTP, which is shown once:\n\n  {name}:{key}\n\nIt \
         works at once, and the one before does no more."
    ))?)
}

async fn revoke(of: &str, is_json: bool, config: &Config) -> Result<(), Failure> {
    let name = name(of)?;
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let signed = sign(&context, config, &http_key_end(&name)).await;
    context.close().await;
    signed?;
    if is_json {
        let name = name.as_str();
        return Ok(output::json(&Answer { name, key: None })?);
    }
    Ok(output::line(format!(
        "No key opens operations over HTTP to {name} any more."
    ))?)
}
