//! All mutants at once: each is written into the copy behind a switch that the environment turns
//! on, so that one build does for all of them, and a mutant costs the tests that reach it. It must
//! not judge a mutant that no switch can stand for: the value of a constant, another type behind
//! `impl`, a function that a constant calls. Those are left to `one_by_one`.

mod compile;
mod edits;
mod judge;
mod source_text;
mod suite;
#[cfg(test)]
mod tests;
mod trial;

use std::collections::BTreeSet;
use std::collections::btree_map::Entry;
use std::fs;
use std::path::Path;
use std::sync::Mutex;

use anyhow::{Context, Result};

use self::compile::{Refused, Switches};
use self::judge::{Baselines, at_once};
use self::suite::Test;
use super::list::Mutant;
use super::outcomes::{Judgement, MutantOutcome};
use super::packages::tested_with;
use super::tree::{Changed, SourceTree};
use crate::repo::Repo;

/// The crate with the switches, as it stands in the copy.
const CRATE: &str = include_str!("switch/mutant_switch.rs");
const MANIFEST: &str = "[package]
name = \"mutant_switch\"
version = \"0.0.0\"
edition = \"2024\"
publish = false
";
const DEPENDENCY: &str = "[dependencies]\nmutant_switch = { path = \"../mutant-switch\" }\n";

/// The end-to-end suites, which need the program: for mutants that nothing nearer notices. The
/// others kill, restore and cut power, which takes minutes.
const END_TO_END: [&str; 3] = ["http", "outcomes", "cli"];

/// Packages whose tests are built, and which of those are used.
type Chosen<'a> = (&'a BTreeSet<&'a str>, &'a dyn Fn(&Test) -> bool);

/// What is to be judged, and whether there is time for more.
pub(super) struct Work<'a> {
    pub(super) repo: &'a Repo,
    pub(super) home: &'a Path,
    pub(super) mutants: &'a [Mutant],
    pub(super) is_over: &'a (dyn Fn() -> bool + Sync),
    pub(super) record: &'a (dyn Fn(&Mutant, Judgement) -> Result<()> + Sync),
}

/// Judges all mutants that a switch can stand for; gives the others.
pub(super) fn judge<'a>(work: &Work<'a>) -> Result<Vec<&'a Mutant>> {
    let sources = sources(work)?;
    let mut changed = manifests(work)?;
    let mut switches = Switches::new(work.mutants, sources)?;
    changed.append(&mut switches.texts());
    let tree = SourceTree::copy(work.repo, &work.home.join("switched"), &changed)?;
    let packages: BTreeSet<_> = work.mutants.iter().map(|it| &*it.package).collect();
    let check = ["check", "--lib", "--bins"];
    switches.settle(&tree, &with_packages(&check, &packages))?;
    let tested: BTreeSet<_> = packages.iter().flat_map(|it| tested_with(it)).collect();
    let survivors = try_with_tests(work, (&mut switches, &tree), &tested, &|_| true)?;
    if !survivors.is_empty() && !(work.is_over)() {
        let program = BTreeSet::from(["app", "tests"]);
        let is_used = |test: &Test| test.package == "tests" && END_TO_END.contains(&&*test.suite);
        println!("mutants: {} survive so far", survivors.len());
        try_end_to_end(
            work,
            (&mut switches, &tree),
            (&program, &is_used),
            &survivors,
        )?;
    }
    let without =
        |(number, _): &(usize, _)| switches.refused.get(number) == Some(&Refused::NoSwitch);
    let numbered = work.mutants.iter().enumerate();
    Ok(numbered.filter(without).map(|(_, mutant)| mutant).collect())
}

fn with_packages<'a>(command: &[&'a str], packages: &BTreeSet<&'a str>) -> Vec<&'a str> {
    let named = packages.iter().flat_map(|package| ["--package", package]);
    command.iter().copied().chain(named).collect()
}

fn sources(work: &Work<'_>) -> Result<Changed> {
    let mut sources = Changed::new();
    for mutant in work.mutants {
        if !sources.contains_key(&mutant.file) {
            let path = work.repo.root().join(&mutant.file);
            let text = fs::read_to_string(&path);
            let text = text.with_context(|| format!("reading {}", path.display()))?;
            sources.insert(mutant.file.clone(), text);
        }
    }
    Ok(sources)
}

/// The crate with the switches, and the manifests of the packages that use it.
fn manifests(work: &Work<'_>) -> Result<Changed> {
    let own = [
        ("crates/mutant-switch/Cargo.toml", MANIFEST),
        ("crates/mutant-switch/src/lib.rs", CRATE),
    ];
    let own = own.map(|(path, text)| (path.to_owned(), text.to_owned()));
    let mut changed = Changed::from(own);
    for mutant in work.mutants {
        let folder = mutant.file.split("/src/").next().unwrap_or_default();
        let path = format!("{folder}/Cargo.toml");
        if let Entry::Vacant(manifest) = changed.entry(path) {
            let text = fs::read_to_string(work.repo.root().join(manifest.key()));
            let text = text.with_context(|| format!("reading {}", manifest.key()))?;
            manifest.insert(text.replacen("[dependencies]\n", DEPENDENCY, 1));
        }
    }
    Ok(changed)
}

/// Builds the tests of these packages and tries every mutant with those of its own. Gives the
/// numbers of those that survive.
fn try_with_tests(
    work: &Work<'_>,
    (switches, tree): (&mut Switches<'_>, &SourceTree),
    tested: &BTreeSet<&str>,
    is_used: &dyn Fn(&Test) -> bool,
) -> Result<Vec<usize>> {
    let baselines = baselines(work, (switches, tree), (tested, is_used))?;
    let numbers: Vec<_> = (0..work.mutants.len()).collect();
    let survivors = Mutex::new(Vec::new());
    at_once(&numbers, |number| {
        let Some(mutant) = work.mutants.get(*number) else {
            return Ok(false);
        };
        match switches.refused.get(number) {
            Some(Refused::NoSwitch) => return Ok(true),
            Some(Refused::Unviable) => {
                let judgement = Judgement::new(MutantOutcome::Unviable, "found by the compiler");
                (work.record)(mutant, judgement)?;
                return Ok(true);
            }
            None => {}
        }
        let judgement = baselines.judge(*number, &tested_with(&mutant.package))?;
        if judgement.outcome == MutantOutcome::Survived
            && let Ok(mut survivors) = survivors.lock()
        {
            survivors.push(*number);
        }
        (work.record)(mutant, judgement)?;
        Ok(!(work.is_over)())
    })?;
    Ok(survivors.into_inner().unwrap_or_default())
}

fn try_end_to_end(
    work: &Work<'_>,
    (switches, tree): (&mut Switches<'_>, &SourceTree),
    tests: Chosen<'_>,
    survivors: &[usize],
) -> Result<()> {
    let baselines = baselines(work, (switches, tree), tests)?;
    at_once(survivors, |number| {
        if let Some(mutant) = work.mutants.get(*number) {
            let judgement = baselines.judge(*number, &["tests"])?;
            if judgement.outcome == MutantOutcome::Killed {
                (work.record)(mutant, judgement)?;
            }
        }
        Ok(!(work.is_over)())
    })
}

/// Builds tests and runs them without a mutant.
fn baselines(
    work: &Work<'_>,
    (switches, tree): (&mut Switches<'_>, &SourceTree),
    (packages, is_used): Chosen<'_>,
) -> Result<Baselines> {
    let build = ["build", "--tests"];
    let artifacts = switches.settle(tree, &with_packages(&build, packages))?;
    let mut tests = suite::tests(&artifacts)?;
    tests.retain(is_used);
    Baselines::record(tests, work.mutants.len(), &tree.found)
}
