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

/// One change of the code.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Mutant {
    /// The path, the place and what is replaced.
    pub(super) name: String,
    pub(super) file: String,
    pub(super) package: String,
    /// A digest of the file: an outcome is worth nothing once the file has changed.
    #[serde(skip)]
    pub(super) source: String,
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
            let bytes = std::fs::read(repo.root().join(&mutant.file))
                .with_context(|| format!("reading {}", mutant.file))?;
            last = (mutant.file.clone(), digest(&bytes));
        }
        mutant.source.clone_from(&last.1);
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
    use crate::repo::Repo;

    fn mutant(file: &str, number: usize) -> Mutant {
        Mutant {
            name: format!("{file}:{number}:1: replace a with b"),
            file: file.to_owned(),
            package: "any".to_owned(),
            source: String::new(),
        }
    }

    #[test]
    fn the_money_rules_are_whole_and_a_seed_draws_the_same_sample() {
        let all = || -> Vec<_> {
            let rules = (0..5).map(|number| mutant("crates/domain/src/ledger/mod.rs", number));
            rules
                .chain((0..50).map(|number| mutant("crates/wire/src/tree.rs", number)))
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
}
