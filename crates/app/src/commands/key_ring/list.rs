//! `manilla key-ring list`. It must show no key.

use clap::Args;
use serde::Serialize;

use super::data_folder_is_there;
use crate::config::Config;
use crate::failure::Failure;
use crate::{output, secrets};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla key-ring list
  manilla key-ring list --json")]
pub(crate) struct KeyRingListOptions {
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct ListedKey {
    generation: u32,
    #[serde(rename = "madeAt")]
    made_at: Option<String>,
    /// Whether it seals; every generation opens.
    seals: bool,
}

pub(super) fn run(options: &KeyRingListOptions, config: &Config) -> Result<(), Failure> {
    let ring = if let Some(ring) = &config.keys {
        Some(ring.clone())
    } else {
        data_folder_is_there(config)?;
        secrets::known_keys(&config.data)?
    };
    let generations = ring.iter().flat_map(|ring| {
        ring.generations().map(|(generation, made_at)| ListedKey {
            generation,
            made_at: made_at.map(ToOwned::to_owned),
            seals: generation == ring.newest(),
        })
    });
    let generations: Vec<_> = generations.collect();
    if options.json {
        return Ok(output::json(&generations)?);
    }
    if generations.is_empty() {
        return Ok(output::line(
            "There is no key ring yet; it is made at first use, or by `manilla key-ring rotate`.",
        )?);
    }
    let rows: Vec<_> = generations
        .into_iter()
        .map(|it| {
            let uses = if it.seals { "seals and opens" } else { "opens" };
            let made_at = it.made_at.unwrap_or_else(|| "unknown".to_owned());
            [it.generation.to_string(), made_at, uses.to_owned()]
        })
        .collect();
    Ok(output::line(output::table(
        ["GENERATION", "MADE", "USE"],
        &rows,
    ))?)
}
