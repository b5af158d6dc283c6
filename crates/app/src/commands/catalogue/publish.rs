//! `manilla catalogue plan` and `publish`. What is published must have been compared with the
//! version before it: that an operator saw another comparison is noticed.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::anyhow;
use catalogue::{CatalogueChange, compare, digest_of};
use clap::Args;
use domain::operator::{Act, OperatorOrder};
use domain::time::Timestamp;
use ports::catalogue_versions::{CataloguePublication, LEAD_MIN, NewCatalogueVersion};
use serde::Serialize;

use super::price_event::changes_in_a_line;
use super::{ChangeRow, change_table, document, hex, moment, read, version};
use crate::commands::line;
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::operator::{sign_as, signer};
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla catalogue plan november.toml
  manilla catalogue plan november.toml --json

It compares with the last version that was published, whether it has begun or not.")]
pub(crate) struct CataloguePlanOptions {
    /// The document
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla catalogue publish november.toml --reason 'tariff of 1 December'
  manilla catalogue publish november.toml --reason 'tariff of 1 December' \\
    --from 2026-12-01T00:00:00+01:00

A version is the whole document: what it does not repeat of the version before is as it is in the
program again. The version of the greatest number that has begun is in force, so a later one also
takes the place of one that has not begun yet.")]
pub(crate) struct CataloguePublishOptions {
    /// The document
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// When it begins, by the clock of the database, a minute ahead or more [default: in 90 s]
    #[arg(long, value_name = "TIME")]
    from: Option<String>,
    /// Why, for the list of versions and the log of operators
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// The last version that you compared with; refused where there is a later one
    #[arg(long, value_name = "NUMBER")]
    after: Option<u32>,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

/// How long after now a version begins that names no moment.
const FROM_DEFAULT: Duration = Duration::from_secs(90);

/// Most characters of a reason.
const REASON_MAX: usize = 200;

/// Most versions that may wait to begin: every instance keeps each in memory.
const WAITING_MAX: usize = 16;

#[derive(Serialize)]
struct Plan<'a> {
    after: u32,
    changes: Vec<ChangeRow<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Published<'a> {
    version: u32,
    effective_from: String,
    digest: String,
    changes: Vec<ChangeRow<'a>>,
}

/// A document beside the version it would follow.
struct Proposal {
    /// The last version that was published.
    last: u32,
    /// The time of the store.
    now: Timestamp,
    /// How many versions have not begun.
    waiting: usize,
    text: String,
    changes: Vec<CatalogueChange>,
}

impl Proposal {
    async fn of(context: &AdminContext, config: &Config, file: &Path) -> Result<Self, Failure> {
        let text = document(file)?;
        let name = file.display().to_string();
        let reading = context.catalogue.versions(0).await?;
        let last = reading.versions.last().map_or(0, |it| it.number);
        let after = read(config, last.saturating_add(1), (&name, &text))?;
        let before = version(context, config, last).await?;
        let changes = compare(&before, &after);
        let forgotten = changes.iter().filter(|it| it.forgets_a_plan());
        let forgotten: Vec<_> = forgotten
            .map(|it| format!("{} of {}", it.what, it.product))
            .collect();
        if !forgotten.is_empty() {
            return Err(Failure::usage(anyhow!(
                "{name} leaves out what version {last} sells: {}; keep each, or give it \
                 withdrawn = true so that merchants learn what there is instead",
                forgotten.join(", ")
            )));
        }
        let now = reading.now;
        let waiting = reading.versions.iter();
        let waiting = waiting.filter(|it| it.effective_from > now).count();
        Ok(Self {
            last,
            now,
            waiting,
            text,
            changes,
        })
    }

    fn rows(&self) -> Vec<ChangeRow<'_>> {
        self.changes.iter().map(ChangeRow::of).collect()
    }

    /// The products it changes, each once.
    fn products(&self) -> Vec<String> {
        let mut products: Vec<_> = self.changes.iter().map(|it| it.product.clone()).collect();
        products.sort();
        products.dedup();
        products
    }
}

pub(super) async fn plan(options: &CataloguePlanOptions, config: &Config) -> Result<(), Failure> {
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let proposal = Proposal::of(&context, config, &options.file).await;
    context.close().await;
    let proposal = proposal?;
    let (after, changes) = (proposal.last, proposal.rows());
    if options.json {
        return Ok(output::json(&Plan { after, changes })?);
    }
    let table = change_table(&proposal.changes);
    let next = format!("Nothing was stored. It is compared with version {after}.");
    Ok(output::line(format!("{table}\n\n{next}"))?)
}

pub(super) async fn run(options: &CataloguePublishOptions, config: &Config) -> Result<(), Failure> {
    let reason = line("--reason", &options.reason, REASON_MAX)?;
    let from = options.from.as_deref().map(at).transpose()?;
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let published = published(&context, config, (options, &reason, from)).await;
    context.close().await;
    let (proposal, new) = published?;
    if options.json {
        return Ok(output::json(&Published {
            version: new.number,
            effective_from: moment(new.effective_from),
            digest: hex(&new.digest),
            changes: proposal.rows(),
        })?);
    }
    Ok(output::line(format!(
        "{}\n\nPublished as version {}. It begins at {} by the clock of the database, on every \
         instance.",
        change_table(&proposal.changes),
        new.number,
        moment(new.effective_from)
    ))?)
}

async fn published(
    context: &AdminContext,
    config: &Config,
    (options, reason, from): (&CataloguePublishOptions, &str, Option<Timestamp>),
) -> Result<(Proposal, NewCatalogueVersion), Failure> {
    let proposal = Proposal::of(context, config, &options.file).await?;
    let last = proposal.last;
    if let Some(seen) = options.after
        && seen != last
    {
        return Err(anyhow!(
            "the last version is {last}, not {seen}; compare again with `manilla catalogue plan`"
        )
        .into());
    }
    if proposal.changes.is_empty() {
        return Err(anyhow!("nothing would change; nothing was published").into());
    }
    if proposal.waiting >= WAITING_MAX {
        return Err(anyhow!(
            "{WAITING_MAX} versions wait to begin; a later one may be published once some have"
        )
        .into());
    }
    let effective_from = from.unwrap_or_else(|| proposal.now.plus(FROM_DEFAULT));
    if effective_from < proposal.now.plus(LEAD_MIN) {
        return Err(too_soon(proposal.now));
    }
    let signer = signer(config)?;
    let new = NewCatalogueVersion {
        number: last.saturating_add(1),
        effective_from,
        published_by: signer.name.to_string(),
        reason: reason.to_owned(),
        digest: digest_of(&proposal.text),
        changes: proposal.products(),
        document: proposal.text.clone(),
    };
    let order = OperatorOrder::new(Act::CataloguePublish).under(new.number);
    let order = order.with(format!(
        "{} from {}: {reason}; changes: {}",
        hex(&new.digest),
        effective_from.as_millis(),
        changes_in_a_line(&proposal.changes)
    ));
    sign_as(context, &signer, &order).await?;
    match context.catalogue.publish(&new).await? {
        CataloguePublication::Done => Ok((proposal, new)),
        CataloguePublication::OutOfTurn => Err(anyhow!(
            "another version was published meanwhile; nothing was published, compare again with \
             `manilla catalogue plan`"
        )
        .into()),
        CataloguePublication::TooSoon(now) => Err(too_soon(now)),
    }
}

fn too_soon(now: Timestamp) -> Failure {
    Failure::flag(
        "--from",
        format!(
            "must be {} s or more after {}, the time of the database: every instance loads a \
             version before it begins",
            LEAD_MIN.as_secs(),
            moment(now)
        ),
    )
}

fn at(text: &str) -> Result<Timestamp, Failure> {
    let read = text.parse::<jiff::Timestamp>().map_err(|_| {
        Failure::flag(
            "--from",
            "must be a moment such as 2026-12-01T00:00:00+01:00 (RFC 3339)",
        )
    })?;
    Ok(Timestamp::from_millis(read.as_millisecond()))
}
