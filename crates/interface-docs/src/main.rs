//! Compares the generated files with those of the repository, or with `--bless` writes them. It
//! must be run from the root of the repository.
#![expect(
    clippy::print_stdout,
    reason = "the findings of a check are its output"
)]

use anyhow::{Context, Result, bail};
use clap::Parser;
use interface_docs::{Document, documents};
use std::collections::HashSet;
use std::fs;
use std::path::Path;

/// Makes the OpenAPI document, the XML schemas and the reference of the operations.
#[derive(Debug, Parser)]
struct Options {
    /// Write what is made instead of comparing it
    #[arg(long)]
    bless: bool,
}

/// Every file in these is generated.
const FOLDERS: [&str; 2] = ["docs/api", "docs/xsd"];

fn main() -> Result<()> {
    let options = Options::parse();
    let documents = documents()?;
    let mut stale = Vec::new();
    for Document { path, text } in &documents {
        if fs::read_to_string(path).is_ok_and(|there| there == *text) {
            continue;
        }
        if options.bless {
            println!("written: {path}");
            write(path, text).with_context(|| path.clone())?;
        } else {
            stale.push(path.clone());
        }
    }
    for orphan in orphans(&documents)? {
        if options.bless {
            println!("removed: {orphan}");
            fs::remove_file(&orphan).with_context(|| orphan.clone())?;
        } else {
            stale.push(orphan);
        }
    }
    if !stale.is_empty() {
        let remedy = "run `cargo xtask openapi --bless` and look at what changed";
        bail!("not as the code makes them: {}; {remedy}", stale.join(", "));
    }
    println!("{} files are as the code makes them", documents.len());
    Ok(())
}

fn write(path: &str, text: &str) -> Result<()> {
    if let Some(folder) = Path::new(path).parent() {
        fs::create_dir_all(folder)?;
    }
    Ok(fs::write(path, text)?)
}

/// Files that were once generated and no longer are.
fn orphans(documents: &[Document]) -> Result<Vec<String>> {
    let made: HashSet<_> = documents.iter().map(|document| &*document.path).collect();
    let mut orphans = Vec::new();
    for folder in FOLDERS.iter().filter(|folder| Path::new(folder).exists()) {
        for entry in fs::read_dir(folder)? {
            let path = format!("{folder}/{}", entry?.file_name().to_string_lossy());
            if !made.contains(&*path) {
                orphans.push(path);
            }
        }
    }
    Ok(orphans)
}
