//! Programs of Debian packages that checks need: the one on the path, or else that of the package,
//! taken out of it. It must not install anything.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::process::Run;
use crate::repo::Repo;

/// A program, and where it comes from where it is not installed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DebianProgram {
    pub(crate) name: &'static str,
    /// What it is asked to find out whether it works.
    pub(crate) probe: &'static str,
    /// Where it is in the first of the packages.
    pub(crate) place: &'static str,
    /// The package it is in, and those of the libraries it needs that are not on every system.
    pub(crate) packages: &'static [&'static str],
}

/// A program that works.
#[derive(Debug)]
pub(crate) struct FoundProgram {
    program: String,
    /// Where the libraries and modules of its packages are, if it came out of them.
    variables: Vec<(&'static str, String)>,
}

impl DebianProgram {
    pub(crate) fn find(&self, repo: &Repo) -> Result<FoundProgram> {
        let found = Run::new(self.name, [self.probe]).quiet(repo.root());
        if found.is_ok_and(|(works, _)| works) {
            return Ok(FoundProgram {
                program: self.name.to_owned(),
                variables: Vec::new(),
            });
        }
        let home = repo.target()?.join("debian").join(self.name);
        let program = home.join(self.place);
        if !program.exists() {
            self.fetch(&home)?;
        }
        Ok(FoundProgram {
            program: program.to_string_lossy().into_owned(),
            variables: variables(&home),
        })
    }

    fn fetch(&self, home: &Path) -> Result<()> {
        println!("{} of Debian's packages is fetched", self.name);
        fs::create_dir_all(home)?;
        let download = ["download"]
            .into_iter()
            .chain(self.packages.iter().copied());
        Run::new("apt-get", download)
            .stream(home)
            .with_context(|| {
                let package = self.packages.first().copied().unwrap_or_default();
                format!(
                    "{} is needed, such as of Debian's package {package}",
                    self.name
                )
            })?;
        for file in entries(home)? {
            if file.extension().is_some_and(|end| end == "deb") {
                let file = file.to_string_lossy();
                Run::new("dpkg", ["--extract", &file, "."]).stream(home)?;
            }
        }
        Ok(())
    }
}

impl FoundProgram {
    pub(crate) fn run<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Run {
        let run = Run::new(&self.program, arguments);
        let given = |run: Run, (name, value): &(&'static str, String)| run.variable(name, value);
        self.variables.iter().fold(run, given)
    }
}

/// The folders with libraries, which are named after the machine, and that with modules of Python.
fn variables(home: &Path) -> Vec<(&'static str, String)> {
    let mut variables = Vec::new();
    if let Ok(folders) = entries(&home.join("usr/lib")) {
        let folders = folders.iter().map(|folder| folder.to_string_lossy());
        let folders = folders.collect::<Vec<_>>().join(":");
        variables.push(("LD_LIBRARY_PATH", folders));
    }
    let modules = home.join("usr/lib/python3/dist-packages");
    if modules.is_dir() {
        variables.push(("PYTHONPATH", modules.to_string_lossy().into_owned()));
    }
    variables
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?;
    let paths = entries.map(|entry| Ok(entry?.path()));
    paths.collect()
}
