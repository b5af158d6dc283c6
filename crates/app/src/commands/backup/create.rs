//! `manilla backup create`. What it leaves under the name that was asked for must be whole.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, io};

use anyhow::{Context as _, anyhow};
use clap::Args;
use ports::clock::Clock as _;
use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;
use serde::Serialize;
use tokio::time;

use super::is_embedded;
use super::manifest::{self, Manifest};
use crate::clock::SystemClock;
use crate::commands::moment;
use crate::compose::BOOKS_FILE;
use crate::config::Config;
use crate::failure::Failure;
use crate::{entropy, files, output};

/// How often progress is shown.
const SHOWN_EVERY: Duration = Duration::from_millis(500);

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla backup create --out /var/backups/manilla/2026-11-30.db
  manilla backup create --data /var/lib/manilla --out /mnt/backup/manilla.db --json

The copy is of the moment at which the command begins; a server goes on meanwhile. It is checked
from end to end before it gets its name, and FILE.json beside it says what it has in it, with its
SHA-256.

A copy holds what merchants bought. The files pepper and keys of the data folder are what it is read
with: back them up apart from it, once, and after each `manilla key-ring rotate`. Never put an older
folder journal back. `manilla restore` puts a copy in place.")]
pub(crate) struct BackupCreateOptions {
    #[arg(long, value_name = "FILE", help = "The new file; it must not exist")]
    out: PathBuf,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    file: String,
    took_ms: u64,
    #[serde(flatten)]
    manifest: &'a Manifest,
}

pub(super) async fn run(options: &BackupCreateOptions, config: &Config) -> Result<(), Failure> {
    is_embedded(config)?;
    let source = config.data.join(BOOKS_FILE);
    if !source.exists() {
        let nothing = anyhow!("{} holds no books to copy", config.data.display());
        return Err(nothing.into());
    }
    for taken in [options.out.clone(), manifest::path(&options.out)] {
        if taken.exists() {
            let why = format!("must be a new file, and {} exists", taken.display());
            return Err(Failure::flag("--out", why));
        }
    }
    let out = std::path::absolute(&options.out)?;
    if !out.parent().is_some_and(Path::is_dir) {
        return Err(Failure::flag("--out", "must lie in a folder that exists"));
    }
    #[expect(
        clippy::disallowed_methods,
        reason = "how long the copy took is shown, not decided on"
    )]
    let began = Instant::now();
    let created_at = moment(SystemClock.now());
    let partial = PartialCopy::beside(&out)?;
    let contents = tokio::select! {
        copied = copy(config, &partial.0) => copied?,
        interrupted = tokio::signal::ctrl_c() => {
            interrupted?;
            return Err(anyhow!("interrupted: no copy was made").into());
        }
    };
    let manifest = keep(&partial.0, &out, (&contents, created_at))?;
    let took = began.elapsed();
    if options.json {
        return Ok(output::json(&Answer {
            file: out.display().to_string(),
            took_ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            manifest: &manifest,
        })?);
    }
    Ok(output::line(format!(
        "{} holds {} transactions in {}, as of {}; it was checked. SHA-256 {}",
        out.display(),
        manifest.transactions,
        output::bytes(manifest.bytes),
        manifest.created_at,
        manifest.sha256
    ))?)
}

/// The file that a copy is made in, beside the name that it gets. What is left of it when the run
/// ends is removed: what is not whole is of no use, and takes room that may be what was missing.
struct PartialCopy(PathBuf);

impl PartialCopy {
    fn beside(out: &Path) -> anyhow::Result<Self> {
        let suffix = format!(".{}.partial", entropy::base62(8)?);
        Ok(Self(files::beside(out, &suffix)))
    }
}

impl Drop for PartialCopy {
    fn drop(&mut self) {
        for suffix in ["", "-journal"] {
            // Where there is nothing left there is nothing to do.
            let _ = fs::remove_file(files::beside(&self.0, suffix));
        }
    }
}

/// Copies and checks, showing how far it has come where a person watches.
async fn copy(config: &Config, to: &Path) -> anyhow::Result<sqlite::BackupContents> {
    let whole = fs::metadata(config.data.join(BOOKS_FILE)).map_or(0, |found| found.len());
    let copied = async {
        sqlite::back_up(&config.data, to).await?;
        Ok::<_, anyhow::Error>(sqlite::verify_backup(to).await?)
    };
    let copied = tokio::select! {
        copied = copied => copied,
        () = show_progress(to, whole) => Err(anyhow!("the copy was given up")),
    };
    if io::stderr().is_terminal() {
        output::progress_ended();
    }
    copied
}

async fn show_progress(file: &Path, whole: u64) {
    if !io::stderr().is_terminal() {
        return std::future::pending().await;
    }
    loop {
        time::sleep(SHOWN_EVERY).await;
        let so_far = fs::metadata(file).map_or(0, |found| found.len());
        output::progress(&format!(
            "copied {} of about {}",
            output::bytes(so_far),
            output::bytes(whole)
        ));
    }
}

/// Gives a copy its name, and writes what it is beside it.
fn keep(
    partial: &Path,
    out: &Path,
    (contents, created_at): (&sqlite::BackupContents, String),
) -> anyhow::Result<Manifest> {
    let cannot = || format!("{} cannot be kept", out.display());
    let manifest = Manifest::of(partial, contents, created_at)?;
    fs::File::open(partial)
        .and_then(|file| file.sync_all())
        .with_context(cannot)?;
    take_name(partial, out).with_context(cannot)?;
    if let Err(error) = manifest.write(out) {
        // Without one the copy could not be compared with what was written.
        let _ = fs::remove_file(out);
        return Err(error);
    }
    Ok(manifest)
}

/// Renames a file, never over another one.
fn take_name(from: &Path, to: &Path) -> io::Result<()> {
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        // Some file systems of networks know no such renaming.
        Err(Errno::INVAL | Errno::NOSYS) if !to.exists() => fs::rename(from, to),
        renamed => Ok(renamed?),
    }
}
