//! `manilla catalogue diff`: two versions beside each other, or what we sell beside what a provider
//! lists. It must change nothing: an operator publishes what shall change.

use anyhow::anyhow;
use catalogue::{CatalogueChange, CatalogueSnapshot, compare, listed_otherwise};
use clap::Args;
use domain::provider::ProviderId;
use serde::Serialize;

use super::{ChangeRow, change_table, in_force, opened_provider, version};
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla catalogue diff                      the version in force beside the last one published
  manilla catalogue diff --from 3 --to 5
  manilla catalogue diff --provider vtpass    our offers beside the provider's own list")]
pub(crate) struct CatalogueDiffOptions {
    /// The version before [default: the one in force]; 0 is the catalogue of the program
    #[arg(long, value_name = "NUMBER")]
    from: Option<u32>,
    /// The version after [default: the last one]
    #[arg(long, value_name = "NUMBER")]
    to: Option<u32>,
    /// Compare the version after with what this account's provider lists
    #[arg(long, value_name = "NAME", conflicts_with = "from")]
    provider: Option<String>,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    changes: Vec<ChangeRow<'a>>,
}

pub(super) async fn run(options: &CatalogueDiffOptions, config: &Config) -> Result<(), Failure> {
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let changes = changes(options, &context, config).await;
    context.close().await;
    let changes = changes?;
    if options.json {
        let changes = changes.iter().map(ChangeRow::of).collect();
        return Ok(output::json(&Document { changes })?);
    }
    Ok(output::line(change_table(&changes))?)
}

async fn changes(
    options: &CatalogueDiffOptions,
    context: &AdminContext,
    config: &Config,
) -> Result<Vec<CatalogueChange>, Failure> {
    let reading = context.catalogue.versions(0).await?;
    let last = reading.versions.last().map_or(0, |it| it.number);
    let after = version(context, config, options.to.unwrap_or(last)).await?;
    if let Some(name) = &options.provider {
        let id = ProviderId::parse(name).map_err(|error| Failure::flag("--provider", error))?;
        return of_provider(config, &after, &id).await;
    }
    let before = options.from;
    let before = before.unwrap_or_else(|| in_force(&reading.versions, reading.now));
    let before = version(context, config, before).await?;
    Ok(compare(&before, &after))
}

/// What a provider lists otherwise than we offer of it, for every product with offers of it.
async fn of_provider(
    config: &Config,
    snapshot: &CatalogueSnapshot,
    id: &ProviderId,
) -> Result<Vec<CatalogueChange>, Failure> {
    let provider = opened_provider(config, id)?;
    let list = provider
        .price_list()
        .ok_or_else(|| anyhow!("the adapter of {id} has no list of plans to compare with"))?;
    let mut products: Vec<_> = snapshot
        .offers_of(id)
        .map(|it| it.product.clone())
        .collect();
    products.dedup();
    if products.is_empty() {
        return Err(anyhow!(
            "the catalogue lists no [[offer]] of {id}; publish some, with what it calls each plan"
        )
        .into());
    }
    let listed = list.offers(&products).await?;
    let changes = products
        .iter()
        .flat_map(|product| listed_otherwise(snapshot, (id, product), &listed));
    Ok(changes.collect())
}
