//! The checks by name and what each runs. A step must not depend on another having run before.

use anyhow::{Result, bail};
use clap::ValueEnum;

use crate::process::Run;
use crate::repo::Repo;
use crate::{layers, tidy};

/// One check.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Step {
    Fmt,
    Layers,
    Tidy,
    Deny,
    Clippy,
    Docs,
    Test,
}

impl Step {
    /// In the order they run: the cheap ones first; the tests last, where their summary is easy to
    /// find at the end of a log.
    pub(crate) const ALL: [Self; 7] = [
        Self::Fmt,
        Self::Layers,
        Self::Tidy,
        Self::Deny,
        Self::Clippy,
        Self::Docs,
        Self::Test,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Fmt => "fmt",
            Self::Layers => "layers",
            Self::Tidy => "tidy",
            Self::Deny => "deny",
            Self::Clippy => "clippy",
            Self::Docs => "docs",
            Self::Test => "test",
        }
    }

    pub(crate) fn run(self, repo: &Repo) -> Result<()> {
        match self {
            Self::Fmt => Run::cargo(["fmt", "--all", "--check"]).stream(repo.root()),
            Self::Layers => layers::run(repo),
            Self::Tidy => tidy::run(repo, &tidy::Options::default()),
            Self::Deny => deny(repo),
            Self::Clippy => clippy(repo),
            Self::Docs => docs(repo),
            Self::Test => test(repo),
        }
    }
}

fn clippy(repo: &Repo) -> Result<()> {
    Run::cargo([
        "clippy",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ])
    .stream(repo.root())
}

fn docs(repo: &Repo) -> Result<()> {
    Run::cargo(["doc", "--locked", "--workspace", "--no-deps"])
        .variable("RUSTDOCFLAGS", "-D warnings")
        .stream(repo.root())
}

fn deny(repo: &Repo) -> Result<()> {
    require(
        repo,
        "deny",
        "To leave it out of one run: `cargo xtask ci --skip deny`.",
    )?;
    // Advisories are not checked here: they need a database from the network and change without a
    // change of ours.
    let checks = [
        "deny",
        "--locked",
        "check",
        "--hide-inclusion-graph",
        "bans",
        "licenses",
        "sources",
    ];
    Run::cargo(checks).stream(repo.root())
}

fn test(repo: &Repo) -> Result<()> {
    require(
        repo,
        "nextest",
        "`cargo test --workspace` runs the same tests without it.",
    )?;
    Run::cargo(["test", "--locked", "--doc", "--workspace"]).stream(repo.root())?;
    Run::cargo([
        "nextest",
        "run",
        "--locked",
        "--workspace",
        "--no-fail-fast",
    ])
    .stream(repo.root())
}

/// Fails, saying how to install it, when a cargo subcommand is not there. A check that cannot run
/// has not passed.
fn require(repo: &Repo, subcommand: &str, otherwise: &str) -> Result<()> {
    if Run::cargo([subcommand, "--version"])
        .capture(repo.root())
        .is_err()
    {
        bail!(
            "cargo-{subcommand} is not installed. Install it with \
             `cargo install cargo-{subcommand} --locked`. {otherwise}"
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::{Step, require};
    use crate::repo::Repo;

    #[test]
    fn every_step_runs_in_ci_under_its_own_name() {
        assert_eq!(Step::ALL, Step::value_variants());
        for step in Step::ALL {
            assert_eq!(Step::from_str(step.name(), false), Ok(step));
        }
    }

    #[test]
    fn a_missing_tool_fails_and_says_how_to_install_it() {
        let repo = Repo::find().unwrap();

        let error = require(&repo, "no-such-tool", "Or else.")
            .unwrap_err()
            .to_string();

        assert!(
            error.contains("cargo install cargo-no-such-tool --locked"),
            "{error}"
        );
    }
}
