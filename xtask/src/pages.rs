//! The pages of the checkout in a real browser: accessibility, widths, colours, the policy they are
//! served with, and what they load. It must not reach anything but this machine.

use std::env;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;

use crate::packages;
use crate::process::Run;
use crate::programs::Program;
use crate::repo::Repo;

/// What drives the browser, without a browser of its own, and the rules of accessibility. Neither
/// depends on another package.
const JAVASCRIPT: [&str; 2] = ["playwright-core@1.65.1", "axe-core@4.14.1"];

/// What Chromium is called, by Debian and others.
const BROWSERS: [&str; 5] = [
    "chromium",
    "chromium-browser",
    "chromium-headless-shell",
    "google-chrome-stable",
    "google-chrome",
];

/// What the browser is driven by.
const SCRIPTS: [(&str, &str); 3] = [
    ("check.js", include_str!("pages/check.js")),
    ("faults.js", include_str!("pages/faults.js")),
    ("server.js", include_str!("pages/server.js")),
];

#[derive(Args, Debug, Default)]
pub(crate) struct PagesOptions {
    /// Keep a picture of each page in the target folder, in `pages/pictures`
    #[arg(long)]
    pictures: bool,
}

pub(crate) fn run(repo: &Repo, options: &PagesOptions) -> Result<()> {
    let browser = browser()?;
    let home = repo.target()?.join("pages");
    packages::javascript(&home, &JAVASCRIPT)?;
    let views = home.join("views");
    if views.exists() {
        // A page that is not made any more is not checked either.
        fs::remove_dir_all(&views).context("the pages of the last run cannot be removed")?;
    }
    let folder = views.to_string_lossy();
    let render = Program::Example("views").build(repo)?;
    Run::new(&render.to_string_lossy(), [&*folder]).stream(repo.root())?;
    for (name, script) in SCRIPTS {
        fs::write(home.join(name), script).with_context(|| format!("{name} cannot be written"))?;
    }
    let pictures = options.pictures.then_some("--pictures");
    let browser = browser.to_string_lossy();
    let check = ["check.js", &*browser, &*folder];
    Run::new("node", check.into_iter().chain(pictures)).stream(&home)
}

/// The browser of this machine. There is no passing without one.
fn browser() -> Result<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    let programs = BROWSERS.iter().flat_map(|name| {
        let programs = folders.iter().map(move |folder| folder.join(name));
        programs.filter(|program| program.is_file())
    });
    programs
        .into_iter()
        .next()
        .context("Chromium is needed, such as Debian's package chromium")
}
