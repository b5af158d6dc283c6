//! The long proofs, run as `cargo xtask prove NAME`: the suites with far larger numbers than CI
//! gives them, in parts that can be resumed. It must not check anything itself: a part fails where
//! its suite fails, and a proof with a failed part is never reported as passed.

mod clock_steps;
mod document;
mod faults;
mod gateway;
mod instances;
mod kills;
mod outages;
mod part;
mod patroni;
mod power_cuts;
mod proof;
mod restores;
mod rolling_restarts;
mod soak;
mod state;
mod storm;
mod versions;

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;

use self::part::ProofPart;
use self::proof::ProofPlan;
use self::soak::SoakStore;
use self::state::ProofState;
use crate::repo::Repo;
use crate::stopwatch::StepTimer;
use crate::tools::NEXTEST;

/// Every proof, in the order they are listed.
const ALL: [ProofPlan; 15] = [
    kills::EMBEDDED,
    kills::POSTGRES,
    kills::EMBEDDED_BESIDE,
    kills::POSTGRES_BESIDE,
    kills::FAMILIES,
    kills::FAMILIES_POSTGRES,
    instances::PROOF,
    outages::PROOF,
    storm::PROOF,
    power_cuts::PROOF,
    clock_steps::PROOF,
    faults::SEALING,
    faults::KINDS,
    restores::EMBEDDED,
    restores::POSTGRES,
];

#[derive(Args, Debug)]
pub(crate) struct ProveOptions {
    /// The proof, or `list`
    name: String,
    /// How many in all; each proof has a usual number
    #[arg(long)]
    count: Option<u64>,
    /// The seed of the first part; each further part has the next number
    #[arg(long)]
    seed: Option<u64>,
    /// Start no further part that would end later than this: 60 unless said; of soak, how long the
    /// load of each store lasts: 30
    #[arg(long)]
    minutes: Option<u64>,
    /// The store of soak; both in turn unless said
    #[arg(long)]
    store: Option<SoakStore>,
    /// Go on where the last run stopped
    #[arg(long)]
    resume: bool,
    /// Write the totals into docs/TESTING.md
    #[arg(long)]
    write: bool,
    /// Use optimised builds
    #[arg(long)]
    release: bool,
    /// Use this program and build none; for rolling-restarts, patroni, soak and versions alone
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Use this program of the release before, and build none; for versions alone
    #[arg(long, value_name = "FILE")]
    previous: Option<PathBuf>,
}

impl ProveOptions {
    /// How long parts may be started.
    fn seconds(&self) -> u64 {
        self.minutes.unwrap_or(60).saturating_mul(60)
    }
}

pub(crate) fn run(repo: &Repo, options: &ProveOptions) -> Result<()> {
    if options.name == "list" {
        return list(repo);
    }
    if options.name == rolling_restarts::NAME {
        return rolling_restarts::run(repo, options);
    }
    if options.name == patroni::NAME {
        return patroni::run(repo, options);
    }
    if options.name == soak::NAME {
        return soak::run(repo, options);
    }
    if options.name == versions::NAME {
        return versions::run(repo, options);
    }
    let Some(proof) = ALL.iter().find(|proof| proof.name == options.name) else {
        let names = ALL.map(|proof| proof.name).join(", ");
        bail!("no proof is named {}; there are {names}", options.name);
    };
    let mut state = begin(repo, proof, options)?;
    NEXTEST.ensure(repo)?;
    // What does not build is no failed part.
    ProofPart::build(repo, proof, options.release)?;
    let outcome = run_parts(repo, (proof, options), &mut state);
    println!("{}", state.table(proof));
    if options.write {
        document::write(repo, proof, &state)?;
    }
    outcome?;
    if state.failures() > 0 {
        bail!("{}: {} part(s) FAILED", proof.name, state.failures());
    }
    Ok(())
}

fn list(repo: &Repo) -> Result<()> {
    for proof in &ALL {
        let done = ProofState::read(repo, proof.name)?.map_or_else(
            || "never run here".to_owned(),
            |state| format!("{} done, {} failed part(s)", state.done(), state.failures()),
        );
        println!(
            "{:<16} {:>7} {:<16} {done}",
            proof.name, proof.count, proof.unit
        );
        println!("{:<16} {}", "", proof.about);
    }
    println!(
        "{:<16} {:>7} {:<16} through each proxy, in one part",
        rolling_restarts::NAME,
        rolling_restarts::COUNT,
        rolling_restarts::UNIT
    );
    println!("{:<16} {}", "", rolling_restarts::ABOUT);
    println!(
        "{:<16} {:>7} {:<16} each is a part",
        patroni::NAME,
        patroni::COUNT,
        patroni::UNIT
    );
    println!("{:<16} {}", "", patroni::ABOUT);
    println!(
        "{:<16} {:>7} {:<16} over each store, in one part",
        soak::NAME,
        soak::MINUTES,
        soak::UNIT
    );
    println!("{:<16} {}", "", soak::ABOUT);
    println!(
        "{:<16} {:>7} {:<16} each stage, over each store",
        versions::NAME,
        versions::SECONDS,
        versions::UNIT
    );
    println!("{:<16} {}", "", versions::ABOUT);
    Ok(())
}

/// The state to go on with. A new run forgets the one before; a resumed one keeps its seed.
fn begin(repo: &Repo, proof: &ProofPlan, options: &ProveOptions) -> Result<ProofState> {
    let before = ProofState::read(repo, proof.name)?.filter(|_| options.resume);
    let mut state = before.unwrap_or_else(|| ProofState {
        seed: options.seed.unwrap_or(proof.seed),
        wanted: proof.count,
        parts: Vec::new(),
    });
    if options.seed.is_some_and(|seed| seed != state.seed) {
        bail!("the run to resume began with the seed {}", state.seed);
    }
    if let Some(count) = options.count {
        state.wanted = count;
    }
    Ok(state)
}

/// Runs parts until everything is done, the time is over, or one fails.
fn run_parts(
    repo: &Repo,
    (proof, options): (&ProofPlan, &ProveOptions),
    state: &mut ProofState,
) -> Result<()> {
    let stopwatch = StepTimer::start();
    let mut longest = 0;
    while state.done() < state.wanted {
        let elapsed = stopwatch.elapsed().as_secs();
        if elapsed + longest > options.seconds() {
            println!(
                "prove {}: the time is over; go on with --resume",
                proof.name
            );
            return Ok(());
        }
        let count = proof.part.min(state.wanted - state.done());
        let seed = state.seed + state.parts.len() as u64;
        println!(
            "prove {}: {} of {} {} done, next {count} with seed {seed}",
            proof.name,
            state.done(),
            state.wanted,
            proof.unit
        );
        let part = ProofPart::run(repo, proof, (count, seed, options.release))?;
        longest = longest.max(part.seconds);
        let failed = part.failed;
        state.parts.push(part);
        state.write(repo, proof.name)?;
        if failed {
            println!("prove {}: FAILED with seed {seed}", proof.name);
            return Ok(());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::ALL;

    #[test]
    fn every_proof_has_a_name_of_its_own_and_a_size() {
        let names: BTreeSet<_> = ALL.iter().map(|proof| proof.name).collect();
        assert_eq!(names.len(), ALL.len());
        for proof in ALL {
            assert!(
                proof.part > 0 && proof.count >= proof.part,
                "{}",
                proof.name
            );
            assert_ne!(proof.name, "list");
            assert_ne!(proof.name, super::rolling_restarts::NAME);
            assert_ne!(proof.name, super::patroni::NAME);
            assert_ne!(proof.name, super::soak::NAME);
            assert_ne!(proof.name, super::versions::NAME);
        }
    }
}
