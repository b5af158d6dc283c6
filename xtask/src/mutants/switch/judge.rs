//! What becomes of mutants behind switches: each is tried with the tests that reach it, quick ones
//! first, until one fails. It must not count a mutant as killed by a test that also fails without.

use std::cmp::Reverse;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Result, bail};

use super::suite::Test;
use super::trial::{self, Baseline, Trial};
use crate::mutants::outcomes::{Judgement, MutantOutcome};

/// How many tests run at a time.
const AT_A_TIME: usize = 2;
/// A test that fails is tried so often before the work stops: machines that are busy are slow.
const TRIES: usize = 2;

/// A test that may be tried before those that are quicker.
const QUICK: Duration = Duration::from_secs(2);

/// The tests of a run with what they do without a mutant, quickest first.
#[derive(Debug)]
pub(super) struct Baselines {
    tests: Vec<(Test, Baseline)>,
    /// How many mutants each test killed: what noticed one is likely to notice its neighbour.
    kills: Vec<AtomicUsize>,
}

impl Baselines {
    /// Runs every test with no mutant on and records which of so many it reaches.
    pub(super) fn record(tests: Vec<Test>, count: usize, folder: &Path) -> Result<Self> {
        println!("mutants: {} tests without a mutant", tests.len());
        let found = Mutex::new(Vec::new());
        let tests: Vec<_> = tests.into_iter().enumerate().collect();
        at_once(&tests, |(index, test)| {
            let record = folder.join(format!("reached-{index}"));
            let mut baseline = trial::recorded(test, count, &record)?;
            for _ in 1..TRIES {
                if !baseline.passed {
                    baseline = trial::recorded(test, count, &record)?;
                }
            }
            locked(&found).push((test.clone(), baseline));
            Ok(true)
        })?;
        let mut tests = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        let failed = tests.iter().filter(|(_, baseline)| !baseline.passed);
        let failed: Vec<_> = failed.map(|(test, _)| test.to_string()).collect();
        if !failed.is_empty() {
            bail!("tests fail without any mutant: {}", failed.join(", "));
        }
        tests.sort_by_key(|(_, baseline)| baseline.took);
        let kills = tests.iter().map(|_| AtomicUsize::new(0)).collect();
        Ok(Self { tests, kills })
    }

    /// Tries a mutant with the tests of these packages that reach it.
    pub(super) fn judge(&self, number: usize, packages: &[&str]) -> Result<Judgement> {
        let mut tried = 0_usize;
        for (test, baseline, kills) in self.reaching(number, packages) {
            let limit = trial::limit(baseline.took);
            let how = match trial::with_mutant(test, number, limit)? {
                Trial::Passed => "",
                Trial::Failed => "fails",
                Trial::Hung => "does not end",
            };
            tried = tried.saturating_add(1);
            if !how.is_empty() && trial::without_mutant(test, limit)? == Trial::Passed {
                kills.fetch_add(1, Ordering::Relaxed);
                return Ok(Judgement::new(
                    MutantOutcome::Killed,
                    &format!("{test} {how}"),
                ));
            }
        }
        let by = match tried {
            0 => "no test reaches it".to_owned(),
            tried => format!("{tried} tests reach it"),
        };
        Ok(Judgement::new(MutantOutcome::Survived, &by))
    }
}

impl Baselines {
    /// The tests of these packages that reach a mutant: quick ones that killed others, those that
    /// killed most first, then the rest.
    fn reaching(&self, number: usize, packages: &[&str]) -> Vec<(&Test, &Baseline, &AtomicUsize)> {
        let tests = self.tests.iter().zip(&self.kills);
        let tests = tests.map(|((test, baseline), kills)| (test, baseline, kills));
        let reach = |(test, baseline, _): &(&Test, &Baseline, &AtomicUsize)| {
            baseline.reached.contains(&number) && packages.contains(&&*test.package)
        };
        let mut tests: Vec<_> = tests.filter(reach).collect();
        tests.sort_by_cached_key(|(_, baseline, kills)| {
            let killed = kills.load(Ordering::Relaxed);
            Reverse(if baseline.took < QUICK { killed } else { 0 })
        });
        tests
    }
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does this with all of them, several at a time, until it fails or says that it is enough.
pub(super) fn at_once<T: Sync>(
    items: &[T],
    each: impl Fn(&T) -> Result<bool> + Sync,
) -> Result<()> {
    let next = AtomicUsize::new(0);
    let work = || -> Result<()> {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            match each(item) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    next.store(items.len(), Ordering::Relaxed);
                    return Err(error);
                }
            }
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..AT_A_TIME).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .try_for_each(|worker| match worker.join() {
                Ok(done) => done,
                Err(_) => bail!("a worker panicked"),
            })
    })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    use super::{Baselines, MutantOutcome};
    use crate::mutants::switch::suite::Test;

    /// A test that reaches the mutants 1 and 2, and does this.
    fn test(folder: &Path, name: &str, does: &str) -> Test {
        let program = folder.join(name);
        let text = format!(
            "#!/bin/sh\nprintf '1\\n2\\n' >> \"${{MUTANTS_REACHED:-/dev/null}}\"\n{does}\n"
        );
        fs::write(&program, text).unwrap();
        fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
        Test {
            package: "any".to_owned(),
            suite: "suite".to_owned(),
            name: name.to_owned(),
            program,
            folder: folder.to_path_buf(),
        }
    }

    fn judged(does: &str, number: usize) -> (MutantOutcome, String) {
        let folder = tempfile::tempdir().unwrap();
        let tests = vec![test(folder.path(), "name", does)];
        let baselines = Baselines::record(tests, 3, folder.path()).unwrap();
        let judgement = baselines.judge(number, &["any"]).unwrap();
        (judgement.outcome, judgement.by)
    }

    #[test]
    fn a_mutant_is_killed_by_the_test_that_fails() {
        let (outcome, by) = judged("test \"$MUTANT_ON\" != 1", 1);
        assert_eq!(outcome, MutantOutcome::Killed);
        assert_eq!(by, "any/suite name fails");
        let (outcome, by) = judged("test \"$MUTANT_ON\" != 1", 2);
        assert_eq!(outcome, MutantOutcome::Survived);
        assert_eq!(by, "1 tests reach it");
    }

    #[test]
    fn a_mutant_that_no_test_reaches_survives() {
        let (outcome, by) = judged("true", 0);
        assert_eq!(outcome, MutantOutcome::Survived);
        assert_eq!(by, "no test reaches it");
    }

    #[test]
    fn a_test_that_also_fails_without_kills_nothing() {
        let (outcome, _) = judged("test ! -e ran && touch ran", 1);
        assert_eq!(outcome, MutantOutcome::Survived);
    }

    #[test]
    fn nothing_is_judged_by_tests_that_fail_without_a_mutant() {
        let folder = tempfile::tempdir().unwrap();
        let tests = vec![test(folder.path(), "name", "false")];
        let error = Baselines::record(tests, 3, folder.path()).unwrap_err();
        assert!(error.to_string().contains("any/suite name"), "{error}");
    }
}
