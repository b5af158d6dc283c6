//! `manilla catalogue show`: the document of a version, byte for byte, so that it can be edited and
//! published again.

use clap::Args;
use serde::Serialize;

use super::{in_force, stored};
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla catalogue show > current.toml
  manilla catalogue show --version 3 --json")]
pub(crate) struct CatalogueShowOptions {
    /// Which one [default: the one in force]
    #[arg(long, value_name = "NUMBER")]
    version: Option<u32>,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    version: u32,
    document: String,
}

pub(super) async fn run(options: &CatalogueShowOptions, config: &Config) -> Result<(), Failure> {
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let shown = shown(options, &context).await;
    context.close().await;
    let (version, document) = shown?;
    if options.json {
        return Ok(output::json(&Document { version, document })?);
    }
    Ok(output::line(document.trim_end_matches('\n'))?)
}

async fn shown(
    options: &CatalogueShowOptions,
    context: &AdminContext,
) -> Result<(u32, String), Failure> {
    let reading = context.catalogue.versions(0).await?;
    let current = in_force(&reading.versions, reading.now);
    let number = options.version.unwrap_or(current);
    if number == 0 {
        let nothing = "# The catalogue of the program is in force: nothing is changed.\n";
        return Ok((0, nothing.to_owned()));
    }
    Ok((number, stored(context, number).await?))
}
