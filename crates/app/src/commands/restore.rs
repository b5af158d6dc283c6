//! `manilla restore`: a copy of the embedded store is put in place. Nothing may be bought over it
//! until what it lacks is known, and what it replaces must be kept.

use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::{Context as _, bail};
use clap::Args;
use ports::clock::Clock as _;
use serde::Serialize;
use sqlite::{LogFolding, OpeningLock, ServeLock};

use super::backup::is_embedded;
use super::backup::manifest::Manifest;
use crate::clock::SystemClock;
use crate::compose::{self, BOOKS_FILE, KeptSecrets};
use crate::config::Config;
use crate::failure::Failure;
use crate::{files, output};

/// What belongs to a database file beside it.
const BESIDE: [&str; 3] = ["", "-wal", "-shm"];

/// Where a copy is prepared, within the data folder.
const FOLDER: &str = "restoring";

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla restore --from /var/backups/manilla/2026-11-30.db
  manilla restore --from /mnt/backup/manilla.db --data /var/lib/manilla --json

Stop the server first. The copy is checked from end to end; the database that is there is kept under
another name in the data folder. Payments are suspended: at the next start the gateway compares the
database with the attempt journal of the data folder, and a person resumes with
`manilla reconcile --acknowledge`. docs/operations/restore.md has every step. A copy that was used
with another pepper or key ring is refused: put those files back first. Where they are lost for
good, --accept-secrets restores it without what was sealed under them.")]
pub(crate) struct RestoreOptions {
    #[arg(
        long,
        value_name = "FILE",
        help = "The copy, as `manilla backup create` made it"
    )]
    from: PathBuf,
    /// Accept the pepper and the key ring of the data folder, where those of the copy are lost
    #[arg(long)]
    accept_secrets: bool,
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
    let mut secrets = compose::kept_secrets(config)?;
    if options.accept_secrets {
        secrets = secrets.accepted_for_the_copy();
    }
    let lock = ServeLock::acquire(&config.data);
    let _lock = lock.context("stop the server that works on the data folder first")?;
    let made = manifest.map_or_else(String::new, |it| format!(" of {}", it.created_at));
    let because = format!("the database was restored from a backup{made}");
    let prepared = prepare(config, (&options.from, &because), &secrets).await?;
    let replaced = replace(&config.data, &prepared).await?;
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

/// Copies into a folder within the data folder, brings the copy up to date and suspends payments in
/// it: what is put in place is suspended already, whatever becomes of this process.
async fn prepare(
    config: &Config,
    (from, because): (&Path, &str),
    secrets: &KeptSecrets,
) -> anyhow::Result<PathBuf> {
    let folder = config.data.join(FOLDER);
    let cannot = || {
        format!(
            "{} cannot be prepared in {}",
            from.display(),
            folder.display()
        )
    };
    files::private_folder(&folder).with_context(cannot)?;
    let copy = folder.join(BOOKS_FILE);
    // What an interrupted restore left there.
    for suffix in BESIDE {
        files::remove(&files::beside(&copy, suffix)).with_context(cannot)?;
    }
    copied(from, &copy).with_context(cannot)?;
    let suspended = secrets.suspend((&folder, because), config).await;
    suspended.with_context(cannot)?;
    if sqlite::fold_log(&folder).await.with_context(cannot)? == LogFolding::InUse {
        bail!("{} is in use by another process", copy.display());
    }
    fs::File::open(&copy)
        .and_then(|file| file.sync_all())
        .with_context(cannot)?;
    Ok(copy)
}

/// Puts a prepared copy in the place of the database in one step. What was there is kept under the
/// name that is answered.
async fn replace(data: &Path, prepared: &Path) -> anyhow::Result<Option<PathBuf>> {
    let current = data.join(BOOKS_FILE);
    let cannot = || format!("{} cannot be replaced", current.display());
    // One that opened the database between the two steps would write its log beside the other.
    let _closed = OpeningLock::hold(data).await?;
    let aside = if current.exists() {
        let at = SystemClock.now().as_millis();
        let aside = data.join(format!("{BOOKS_FILE}.before-restore-{at}"));
        fold(data, &aside).await?;
        fs::hard_link(&current, &aside).with_context(cannot)?;
        Some(aside)
    } else {
        None
    };
    fs::rename(prepared, &current).with_context(cannot)?;
    let folder = fs::File::open(data).and_then(|folder| folder.sync_all());
    folder.with_context(cannot)?;
    // Files that belonged to the copy may be left of it, and its folder; neither is of use.
    let _ = fs::remove_dir_all(data.join(FOLDER));
    Ok(aside)
}

/// Has the file of the database be all of it. Where it is too damaged for that, its log is kept
/// beside what is kept of it.
async fn fold(data: &Path, aside: &Path) -> anyhow::Result<()> {
    let error = match sqlite::fold_log(data).await {
        Ok(LogFolding::Done) => return Ok(()),
        Ok(LogFolding::InUse) => bail!(
            "another command has the database open; nothing was changed, run it again when that \
             has ended"
        ),
        Err(error) => error,
    };
    let current = data.join(BOOKS_FILE);
    tracing::warn!(%error, "the database that is replaced is damaged; its log is kept beside it");
    for suffix in ["-wal", "-shm"] {
        match fs::rename(
            files::beside(&current, suffix),
            files::beside(aside, suffix),
        ) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            moved => moved.context("the log of the damaged database cannot be kept")?,
        }
    }
    Ok(())
}

/// Copies a file for its owner alone.
fn copied(from: &Path, to: &Path) -> io::Result<()> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let mut source = fs::File::open(from)?;
    let mut options = fs::OpenOptions::new();
    let mut target = options.write(true).create_new(true).mode(0o600).open(to)?;
    io::copy(&mut source, &mut target).map(drop)
}
