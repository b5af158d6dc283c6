//! What becomes of mutants behind switches: each is tried with the tests that reach it, quickest
//! first, until one fails. It must not count a mutant as killed by a test that also fails without.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Result, bail};

use super::suite::Test;
use super::trial::{self, Baseline, Trial};
use crate::mutants::outcomes::{Judgement, MutantOutcome};

/// How many tests run at a time.
const AT_A_TIME: usize = 2;
/// A test that fails is tried so often before the work stops: machines that are busy are slow.
const TRIES: usize = 2;

/// The tests of a run with what they do without a mutant, quickest first.
#[derive(Debug)]
pub(super) struct Baselines {
    tests: Vec<(Test, Baseline)>,
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
        Ok(Self { tests })
    }

    /// Tries a mutant with the tests of these packages that reach it.
    pub(super) fn judge(&self, number: usize, packages: &[&str]) -> Result<Judgement> {
        let reach = |(test, baseline): &&(Test, Baseline)| {
            baseline.reached.contains(&number) && packages.contains(&&*test.package)
        };
        let mut tried = 0_usize;
        for (test, baseline) in self.tests.iter().filter(reach) {
            let limit = trial::limit(baseline.took);
            let how = match trial::with_mutant(test, number, limit)? {
                Trial::Passed => "",
                Trial::Failed => "fails",
                Trial::Hung => "does not end",
            };
            tried = tried.saturating_add(1);
            if !how.is_empty() && trial::without_mutant(test, limit)? == Trial::Passed {
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
