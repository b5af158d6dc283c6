//! The totals of a proof in docs/TESTING.md, between `<!-- prove:NAME -->` and the same with a
//! slash. It must change nothing outside its marks.

use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result};

use super::proof::ProofPlan;
use super::state::ProofState;
use crate::process::Run;
use crate::repo::Repo;

const PATH: &str = "docs/TESTING.md";

pub(super) fn write(repo: &Repo, proof: &ProofPlan, state: &ProofState) -> Result<()> {
    put(repo, proof.name, &section(proof, state))
}

/// Writes the text of a proof, with its name, the day and the machine before it.
pub(super) fn put(repo: &Repo, name: &str, section: &str) -> Result<()> {
    let path = repo.root().join(PATH);
    let text = fs::read_to_string(&path).with_context(|| format!("reading {PATH}"))?;
    let date = Run::new("date", ["-u", "+%F"]).capture(repo.root())?;
    let section = format!("`{name}`, {}, {}: {section}", date.trim(), machine());
    let text = replaced(&text, name, &section)
        .with_context(|| format!("{PATH} has no marks of {name}"))?;
    fs::write(&path, text).with_context(|| format!("writing {PATH}"))?;
    println!("prove {name}: the totals are in {PATH}");
    Ok(())
}

fn section(proof: &ProofPlan, state: &ProofState) -> String {
    let mut text = format!(
        "{} {} in {} s, seeds from {}, failed parts: {}",
        state.done(),
        proof.unit,
        state.seconds(),
        state.seed,
        state.failures()
    );
    for (name, value) in state.totals() {
        let _ = write!(text, "; {name}: {value}");
    }
    text.push('.');
    text
}

/// The text with another section between the marks; nothing where the marks are not there.
fn replaced(text: &str, name: &str, section: &str) -> Option<String> {
    let (open, close) = (
        format!("<!-- prove:{name} -->"),
        format!("<!-- /prove:{name} -->"),
    );
    let (before, rest) = text.split_once(&open)?;
    let (_, after) = rest.split_once(&close)?;
    Some(format!("{before}{open}\n{section}\n{close}{after}"))
}

/// The processor and the memory, as Linux describes them.
fn machine() -> String {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let value = |text: &str, name: &str| {
        let line = text.lines().find(|line| line.starts_with(name));
        let value = line.and_then(|line| line.split_once(':'));
        value
            .map(|(_, value)| value.trim().to_owned())
            .unwrap_or_default()
    };
    let processors = read("/proc/cpuinfo");
    let cores = processors
        .lines()
        .filter(|line| line.starts_with("processor"))
        .count();
    let model = value(&processors, "model name");
    let memory = value(&read("/proc/meminfo"), "MemTotal");
    format!("{cores} cores, {model}, {memory}")
}

#[cfg(test)]
mod tests {
    use super::super::{ALL, patroni, soak::SoakStore, versions};
    use super::{PATH, replaced};

    #[test]
    fn only_what_is_between_the_marks_changes() {
        let text = "a\n<!-- prove:kills -->\nold\n<!-- /prove:kills -->\nb\n";
        let new = replaced(text, "kills", "new").unwrap();
        assert_eq!(
            new,
            "a\n<!-- prove:kills -->\nnew\n<!-- /prove:kills -->\nb\n"
        );
        assert_eq!(replaced(text, "storm", "new"), None);
    }

    #[test]
    fn every_proof_has_its_marks() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../");
        let text = std::fs::read_to_string(format!("{path}{PATH}")).unwrap();
        let soaks = SoakStore::ALL.map(SoakStore::section);
        let others = [patroni::NAME, versions::NAME].into_iter().chain(soaks);
        for name in ALL.map(|proof| proof.name).into_iter().chain(others) {
            assert!(replaced(&text, name, "").is_some(), "{name}");
        }
    }
}
