//! One part of a proof: one run of its test. It must keep the seed of a part that fails, which is
//! how to see the failure again.

use std::collections::BTreeMap;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::proof::ProofPlan;
use crate::process::Run;
use crate::repo::Repo;
use crate::stopwatch::StepTimer;

/// What a run of the test came to.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ProofPart {
    pub(super) seed: u64,
    pub(super) count: u64,
    pub(super) seconds: u64,
    pub(super) failed: bool,
    /// The figures the test printed, by name.
    pub(super) figures: BTreeMap<String, u64>,
}

impl ProofPart {
    pub(super) fn build(repo: &Repo, proof: &ProofPlan, release: bool) -> Result<()> {
        command(proof, (0, 0, release))
            .argument("--no-run")
            .stream(repo.root())
    }

    pub(super) fn run(
        repo: &Repo,
        proof: &ProofPlan,
        (count, seed, release): (u64, u64, bool),
    ) -> Result<Self> {
        let stopwatch = StepTimer::start();
        let (success, printed) = command(proof, (count, seed, release)).tee(repo.root())?;
        let figures = printed
            .lines()
            .rev()
            .find(|line| line.starts_with(proof.figures))
            .map(figures);
        let violated = figures.as_ref().is_none_or(|figures| {
            let count = |name: &&str| figures.get(*name).copied().unwrap_or(0);
            proof.violations.iter().map(count).sum::<u64>() > 0
        });
        Ok(Self {
            seed,
            count,
            seconds: stopwatch.elapsed().as_secs(),
            failed: !success || violated,
            figures: figures.unwrap_or_default(),
        })
    }
}

/// The program belongs to `app`, so that package is built, too.
fn command(proof: &ProofPlan, (count, seed, release): (u64, u64, bool)) -> Run {
    let (suite, test) = proof.test;
    let filter = format!("package(=tests) and binary(={suite}) and test(/{test}/)");
    let mut arguments = vec!["nextest", "run", "--locked", "-p", "app", "-p", "tests"];
    arguments.extend(["--profile", "prove", "--no-capture", "-E", &filter]);
    if release {
        arguments.push("--release");
    }
    let run = Run::cargo(arguments)
        .variable(proof.variables.0, count.to_string())
        .variable(proof.variables.1, seed.to_string());
    let given = |run: Run, (name, value): &(&'static str, &str)| run.variable(name, *value);
    proof.environment.iter().fold(run, given)
}

/// The figures of a line such as `kills: 10, acknowledged: 471`.
fn figures(line: &str) -> BTreeMap<String, u64> {
    let pair = |text: &str| {
        let (name, value) = text.trim().rsplit_once(": ")?;
        Some((name.to_owned(), value.parse().ok()?))
    };
    line.split(',').filter_map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{ALL, kills};
    use super::{command, figures};

    #[test]
    fn a_line_of_figures_is_read_by_name() {
        let read = figures("kills: 10, acknowledged: 471, double effects: 0");
        let read: Vec<_> = read.iter().map(|(name, value)| (&**name, *value)).collect();
        assert_eq!(
            read,
            [("acknowledged", 471), ("double effects", 0), ("kills", 10)]
        );
    }

    #[test]
    fn a_part_is_shown_as_it_would_be_typed() {
        let shown = command(&kills::POSTGRES, (100, 7, false)).to_string();
        let variables = "MANILLA_KILLS=\"100\" MANILLA_KILLS_SEED=\"7\" ";
        assert!(shown.starts_with(variables), "{shown}");
        assert!(
            shown.contains("MANILLA_TEST_STORE=\"postgres\" cargo nextest run"),
            "{shown}"
        );
        assert!(
            shown.contains("binary(=crash) and test(/kills_under_load/)"),
            "{shown}"
        );
    }

    #[test]
    fn every_proof_names_a_suite_that_exists() {
        let suites = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/tests");
        for proof in ALL {
            let suite = std::path::Path::new(suites).join(proof.test.0);
            assert!(suite.join("main.rs").is_file(), "{}", suite.display());
        }
    }
}
