//! The tests that are built with the switches. It must start each in a process of its own, as
//! nextest does, so that a switch is on for one test alone.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use cargo_metadata::Artifact;

use crate::process::Run;

/// One test of one program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Test {
    pub(super) package: String,
    pub(super) suite: String,
    pub(super) name: String,
    pub(super) program: PathBuf,
    /// The folder of the package, where its tests run.
    pub(super) folder: PathBuf,
}

impl fmt::Display for Test {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{} {}", self.package, self.suite, self.name)
    }
}

/// All tests of the programs that were built.
pub(super) fn tests(artifacts: &[Artifact]) -> Result<Vec<Test>> {
    let mut tests = Vec::new();
    for artifact in artifacts.iter().filter(|artifact| artifact.profile.test) {
        let Some(program) = &artifact.executable else {
            continue;
        };
        let folder = artifact.manifest_path.parent();
        let folder = folder.context("a manifest has no folder")?.as_std_path();
        let package = folder.file_name().unwrap_or_default().to_string_lossy();
        for name in names(program.as_std_path(), folder)? {
            tests.push(Test {
                package: package.clone().into_owned(),
                suite: artifact.target.name.clone(),
                name,
                program: program.clone().into_std_path_buf(),
                folder: folder.to_path_buf(),
            });
        }
    }
    tests.sort();
    Ok(tests)
}

fn names(program: &Path, folder: &Path) -> Result<Vec<String>> {
    let program = program.to_string_lossy();
    let listed = Run::new(&program, ["--list", "--format", "terse"]).capture(folder)?;
    let names = listed
        .lines()
        .filter_map(|line| line.strip_suffix(": test"));
    Ok(names.map(str::to_owned).collect())
}
