//! `manilla provider seal`: seals a secret of an account at a provider for the configuration. The
//! secret must never be taken from the command line.

use std::io::{IsTerminal as _, Read as _};

use anyhow::{Context as _, anyhow};
use clap::Args;
use domain::provider::ProviderId;
use ports::adapter::Secrecy;
use serde::Serialize;

use crate::compose::ring_in_use;
use crate::config::Config;
use crate::failure::Failure;
use crate::secrets::sealed;
use crate::{entropy, output, secret_files};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla provider seal my-shop token < token.txt
  pass show my-shop | manilla provider seal my-shop token --json

Standard input is the secret; on a terminal it is asked for and not shown. Write what is printed in
place of the secret: `token = \"sealed.v1…\"` below [provider.my-shop], in a variable or in the file
of the secret. It opens as this setting alone, with the key ring of this gateway, which seals by its
newest generation and opens by every one. After `manilla key-ring rotate` seal it again when that
suits you.")]
pub(crate) struct ProviderSealOptions {
    /// Name of the account, as in [provider.NAME]; it need not be there yet
    name: String,
    #[arg(help = "The setting, such as token or secret_key")]
    setting: String,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    setting: &'a str,
    sealed: &'a str,
}

pub(super) fn run(options: &ProviderSealOptions, config: &Config) -> Result<(), Failure> {
    let id = ProviderId::parse(&options.name).map_err(|error| Failure::flag("NAME", error))?;
    is_secret(options, config)?;
    let ring = ring_in_use(config)?.ok_or_else(|| {
        anyhow!(
            "there is no key ring here to seal with; start the gateway once, which makes one, or \
             name that of the gateway by secrets.keys_file"
        )
    })?;
    let setting = format!("provider.{id}.{}", options.setting);
    let secret = secret(&setting)?;
    let sealed = sealed::seal(&ring, &setting, (&secret, entropy::bytes()?))?;
    if options.json {
        return Ok(output::json(&Document {
            setting: &setting,
            sealed: &sealed,
        })?);
    }
    Ok(output::line(sealed)?)
}

/// Whether the setting is a secret: of the account's adapter, or of any where there is no account.
fn is_secret(options: &ProviderSealOptions, config: &Config) -> Result<(), Failure> {
    let name = options.name.as_str();
    let account = config.accounts.iter().find(|it| it.id.as_str() == name);
    let known = config.registry.all().map(|it| it.declaration());
    let declarations: Vec<_> = match account {
        Some(account) => vec![account.adapter.declaration()],
        None => known.collect(),
    };
    let settings = declarations.into_iter().flat_map(|it| it.settings);
    let secrets = settings.filter(|it| it.secrecy == Secrecy::Secret);
    let mut names: Vec<_> = secrets.map(|it| it.name).collect();
    names.sort_unstable();
    names.dedup();
    if names.contains(&options.setting.as_str()) {
        return Ok(());
    }
    let of = account.map_or("an adapter", |_| "its adapter");
    Err(Failure::flag(
        "SETTING",
        format!("is no secret of {of}; one of {}", names.join(", ")),
    ))
}

/// The secret, from standard input.
fn secret(setting: &str) -> Result<String, Failure> {
    let mut input = std::io::stdin();
    if input.is_terminal() {
        let typed = rpassword::prompt_password(format!("{setting}: "));
        let typed = typed.context("the secret could not be read")?;
        return checked(typed.as_bytes());
    }
    let mut bytes = Vec::new();
    // A sealed secret is longer by half, and must fit into the file of a secret too.
    let most = secret_files::SECRET_FILE_BYTES_MAX / 2;
    let read = input
        .by_ref()
        .take(most.saturating_add(1))
        .read_to_end(&mut bytes);
    let read = read.context("standard input cannot be read")?;
    if u64::try_from(read).is_ok_and(|read| read > most) {
        let long = anyhow!("standard input is longer than {most} bytes, the most that is sealed");
        return Err(Failure::usage(long));
    }
    checked(&bytes)
}

fn checked(bytes: &[u8]) -> Result<String, Failure> {
    let text = secret_files::text(bytes);
    let text = text.map_err(|wrong| Failure::usage(anyhow!("standard input {wrong}")))?;
    if sealed::is_sealed(text) {
        return Err(Failure::usage(anyhow!("standard input is sealed already")));
    }
    Ok(text.to_owned())
}
