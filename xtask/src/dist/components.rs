//! The list of the components of the program (`CycloneDX`), for those who look for known
//! vulnerabilities. It must name neither the machine nor the folder it was made in.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::staging::ReleaseFiles;
use crate::process::Run;
use crate::repo::Repo;
use crate::tools::CYCLONEDX;

/// What the folder of the sources is called in the list.
const SOURCES: &str = "/manilla";

/// Makes `manilla-VERSION.cdx.json`.
pub(crate) fn make(repo: &Repo, files: &ReleaseFiles<'_>, out: &Path) -> Result<PathBuf> {
    CYCLONEDX.ensure(repo)?;
    // The tool writes a list into the folder of every package, so it gets a copy.
    let copy = tempfile::tempdir().context("no folder for a copy of the sources")?;
    for file in repo.files()? {
        let place = copy.path().join(&file);
        if let Some(parent) = place.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::copy(repo.root().join(&file), place)?;
    }
    let options = [
        "cyclonedx",
        "--quiet",
        "--format=json",
        "--spec-version=1.5",
        "--no-build-deps",
        "--target=x86_64-unknown-linux-gnu",
        "--manifest-path=crates/app/Cargo.toml",
        "--override-filename=components",
    ];
    Run::cargo(options)
        .variable("SOURCE_DATE_EPOCH", files.epoch.to_string())
        .stream(copy.path())?;
    let made = fs::read_to_string(copy.path().join("crates/app/components.json"))?;
    let made = made.replace(&*copy.path().to_string_lossy(), SOURCES);
    let list: Value = serde_json::from_str(&made)?;
    let components = list.get("components").and_then(Value::as_array);
    let count = components.map_or(0, Vec::len);
    if count < 100 {
        bail!("the list has {count} components, which cannot be all of them");
    }
    println!("{count} components");
    let path = out.join(format!("manilla-{}.cdx.json", files.version));
    fs::write(&path, made)?;
    Ok(path)
}
