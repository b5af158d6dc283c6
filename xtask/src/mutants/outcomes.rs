//! What became of each mutant so far, in `docs/mutants.tsv`, which is committed: work goes on in a
//! later checkout. It must be written after every mutant, and must forget what was found out about
//! a function that has changed since.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::list::Mutant;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MutantOutcome {
    /// A test failed, or did not end.
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

    fn parse(text: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|outcome| outcome.to_string() == text)
    }
}

impl fmt::Display for MutantOutcome {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(match self {
            Self::Killed => "killed",
            Self::Survived => "survived",
            Self::Timeout => "timeout",
            Self::Unviable => "does not build",
        })
    }
}

/// An outcome and how it was found out: the test that failed, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Judgement {
    pub(super) outcome: MutantOutcome,
    pub(super) by: String,
}

impl Judgement {
    pub(super) fn new(outcome: MutantOutcome, by: &str) -> Self {
        let by = by.to_owned();
        Self { outcome, by }
    }
}

/// The file, what is replaced, the place within its function, and the digest of the function.
type Key = [String; 4];

fn key(mutant: &Mutant) -> Key {
    let change = mutant.change().replace(['\t', '\n'], " ");
    [
        mutant.file.clone(),
        change,
        mutant.place(),
        mutant.source.clone(),
    ]
}

#[derive(Debug)]
pub(super) struct Outcomes {
    path: PathBuf,
    judged: BTreeMap<Key, Judgement>,
}

impl Outcomes {
    pub(super) fn read(path: &Path) -> Result<Self> {
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            read => read.with_context(|| format!("reading {}", path.display()))?,
        };
        let judged = text.lines().map(parse).collect::<Result<_>>()?;
        let path = path.to_path_buf();
        Ok(Self { path, judged })
    }

    pub(super) fn of(&self, mutant: &Mutant) -> Option<MutantOutcome> {
        self.judged
            .get(&key(mutant))
            .map(|judgement| judgement.outcome)
    }

    /// Forgets mutants that are no more: their functions changed.
    pub(super) fn keep_only(&mut self, mutants: &[Mutant]) {
        let there: BTreeSet<_> = mutants.iter().map(key).collect();
        self.judged.retain(|key, _| there.contains(key));
    }

    pub(super) fn record(&mut self, mutant: &Mutant, judgement: Judgement) -> Result<()> {
        self.judged.insert(key(mutant), judgement);
        let mut text = String::new();
        for (key, Judgement { outcome, by }) in &self.judged {
            text.push_str(&key.join("\t"));
            _ = writeln!(text, "\t{outcome}\t{by}");
        }
        let draft = self.path.with_extension("draft");
        fs::write(&draft, text)?;
        fs::rename(&draft, &self.path).with_context(|| format!("writing {}", self.path.display()))
    }
}

fn parse(line: &str) -> Result<(Key, Judgement)> {
    let fields: Vec<_> = line.split('\t').collect();
    let [file, change, place, source, outcome, by] = *fields else {
        bail!("{line:?} is no outcome of a mutant");
    };
    let outcome = MutantOutcome::parse(outcome)
        .with_context(|| format!("{outcome:?} is no outcome of a mutant"))?;
    let key = [file, change, place, source].map(str::to_owned);
    Ok((key, Judgement::new(outcome, by)))
}

#[cfg(test)]
mod tests {
    use super::{Judgement, MutantOutcome, Outcomes};
    use crate::mutants::samples::mutant;

    #[test]
    fn an_outcome_is_remembered_until_its_function_changes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mutants.tsv");
        let at = |line| mutant("a.rs", line, "replace a with b");
        let killed = Judgement::new(MutantOutcome::Killed, "domain/domain a::b");
        let mut outcomes = Outcomes::read(&path).unwrap();
        outcomes.record(&at(1), killed).unwrap();

        let mut read = Outcomes::read(&path).unwrap();
        assert_eq!(read.of(&at(1)), Some(MutantOutcome::Killed));
        assert_eq!(read.of(&at(7)), Some(MutantOutcome::Killed), "it moved");
        let mut changed = at(1);
        changed.source = "2".to_owned();
        assert_eq!(read.of(&changed), None);
        read.keep_only(&[changed]);
        assert_eq!(read.of(&at(1)), None);
    }
}
