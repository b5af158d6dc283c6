//! `manilla backup verify`. It must read the whole of a copy.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::manifest::Manifest;
use crate::commands::moment;
use crate::failure::Failure;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla backup verify /var/backups/manilla/2026-11-30.db
  manilla backup verify /mnt/backup/manilla.db --json

Exit status: 0 if the copy can be restored, 1 otherwise. Have it run where copies are kept, too.")]
pub(crate) struct BackupVerifyOptions {
    /// The copy
    file: PathBuf,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    file: String,
    schema_version: i64,
    transactions: u64,
    newest_transaction_at: Option<String>,
    /// Whether it was compared with what was written beside it.
    manifest: bool,
}

pub(crate) async fn run(options: &BackupVerifyOptions) -> Result<(), Failure> {
    let manifest = Manifest::read(&options.file)?;
    if let Some(manifest) = &manifest {
        manifest.check(&options.file)?;
    }
    let contents = sqlite::verify_backup(&options.file).await?;
    let answer = Answer {
        file: options.file.display().to_string(),
        schema_version: contents.schema,
        transactions: contents.transactions,
        newest_transaction_at: contents.newest_at.map(moment),
        manifest: manifest.is_some(),
    };
    if options.json {
        return Ok(output::json(&answer)?);
    }
    let compared = if answer.manifest {
        "it is what was written"
    } else {
        "there is no manifest beside it to compare it with"
    };
    let newest = answer.newest_transaction_at;
    let newest = newest.map_or_else(String::new, |at| format!(", the newest of {at}"));
    Ok(output::line(format!(
        "{} is sound: {} transactions{newest}; {compared}.",
        answer.file, answer.transactions
    ))?)
}
