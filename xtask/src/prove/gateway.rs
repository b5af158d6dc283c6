//! The gateway of proofs that start it themselves: the program, instances, an account that buys,
//! and its load. What a proof is about must stay with that proof.

pub(super) mod instance;
pub(super) mod load;
pub(super) mod shop;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::{ProveOptions, patroni, soak};
use crate::process::Run;
use crate::repo::Repo;

/// The program that is started, built unless one is named. What is measured is optimised.
pub(super) fn program(repo: &Repo, options: &ProveOptions) -> Result<PathBuf> {
    if let Some(binary) = &options.binary {
        return Ok(std::path::absolute(binary)?);
    }
    let build = Run::cargo(["build", "--locked", "--package", "app"]);
    let measured = [patroni::NAME, soak::NAME];
    let (build, profile) = if options.release || measured.contains(&&*options.name) {
        (build.argument("--release"), "release")
    } else {
        (build, "debug")
    };
    build.stream(repo.root())?;
    Ok(repo.target()?.join(profile).join("manilla"))
}

/// A port that is free on an address of this machine.
pub(super) fn free_port(address: &str) -> Result<u16> {
    let listener = std::net::TcpListener::bind((address, 0));
    let listener = listener.with_context(|| format!("{address} is no address of this machine"))?;
    Ok(listener.local_addr()?.port())
}

#[expect(
    clippy::disallowed_methods,
    reason = "this program waits for others and does nothing else meanwhile"
)]
pub(super) fn pause(time: Duration) {
    std::thread::sleep(time);
}

/// What a command of the program prints, or why it failed.
pub(super) fn answer(program: &Path, arguments: &[&str]) -> Result<String> {
    let run = Run::new(&program.to_string_lossy(), arguments.iter().copied());
    let (works, printed) = run.quiet(Path::new("."))?;
    if !works {
        bail!("`{}` failed:\n{printed}", arguments.join(" "));
    }
    Ok(printed)
}
