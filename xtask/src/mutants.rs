//! Which changes of the code no test notices, with cargo-mutants: all of the rules that money rests
//! on, and a sample of the rest. It must never change a file of the repository: it works in a copy
//! below the target folder.

mod attempt;
mod list;
mod outcomes;
mod tree;

use anyhow::{Result, bail};
use clap::Args;

use self::list::Mutant;
use self::outcomes::{MutantOutcome, Outcomes};
use self::tree::SourceTree;
use crate::repo::Repo;
use crate::stopwatch::StepTimer;
use crate::tools::{MUTANTS, NEXTEST};

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
    let home = repo.target()?;
    let mut outcomes = Outcomes::read(&home.join("mutants-state.json"))?;
    let mutants = selected(list::all(repo)?, options);
    if !options.report {
        let tree = SourceTree::copy(repo, &home.join("mutants"))?;
        test(&tree, (&mutants, options.minutes), &mut outcomes)?;
    }
    report(&mutants, &outcomes)
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
    tree: &SourceTree,
    (mutants, minutes): (&[Mutant], u64),
    outcomes: &mut Outcomes,
) -> Result<()> {
    let stopwatch = StepTimer::start();
    for (index, mutant) in mutants.iter().enumerate() {
        if outcomes.of(mutant).is_some() {
            continue;
        }
        if stopwatch.elapsed().as_secs() >= minutes.saturating_mul(60) {
            println!("mutants: the time is over; the same command goes on");
            return Ok(());
        }
        let outcome = attempt::judge(tree, mutant)?;
        println!(
            "mutants: {} of {}: {outcome}: {}",
            index + 1,
            mutants.len(),
            mutant.name
        );
        outcomes.record(mutant, outcome)?;
    }
    Ok(())
}

/// The counts and the survivors.
fn report(mutants: &[Mutant], outcomes: &Outcomes) -> Result<()> {
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
    for mutant in &survived {
        println!("  survived: {}", mutant.name);
    }
    match survived.len() {
        0 => Ok(()),
        count => bail!("mutants: {count} survived"),
    }
}

#[cfg(test)]
mod tests {
    use super::shard;

    #[test]
    fn a_shard_is_one_of_its_number() {
        assert_eq!(shard("0/1"), Ok((0, 1)));
        assert_eq!(shard("3/4"), Ok((3, 4)));
        for wrong in ["4/4", "1", "a/2", "/"] {
            assert!(shard(wrong).is_err(), "{wrong}");
        }
    }
}
