//! One mutant without a switch, tested by cargo-mutants, which builds everything anew for it: by
//! its own package first, and where that does not notice, by the packages that use it. It must not
//! count a mutant as killed because something else failed.

use std::fs;

use anyhow::{Context, Result, bail};

use super::list::Mutant;
use super::outcomes::MutantOutcome;
use super::packages::tested_with;
use super::tree::SourceTree;
use crate::process::Run;

/// Longer than any suite takes; tests that hang fail by the limit of the nextest profile before.
const TEST_SECONDS: &str = "600";
const BUILD_SECONDS: &str = "1200";

pub(super) fn judge(tree: &SourceTree, mutant: &Mutant) -> Result<MutantOutcome> {
    let own = once(tree, mutant, &[&mutant.package])?;
    let users: Vec<_> = tested_with(&mutant.package)
        .into_iter()
        .filter(|user| *user != mutant.package)
        .collect();
    if own != MutantOutcome::Survived || users.is_empty() {
        return Ok(own);
    }
    once(tree, mutant, &users)
}

fn once(tree: &SourceTree, mutant: &Mutant, packages: &[&str]) -> Result<MutantOutcome> {
    let found = tree.found.to_string_lossy();
    let name = format!("^{}$", escaped(&mutant.name));
    let packages = packages.join(",");
    let mut selected = vec!["mutants", "--no-config", "--package", &mutant.package];
    selected.extend(["--file", &mutant.file, "--re", &name]);
    let shard = shard(tree, mutant, &selected)?;
    let mut arguments = selected;
    arguments.extend(["--shard", &shard, "--sharding", "round-robin"]);
    arguments.extend(["--in-place", "--baseline", "skip"]);
    arguments.extend(["--test-tool", "nextest", "--test-package", &packages]);
    arguments.extend(["--timeout", TEST_SECONDS, "--build-timeout", BUILD_SECONDS]);
    arguments.extend(["--output", &found, "--colors", "never", "--no-times"]);
    let run = Run::cargo(arguments)
        .variable("CARGO_TARGET_DIR", tree.target.to_string_lossy())
        .variable("NEXTEST_PROFILE", "mutants");
    // The status says again what the lists say, and 0 also for a mutant that does not build.
    let (_, printed) = run.quiet(&tree.root)?;
    let lists = tree.found.join("mutants.out");
    let mut listed = Vec::new();
    for (list, outcome) in [
        ("caught.txt", MutantOutcome::Killed),
        ("missed.txt", MutantOutcome::Survived),
        ("timeout.txt", MutantOutcome::Timeout),
        ("unviable.txt", MutantOutcome::Unviable),
    ] {
        let text = fs::read_to_string(lists.join(list))
            .with_context(|| format!("cargo-mutants wrote no {list}; it printed {printed}"))?;
        listed.extend(text.lines().map(|line| (line.to_owned(), outcome)));
    }
    match &*listed {
        [(name, outcome)] if *name == mutant.name => Ok(*outcome),
        other => bail!(
            "{} was asked for, and {other:?} tested: {printed}",
            mutant.name
        ),
    }
}

/// The shard that is this mutant alone: cargo-mutants 27 selects every mutant that deletes a field
/// of the file, whatever the expression says.
fn shard(tree: &SourceTree, mutant: &Mutant, selected: &[&str]) -> Result<String> {
    let list = selected.iter().copied().chain(["--list", "--level=error"]);
    let listed = Run::cargo(list).capture(&tree.root)?;
    let index = listed.lines().position(|line| line == mutant.name);
    let index = index.with_context(|| format!("{} is not listed: {listed}", mutant.name))?;
    Ok(format!("{index}/{}", listed.lines().count()))
}

/// What means something else in a regular expression; `\\<` would, where `<` does not.
const META: &str = r"\.+*?()|[]{}^$#&-~";

/// A name as a regular expression that matches only it.
fn escaped(name: &str) -> String {
    let mut escaped = String::new();
    for character in name.chars() {
        if META.contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn a_name_is_matched_to_the_letter() {
        let name = "a.rs:1:2: replace f -> Result<(), E> with Ok(())";
        let expected = "a\\.rs:1:2: replace f \\-> Result<\\(\\), E> with Ok\\(\\(\\)\\)";
        assert_eq!(escaped(name), expected);
    }
}
