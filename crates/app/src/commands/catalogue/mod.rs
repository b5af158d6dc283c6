//! `manilla catalogue`: what is sold and for how much, by dated versions. Nothing changes before an
//! operator publishes it.

mod diff;
mod list;
mod lookups;
mod price_event;
mod publish;
mod show;

use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, anyhow};
use catalogue::{CatalogueChange, CatalogueSnapshot, DOCUMENT_BYTES_MAX, digest_of};
use clap::Subcommand;
use domain::provider::ProviderId;
use domain::time::Timestamp;
use ports::catalogue_versions::CatalogueVersion;
use ports::provider::Provider;
use serde::Serialize;

use crate::compose::{AdminContext, OpenedAccounts, built_in_catalogue};
use crate::config::Config;
use crate::failure::Failure;
use crate::output;

#[derive(Debug, Subcommand)]
pub(crate) enum CatalogueCommand {
    /// Check a document and show what it would change; nothing is stored
    Plan(publish::CataloguePlanOptions),
    /// Publish a document as the next version, from a moment on
    Publish(publish::CataloguePublishOptions),
    /// Show every version, with when it begins and who published it
    List(list::CatalogueListOptions),
    /// Print the document of a version
    Show(show::CatalogueShowOptions),
    /// Show what changes between two versions, or what a provider lists otherwise than we sell
    Diff(diff::CatalogueDiffOptions),
    /// Print the lookups that a provider lists, as tables of the settings
    Lookups(lookups::CatalogueLookupsOptions),
}

pub(crate) async fn run(command: CatalogueCommand, config: &Config) -> Result<(), Failure> {
    match command {
        CatalogueCommand::Plan(options) => publish::plan(&options, config).await,
        CatalogueCommand::Publish(options) => publish::run(&options, config).await,
        CatalogueCommand::List(options) => list::run(&options, config).await,
        CatalogueCommand::Show(options) => show::run(&options, config).await,
        CatalogueCommand::Diff(options) => diff::run(&options, config).await,
        CatalogueCommand::Lookups(options) => lookups::run(&options, config).await,
    }
}

/// The provider of an account, to read what it lists.
fn opened_provider(config: &Config, id: &ProviderId) -> Result<Arc<dyn Provider>, Failure> {
    let account = OpenedAccounts::open_one(config, id.as_str())?;
    let account = account.ok_or_else(|| {
        anyhow!("there is no [provider.{id}]; `manilla provider list` shows every account")
    })?;
    Ok(account.provider)
}

#[derive(Serialize)]
struct ChangeRow<'a> {
    product: &'a str,
    what: &'a str,
    before: Option<&'a str>,
    after: Option<&'a str>,
}

impl<'a> ChangeRow<'a> {
    fn of(change: &'a CatalogueChange) -> Self {
        Self {
            product: &change.product,
            what: &change.what,
            before: change.before.as_deref(),
            after: change.after.as_deref(),
        }
    }
}

fn change_table(changes: &[CatalogueChange]) -> String {
    if changes.is_empty() {
        return "Nothing changes.".to_owned();
    }
    let cell = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
    let rows: Vec<_> = changes
        .iter()
        .map(|it| {
            [
                it.product.clone(),
                it.what.clone(),
                cell(&it.before),
                cell(&it.after),
            ]
        })
        .collect();
    output::table(["PRODUCT", "WHAT", "BEFORE", "AFTER"], &rows)
}

fn moment(at: Timestamp) -> String {
    let moment = jiff::Timestamp::from_millisecond(at.as_millis());
    moment.map_or_else(|_| at.as_millis().to_string(), |it| it.to_string())
}

fn hex(digest: &[u8; 32]) -> String {
    domain::operator::PublicKey(*digest).to_string()
}

/// A document in a file, no more of which is read than may be published.
fn document(file: &Path) -> Result<String, Failure> {
    let opened = std::fs::File::open(file);
    let opened = opened.with_context(|| format!("{} cannot be read", file.display()))?;
    let mut text = String::new();
    let most = u64::try_from(DOCUMENT_BYTES_MAX).unwrap_or(u64::MAX);
    let read = opened
        .take(most.saturating_add(1))
        .read_to_string(&mut text);
    read.with_context(|| format!("{} cannot be read as UTF-8 text", file.display()))?;
    Ok(text)
}

/// A document laid over the catalogue of the program.
fn read(
    config: &Config,
    number: u32,
    (name, text): (&str, &str),
) -> Result<CatalogueSnapshot, Failure> {
    let base = Arc::new(built_in_catalogue(config));
    CatalogueSnapshot::read(base, number, text).map_err(|problems| {
        let problems: Vec<_> = problems.iter().map(|it| format!("{name}, {it}")).collect();
        Failure::usage(anyhow!(
            "{name} cannot be published:\n  {}",
            problems.join("\n  ")
        ))
    })
}

/// The catalogue of a version; that of number 0 is in the program.
async fn version(
    context: &AdminContext,
    config: &Config,
    number: u32,
) -> Result<CatalogueSnapshot, Failure> {
    if number == 0 {
        let base = Arc::new(built_in_catalogue(config));
        return Ok(CatalogueSnapshot::built_in(base));
    }
    let text = stored(context, number).await?;
    read(config, number, (&format!("version {number}"), &text))
}

/// The document of a version as it is stored.
async fn stored(context: &AdminContext, number: u32) -> Result<String, Failure> {
    let versions = &context.catalogue;
    let known = versions.versions(number.saturating_sub(1)).await?.versions;
    let known = known.into_iter().find(|it| it.number == number);
    let document = versions.document(number).await?;
    let (Some(known), Some(document)) = (known, document) else {
        return Err(anyhow!(
            "there is no version {number}; `manilla catalogue list` shows every version"
        )
        .into());
    };
    if digest_of(&document) != known.digest {
        return Err(anyhow!("version {number} was changed after it was published").into());
    }
    Ok(document)
}

/// The version that is in force at a moment: the last that has begun.
fn in_force(versions: &[CatalogueVersion], now: Timestamp) -> u32 {
    let begun = versions.iter().filter(|it| it.effective_from <= now);
    begun.map(|it| it.number).max().unwrap_or(0)
}
