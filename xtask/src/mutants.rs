//! Which changes of the code no test notices, of those that cargo-mutants names: all of the rules
//! that money rests on, and a sample of the rest. It must never change the code of the repository:
//! it works in copies below the target folder, and writes only what it found out.
//!
//! `switch` judges nearly all with one build. `one_by_one` judges what no switch can stand for,
//! with a build for each.

mod list;
mod one_by_one;
mod outcomes;
mod packages;
#[cfg(test)]
mod samples;
mod switch;
mod tree;

use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail};
use clap::Args;

use self::list::Mutant;
use self::outcomes::{Judgement, MutantOutcome, Outcomes};
use self::switch::Work;
use self::tree::{Changed, SourceTree};
use crate::repo::Repo;
use crate::stopwatch::StepTimer;
use crate::tools::{MUTANTS, NEXTEST};

/// What is known so far.
const STATE: &str = "docs/mutants.tsv";
/// Where survivors are explained.
const PAGE: &str = "docs/MUTANTS.md";

#[derive(Args, Debug)]
pub(crate) struct MutantsOptions {
    /// Only mutants whose path begins so, all of them
    #[arg(long, value_name = "PATH")]
    only: Option<String>,
    /// How many of the mutants outside the money rules
    #[arg(long, default_value_t = 200)]
    sample: usize,
    /// What the sample is drawn with
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The part k of n, counted from 0
    #[arg(long, value_name = "K/N", default_value = "0/1", value_parser = shard)]
    shard: (usize, usize),
    /// Start no further mutant after this
    #[arg(long, default_value_t = 60)]
    minutes: u64,
    /// Test survivors again: there are other tests
    #[arg(long)]
    again: bool,
    /// Only print what is known so far
    #[arg(long)]
    report: bool,
}

fn shard(text: &str) -> Result<(usize, usize), String> {
    let numbers = text
        .split_once('/')
        .and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    match numbers {
        Some((k, n)) if k < n => Ok((k, n)),
        _ => Err("a shard is K/N with K from 0 to N - 1".to_owned()),
    }
}

pub(crate) fn run(repo: &Repo, options: &MutantsOptions) -> Result<()> {
    MUTANTS.ensure(repo)?;
    NEXTEST.ensure(repo)?;
    let home = repo.target()?.join("mutants");
    let mut outcomes = Outcomes::read(&repo.root().join(STATE))?;
    let all = list::all(repo)?;
    outcomes.keep_only(&all);
    let mutants = selected(all, options);
    if !options.report {
        let is_left = |mutant: &&Mutant| match outcomes.of(mutant) {
            None => true,
            Some(outcome) => options.again && outcome == MutantOutcome::Survived,
        };
        let left: Vec<_> = mutants.iter().filter(is_left).cloned().collect();
        outcomes = test((repo, &home), (&left, options.minutes), outcomes)?;
    }
    let page = repo.root().join(PAGE);
    let page = fs::read_to_string(&page).with_context(|| format!("reading {PAGE}"))?;
    report(&mutants, &outcomes, &page)
}

/// What this run is about, in the order it is tested.
fn selected(all: Vec<Mutant>, options: &MutantsOptions) -> Vec<Mutant> {
    let chosen = match &options.only {
        Some(path) => all
            .into_iter()
            .filter(|mutant| mutant.file.starts_with(path))
            .collect(),
        None => list::with_sample(all, options.sample, options.seed),
    };
    let (k, n) = options.shard;
    let of_shard = |(index, mutant)| (index % n == k).then_some(mutant);
    chosen
        .into_iter()
        .enumerate()
        .filter_map(of_shard)
        .collect()
}

fn test(
    (repo, home): (&Repo, &Path),
    (mutants, minutes): (&[Mutant], u64),
    outcomes: Outcomes,
) -> Result<Outcomes> {
    let stopwatch = StepTimer::start();
    let is_over = || stopwatch.elapsed().as_secs() >= minutes.saturating_mul(60);
    let outcomes = Mutex::new(outcomes);
    let record = |mutant: &Mutant, judgement: Judgement| {
        let Judgement { outcome, by } = &judgement;
        println!("mutants: {outcome}: {} ({by})", mutant.name);
        let mut outcomes = outcomes.lock().unwrap_or_else(PoisonError::into_inner);
        outcomes.record(mutant, judgement)
    };
    if !mutants.is_empty() {
        let rest = switch::judge(&Work {
            repo,
            home,
            mutants,
            is_over: &is_over,
            record: &record,
        })?;
        println!("mutants: {} have no switch", rest.len());
        let tree = SourceTree::copy(repo, home, &Changed::new())?;
        for mutant in rest {
            if is_over() {
                println!("mutants: the time is over; the same command goes on");
                break;
            }
            let outcome = one_by_one::judge(&tree, mutant)?;
            record(mutant, Judgement::new(outcome, "by cargo-mutants"))?;
        }
    }
    Ok(outcomes
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner))
}

/// The counts and the survivors. Fails if one is not explained.
fn report(mutants: &[Mutant], outcomes: &Outcomes, page: &str) -> Result<()> {
    let with = |wanted: MutantOutcome| -> Vec<&Mutant> {
        let is = |mutant: &&Mutant| outcomes.of(mutant) == Some(wanted);
        mutants.iter().filter(is).collect()
    };
    println!("\nmutants: {} selected", mutants.len());
    for outcome in MutantOutcome::ALL {
        println!("  {outcome:<20} {:>5}", with(outcome).len());
    }
    let (killed, survived) = (
        with(MutantOutcome::Killed).len(),
        with(MutantOutcome::Survived),
    );
    let timeouts = with(MutantOutcome::Timeout);
    let judged = killed + survived.len() + timeouts.len();
    let left = mutants
        .iter()
        .filter(|mutant| outcomes.of(mutant).is_none());
    println!("  {:<20} {:>5}", "not tested yet", left.count());
    if let Some(rate) = (killed * 1000).checked_div(judged) {
        println!("  killed {}.{} % of {judged}", rate / 10, rate % 10);
    }
    for mutant in &timeouts {
        println!("  timeout: {}", mutant.name);
    }
    let (explained, unexplained): (Vec<_>, Vec<_>) = survived
        .into_iter()
        .partition(|mutant| is_explained(mutant, page));
    println!("  {} survivors are explained in {PAGE}", explained.len());
    for mutant in &unexplained {
        println!("  survived: {}", mutant.name);
    }
    match unexplained.len() {
        0 => Ok(()),
        count => bail!("mutants: {count} survived and are not explained in {PAGE}"),
    }
}

/// Whether the page has an item that names the file and the change.
fn is_explained(mutant: &Mutant, page: &str) -> bool {
    let item = format!("- `{}`, `{}`:", mutant.file, mutant.change());
    page.lines().any(|line| line.starts_with(&item))
}

#[cfg(test)]
mod tests {
    use super::samples::mutant;
    use super::{is_explained, shard};

    #[test]
    fn a_survivor_is_explained_by_its_file_and_its_change() {
        let page = "- `a.rs`, `replace a with b`: they are the same.";
        assert!(is_explained(&mutant("a.rs", 3, "replace a with b"), page));
        assert!(!is_explained(&mutant("b.rs", 3, "replace a with b"), page));
        assert!(!is_explained(&mutant("a.rs", 3, "replace a with c"), page));
    }

    #[test]
    fn a_shard_is_one_of_its_number() {
        assert_eq!(shard("0/1"), Ok((0, 1)));
        assert_eq!(shard("3/4"), Ok((3, 4)));
        for wrong in ["4/4", "1", "a/2", "/"] {
            assert!(shard(wrong).is_err(), "{wrong}");
        }
    }
}
