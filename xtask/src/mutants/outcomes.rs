//! What became of each mutant so far, in `target/mutants-state.json`. It must be written after
//! every mutant, and must forget what was found out about a file that has changed since.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::list::Mutant;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum MutantOutcome {
    /// A test failed.
    Killed,
    /// Every test passed.
    Survived,
    /// The suite did not end; its own limits did not end it either.
    Timeout,
    /// It does not compile.
    Unviable,
}

impl MutantOutcome {
    pub(super) const ALL: [Self; 4] = [Self::Killed, Self::Survived, Self::Timeout, Self::Unviable];
}

impl fmt::Display for MutantOutcome {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(match self {
            Self::Killed => "killed",
            Self::Survived => "SURVIVED",
            Self::Timeout => "timeout",
            Self::Unviable => "does not build",
        })
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    outcome: MutantOutcome,
    source: String,
}

#[derive(Debug)]
pub(super) struct Outcomes {
    path: PathBuf,
    by_name: BTreeMap<String, Entry>,
}

impl Outcomes {
    pub(super) fn read(path: &Path) -> Result<Self> {
        let by_name = match fs::read(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => BTreeMap::new(),
            read => {
                let text = read.with_context(|| format!("reading {}", path.display()))?;
                let state = serde_json::from_slice(&text);
                state.with_context(|| format!("{} is no state of mutants", path.display()))?
            }
        };
        let path = path.to_path_buf();
        Ok(Self { path, by_name })
    }

    pub(super) fn of(&self, mutant: &Mutant) -> Option<MutantOutcome> {
        let entry = self.by_name.get(&mutant.name)?;
        (entry.source == mutant.source).then_some(entry.outcome)
    }

    pub(super) fn record(&mut self, mutant: &Mutant, outcome: MutantOutcome) -> Result<()> {
        let source = mutant.source.clone();
        self.by_name
            .insert(mutant.name.clone(), Entry { outcome, source });
        let draft = self.path.with_extension("draft");
        fs::write(&draft, serde_json::to_vec_pretty(&self.by_name)?)?;
        fs::rename(&draft, &self.path).with_context(|| format!("writing {}", self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::{Mutant, MutantOutcome, Outcomes};

    #[test]
    fn an_outcome_is_remembered_until_its_file_changes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.json");
        let mutant = |source: &str| Mutant {
            name: "a.rs:1:1: replace a with b".to_owned(),
            file: "a.rs".to_owned(),
            package: "a".to_owned(),
            source: source.to_owned(),
        };
        let mut outcomes = Outcomes::read(&path).unwrap();
        outcomes
            .record(&mutant("1"), MutantOutcome::Killed)
            .unwrap();

        let read = Outcomes::read(&path).unwrap();
        assert_eq!(read.of(&mutant("1")), Some(MutantOutcome::Killed));
        assert_eq!(read.of(&mutant("2")), None);
    }
}
