//! What is published of a version: the program, a package of Debian, an archive, the list of its
//! components and the checksums of all. The same commit must make the same files, and nothing is
//! packaged that the program itself does not accept.

pub(crate) mod archive;
pub(crate) mod completions;
pub(crate) mod components;
pub(crate) mod debian;
mod program;
pub(crate) mod sample;
pub(crate) mod staging;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use sha2::{Digest, Sha256};

use self::staging::ReleaseFiles;
use crate::process::Run;
use crate::repo::Repo;

#[derive(Args, Debug, Default)]
pub(crate) struct DistOptions {
    /// Package this program and build none
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Where the files go, in place of `packages` in the target folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn run(repo: &Repo, options: &DistOptions) -> Result<()> {
    let epoch = epoch(repo)?;
    let version = version(repo)?;
    let out = match &options.out {
        Some(out) => std::path::absolute(out)?,
        None => repo.target()?.join("packages"),
    };
    fs::create_dir_all(&out)?;
    let program = match &options.binary {
        Some(binary) => std::path::absolute(binary)?,
        None => program::build(repo, epoch)?,
    };
    let program_bytes =
        fs::read(&program).with_context(|| format!("{} cannot be read", program.display()))?;
    let files = ReleaseFiles {
        program: &program_bytes,
        settings: &sample::of(&program)?,
        completions: &completions::of(&program)?,
        version: &version,
        epoch,
    };
    let made = [
        archive::make(repo, &files, &out)?,
        debian::make(repo, &files, &out)?,
        components::make(repo, &files, &out)?,
    ];
    checksums(&made, &out)?;
    for path in &made {
        let length = fs::metadata(path)?.len();
        println!("{length:>12} bytes  {}", path.display());
    }
    Ok(())
}

/// The moment that everything in the files is dated: that of the last commit.
pub(crate) fn epoch(repo: &Repo) -> Result<u64> {
    let given = std::env::var("SOURCE_DATE_EPOCH").ok();
    let seconds = match given {
        Some(given) => given,
        None => Run::new("git", ["log", "-1", "--format=%ct"]).capture(repo.root())?,
    };
    let seconds = seconds.trim();
    seconds
        .parse()
        .with_context(|| format!("{seconds} is no number of seconds since 1970"))
}

/// The version of the workspace.
pub(crate) fn version(repo: &Repo) -> Result<String> {
    let mut metadata = cargo_metadata::MetadataCommand::new();
    let metadata = metadata.current_dir(repo.root()).no_deps().exec()?;
    let mut packages = metadata.packages.iter();
    let app = packages.find(|package| package.name.as_str() == "app");
    let app = app.context("the workspace has no package named app")?;
    Ok(app.version.to_string())
}

/// Writes `SHA256SUMS` as `sha256sum --check` reads it.
fn checksums(made: &[PathBuf], out: &Path) -> Result<()> {
    let mut lines = String::new();
    for path in made {
        let name = path.file_name().context("a file without a name")?;
        for byte in Sha256::digest(fs::read(path)?) {
            write!(lines, "{byte:02x}")?;
        }
        writeln!(lines, "  {}", name.to_string_lossy())?;
    }
    Ok(fs::write(out.join("SHA256SUMS"), lines)?)
}
