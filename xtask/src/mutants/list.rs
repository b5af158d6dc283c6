//! Every mutant there is, and which of them are tested. The money rules must be tested whole.

use anyhow::{Context, Result};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::process::Run;
use crate::repo::Repo;

/// What money rests on: paths begin so.
const WHOLE: [&str; 11] = [
    "crates/domain/src/transaction/",
    "crates/domain/src/ledger/",
    "crates/application/src/payment.rs",
    "crates/application/src/payment/",
    "crates/application/src/record.rs",
    "crates/application/src/recovery.rs",
    "crates/storage-sql/src/planner/",
    "crates/storage-sql/src/audit/",
    "crates/sqlite/src/audit/",
    "crates/postgres/src/audit/",
    "crates/app/src/provider_reconciliation.rs",
];

/// Tools and tests: what they get wrong shows when they run.
const NEVER: [&str; 5] = [
    "xtask/",
    "tests/",
    "crates/testkit/",
    "crates/postgres-cluster/",
    "crates/interface-docs/",
];

/// What kind of change a mutant is, as cargo-mutants calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
pub(super) enum Genre {
    FnValue,
    BinaryOperator,
    UnaryOperator,
    MatchArm,
    MatchArmGuard,
    StructField,
}

/// A place in a file: both numbers begin with 1, columns are characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
pub(super) struct Place {
    pub(super) line: usize,
    pub(super) column: usize,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct Extent {
    pub(super) start: Place,
    pub(super) end: Place,
}

/// The function a mutant is in.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Function {
    pub(super) return_type: String,
    pub(super) span: Extent,
}

/// One change of the code.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Mutant {
    /// The path, the place and what is replaced.
    pub(super) name: String,
    pub(super) file: String,
    pub(super) package: String,
    pub(super) genre: Genre,
    pub(super) span: Extent,
    pub(super) replacement: String,
    pub(super) function: Option<Function>,
    /// A digest of its function: an outcome is worth nothing once the function has changed.
    #[serde(skip)]
    pub(super) source: String,
}

impl Mutant {
    /// What is replaced, without the path and the place.
    pub(super) fn change(&self) -> &str {
        self.name
            .splitn(4, ':')
            .nth(3)
            .map_or(&*self.name, str::trim_start)
    }

    /// The place within the function, which stays when the function moves.
    pub(super) fn place(&self) -> String {
        let Place { line, column } = self.span.start;
        format!("{}:{column}", line.saturating_sub(self.first_line()))
    }

    fn first_line(&self) -> usize {
        self.extent().start.line
    }

    fn extent(&self) -> Extent {
        self.function
            .as_ref()
            .map_or(self.span, |function| function.span)
    }

    /// The lines of the function, or of the mutant where it is in none.
    fn lines(&self, text: &str) -> String {
        let Extent { start, end } = self.extent();
        let (before, count) = (start.line.saturating_sub(1), end.line.max(start.line));
        let lines: Vec<_> = text.lines().take(count).skip(before).collect();
        lines.join("\n")
    }
}

/// Every mutant of the workspace that a test could notice, by name.
pub(super) fn all(repo: &Repo) -> Result<Vec<Mutant>> {
    let arguments = [
        "mutants",
        "--workspace",
        "--list",
        "--json",
        "--no-config",
        "--level=error",
    ];
    let listed = Run::cargo(arguments).capture(repo.root())?;
    let mut mutants: Vec<Mutant> =
        serde_json::from_str(&listed).context("cargo-mutants lists what was not expected")?;
    mutants.retain(|mutant| !NEVER.iter().any(|path| mutant.file.starts_with(path)));
    mutants.sort_by(|a, b| (&a.file, &a.name).cmp(&(&b.file, &b.name)));
    let mut last = (String::new(), String::new());
    for mutant in &mut mutants {
        if last.0 != mutant.file {
            let text = std::fs::read_to_string(repo.root().join(&mutant.file))
                .with_context(|| format!("reading {}", mutant.file))?;
            last = (mutant.file.clone(), text);
        }
        mutant.source = digest(mutant.lines(&last.1).as_bytes());
    }
    Ok(mutants)
}

/// The money rules, then so many of the rest.
pub(super) fn with_sample(all: Vec<Mutant>, sample: usize, seed: u64) -> Vec<Mutant> {
    let is_whole = |mutant: &Mutant| WHOLE.iter().any(|path| mutant.file.starts_with(path));
    let (mut chosen, mut rest): (Vec<_>, Vec<_>) = all.into_iter().partition(is_whole);
    rest.sort_by_cached_key(|mutant| digest(format!("{seed} {}", mutant.name).as_bytes()));
    chosen.extend(rest.into_iter().take(sample));
    chosen
}

fn digest(bytes: &[u8]) -> String {
    let digest: [u8; 32] = Sha256::digest(bytes).into();
    let first = digest.first_chunk().copied().unwrap_or_default();
    format!("{:016x}", u64::from_be_bytes(first))
}

#[cfg(test)]
mod tests {
    use super::{Mutant, NEVER, WHOLE, with_sample};
    use crate::mutants::samples::mutant;
    use crate::repo::Repo;

    #[test]
    fn the_money_rules_are_whole_and_a_seed_draws_the_same_sample() {
        let numbered = |file, line| mutant(file, line, "replace a with b");
        let all = || -> Vec<_> {
            let rules = (0..5).map(|line| numbered("crates/domain/src/ledger/mod.rs", line));
            rules
                .chain((0..50).map(|line| numbered("crates/wire/src/tree.rs", line)))
                .collect()
        };
        let names = |seed| -> Vec<_> {
            with_sample(all(), 7, seed)
                .into_iter()
                .map(|mutant| mutant.name)
                .collect()
        };
        assert_eq!(names(1).len(), 12);
        assert_eq!(names(1), names(1));
        assert_ne!(names(1), names(2));
        assert_eq!(names(1)[..5], names(2)[..5]);
    }

    #[test]
    fn every_named_path_leads_to_code() {
        let files = Repo::find().unwrap().files().unwrap();
        for path in WHOLE.iter().chain(&NEVER) {
            assert!(files.iter().any(|file| file.starts_with(path)), "{path}");
        }
    }

    #[test]
    fn a_function_that_moves_keeps_its_mutants() {
        let described = |line| {
            let Mutant { name, .. } = mutant("a.rs", line, "replace a::b with c");
            mutant("a.rs", line, &name[name.find("replace").unwrap()..])
        };
        assert_eq!(described(3).change(), "replace a::b with c");
        assert_eq!(described(3).place(), described(9).place());
        assert_ne!(described(3).name, described(9).name);
    }
}
