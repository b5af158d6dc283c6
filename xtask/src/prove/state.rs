//! How far a proof came, in `target/prove/NAME.json`. It must be written after every part, so that
//! a run that is interrupted loses one part at most.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::part::ProofPart;
use super::proof::ProofPlan;
use crate::repo::Repo;

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ProofState {
    /// The seed of the first part.
    pub(super) seed: u64,
    /// How many in all.
    pub(super) wanted: u64,
    pub(super) parts: Vec<ProofPart>,
}

impl ProofState {
    pub(super) fn read(repo: &Repo, name: &str) -> Result<Option<Self>> {
        let path = path(repo, name)?;
        let text = match fs::read(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            read => read.with_context(|| format!("reading {}", path.display()))?,
        };
        let state = serde_json::from_slice(&text);
        state.with_context(|| format!("{} is no state of a proof", path.display()))
    }

    pub(super) fn write(&self, repo: &Repo, name: &str) -> Result<()> {
        let path = path(repo, name)?;
        let draft = path.with_extension("draft");
        fs::create_dir_all(path.parent().unwrap_or(&path))?;
        fs::write(&draft, serde_json::to_vec_pretty(self)?)?;
        fs::rename(&draft, &path).with_context(|| format!("writing {}", path.display()))
    }

    /// How many are done; a failed part counts as none.
    pub(super) fn done(&self) -> u64 {
        let passed = self.parts.iter().filter(|part| !part.failed);
        passed.map(|part| part.count).sum()
    }

    pub(super) fn failures(&self) -> usize {
        self.parts.iter().filter(|part| part.failed).count()
    }

    pub(super) fn seconds(&self) -> u64 {
        self.parts.iter().map(|part| part.seconds).sum()
    }

    /// The figures of all parts, each summed up.
    pub(super) fn totals(&self) -> BTreeMap<&str, u64> {
        let mut totals = BTreeMap::new();
        for (name, value) in self.parts.iter().flat_map(|part| &part.figures) {
            *totals.entry(name.as_str()).or_default() += value;
        }
        totals
    }

    /// The totals for people.
    pub(super) fn table(&self, proof: &ProofPlan) -> String {
        let mut table = format!("\n{}: {}\n", proof.name, proof.about);
        let mut row = |name: &str, value: String| {
            let _ = writeln!(table, "  {name:<40} {value:>12}");
        };
        row(proof.unit, format!("{} of {}", self.done(), self.wanted));
        row("seconds", self.seconds().to_string());
        for (name, value) in self.totals() {
            row(name, value.to_string());
        }
        row("parts", self.parts.len().to_string());
        row("failed parts", self.failures().to_string());
        for part in self.parts.iter().filter(|part| part.failed) {
            row("failed with seed", part.seed.to_string());
        }
        table
    }
}

fn path(repo: &Repo, name: &str) -> Result<PathBuf> {
    Ok(repo
        .target()?
        .join("prove")
        .join(name)
        .with_extension("json"))
}

#[cfg(test)]
mod tests {
    use super::{ProofPart, ProofState};

    fn part(seed: u64, failed: bool) -> ProofPart {
        let figures = [("acknowledged".to_owned(), 3)].into();
        ProofPart {
            seed,
            count: 10,
            seconds: 1,
            failed,
            figures,
        }
    }

    #[test]
    fn a_failed_part_stays_on_record_and_counts_as_nothing_done() {
        let parts = vec![part(1, false), part(2, true), part(3, false)];
        let state = ProofState {
            seed: 1,
            wanted: 30,
            parts,
        };
        assert_eq!((state.done(), state.failures()), (20, 1));
        assert_eq!(state.totals()["acknowledged"], 9);
    }
}
