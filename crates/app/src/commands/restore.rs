//! `manilla restore`: a copy of the embedded store is put in place. Nothing may be bought over it
//! until what it lacks is known, and what it replaces must be kept.

use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::{Context as _, anyhow};
use clap::Args;
use ports::clock::Clock as _;
use ports::reconciliation::Clearance;
use serde::Serialize;
use sqlite::ServeLock;

use super::backup::is_embedded;
use super::backup::manifest::Manifest;
use crate::clock::SystemClock;
use crate::compose::{AdminContext, BOOKS_FILE, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::output;

/// What belongs to a database file beside it.
const BESIDE: [&str; 3] = ["", "-wal", "-shm"];

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla restore --from /var/backups/manilla/2026-11-30.db
  manilla restore --from /mnt/backup/manilla.db --data /var/lib/manilla --json

Stop the server first. The copy is checked from end to end; the database that is there is kept under
another name in the data folder. Payments are suspended: at the next start the gateway compares the
database with the attempt journal of the data folder, and a person resumes with
`manilla reconcile --acknowledge`. docs/operations/restore.md has every step.")]
pub(crate) struct RestoreOptions {
    #[arg(
        long,
        value_name = "FILE",
        help = "The copy, as `manilla backup create` made it"
    )]
    from: PathBuf,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    restored: String,
    transactions: u64,
    /// Where the database that was there is now; absent where there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    replaced: Option<String>,
    suspended: bool,
}

pub(crate) async fn run(options: &RestoreOptions, config: &Config) -> Result<(), Failure> {
    is_embedded(config)?;
    let manifest = Manifest::read(&options.from)?;
    if let Some(manifest) = &manifest {
        manifest.check(&options.from)?;
    }
    let contents = sqlite::verify_backup(&options.from).await?;
    let lock = ServeLock::acquire(&config.data);
    let _lock = lock.context("stop the server that works on the data folder first")?;
    let replaced = replace(&config.data, &options.from)?;
    let made = manifest.map_or_else(String::new, |it| format!(" of {}", it.created_at));
    suspend(
        config,
        &format!("the database was restored from a backup{made}"),
    )
    .await?;
    let answer = Answer {
        restored: options.from.display().to_string(),
        transactions: contents.transactions,
        replaced: replaced.map(|path| path.display().to_string()),
        suspended: true,
    };
    if options.json {
        return Ok(output::json(&answer)?);
    }
    let kept = answer.replaced.map_or_else(String::new, |path| {
        format!(" What was there is kept as {path}.")
    });
    Ok(output::line(format!(
        "Restored {} with {} transactions.{kept}\nPayments are suspended: start the server, look \
         at `manilla reconcile`, and go on as docs/operations/restore.md says.",
        answer.restored, answer.transactions
    ))?)
}

/// Puts a copy in the place of the database, which is kept under the name that is answered.
fn replace(data: &Path, from: &Path) -> anyhow::Result<Option<PathBuf>> {
    let current = data.join(BOOKS_FILE);
    let incoming = data.join(format!("{BOOKS_FILE}.restoring"));
    let cannot = || {
        format!(
            "{} cannot be put in place of {}",
            from.display(),
            current.display()
        )
    };
    copied(from, &incoming).with_context(cannot)?;
    let at = SystemClock.now().as_millis();
    let aside = data.join(format!("{BOOKS_FILE}.before-restore-{at}"));
    let had_one = current.exists();
    if aside.exists() {
        return Err(anyhow!("{} is there already; try again", aside.display()));
    }
    // The log goes first: without its file it is none, and the file without its log is an older
    // state of the same database.
    for suffix in BESIDE.iter().rev() {
        let moved = fs::rename(beside(&current, suffix), beside(&aside, suffix));
        match moved {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            moved => moved.with_context(cannot)?,
        }
    }
    fs::rename(&incoming, &current).with_context(cannot)?;
    fs::File::open(data)
        .and_then(|folder| folder.sync_all())
        .with_context(cannot)?;
    Ok(had_one.then_some(aside))
}

fn beside(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Copies a file for its owner alone, to the disk.
fn copied(from: &Path, to: &Path) -> io::Result<()> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let mut source = fs::File::open(from)?;
    let mut target = fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(to)?;
    io::copy(&mut source, &mut target)?;
    target.sync_all()
}

/// Has nothing be bought until a person says that it may be.
async fn suspend(config: &Config, because: &str) -> Result<(), Failure> {
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let suspended = context
        .reconciliation
        .suspend(because, Clearance::Person)
        .await;
    context.close().await;
    suspended.context(
        "the copy is in place, and payments could not be suspended over it; do not start a server, \
         run the command again",
    )?;
    Ok(())
}
