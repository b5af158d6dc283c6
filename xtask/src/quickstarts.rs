//! The merchant's quickstart in each language, run against the program itself with what Debian
//! packages of the language. It must not install anything, nor leave out a file of the folder.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::thread;

use anyhow::{Context, Result, anyhow, ensure};

use crate::clients;
use crate::process::Run;
use crate::repo::Repo;
use crate::served::ServedGateway;

const FOLDER: &str = "docs/examples/quickstart";

/// A language, and how its file is run.
struct Language {
    file: &'static str,
    program: &'static str,
    /// What stands before the file.
    arguments: &'static [&'static str],
    /// An argument that every version of the program answers.
    probe: &'static str,
    /// The package of Debian that has the program.
    package: &'static str,
}

const LANGUAGES: [Language; 4] = [
    Language {
        file: "quickstart.py",
        program: "python3",
        arguments: &[],
        probe: "--version",
        package: "python3",
    },
    Language {
        file: "quickstart.js",
        program: "node",
        arguments: &[],
        probe: "--version",
        package: "nodejs",
    },
    Language {
        file: "quickstart.go",
        program: "go",
        arguments: &["run"],
        probe: "version",
        package: "golang-go",
    },
    Language {
        file: "quickstart.php",
        program: "php",
        arguments: &[],
        probe: "--version",
        package: "php-cli",
    },
];

/// No server of the DNS is asked. Answers and forced outcomes come sooner than by default, in the
/// same order: a repetition finds 0002 in progress, which then ends within the time of an answer,
/// and 0007 ends after it.
const SETTINGS: [&str; 4] = [
    "lookup.dns=off",
    "payment.answer_window_ms=8000",
    "sandbox.pending_delay_ms=6000",
    "sandbox.slow_ms=10000",
];

/// How the lines begin that every file prints: one that does nothing would succeed as well.
const STEPS: [&str; 8] = [
    "bought: ",
    "report: ",
    "repeat: ",
    "repeated: ",
    "pending: ",
    "final: ",
    "refused: ",
    "balance: ",
];

pub(crate) fn run(repo: &Repo) -> Result<()> {
    let folder = repo.root().join(FOLDER);
    let differing = not_run_or_missing(&names(&folder)?);
    ensure!(
        differing.is_empty(),
        "{FOLDER}: not the files that are run: {}",
        differing.join(", ")
    );
    LANGUAGES.iter().try_for_each(|it| it.ensure(repo))?;
    let cache = repo.target()?.join("quickstarts/go");
    let served = ServedGateway::start(repo, &SETTINGS)?;
    // They mostly wait, so they do it together.
    let answers = thread::scope(|scope| {
        let start = |it: &'static Language| {
            let run = clients::with_account(it.run(&cache), &served);
            println!("$ {run}");
            (it, scope.spawn(move || run.quiet(repo.root())))
        };
        let started: Vec<_> = LANGUAGES.iter().map(start).collect();
        let ended = started.into_iter().map(|(it, run)| (it, run.join()));
        ended.collect::<Vec<_>>()
    });
    for (language, answer) in answers {
        let file = language.file;
        let answer = answer.map_err(|_| anyhow!("what runs {file} panicked"))?;
        let (succeeded, printed) = answer?;
        print!("\n{file}\n{printed}");
        ensure!(succeeded, "{file} failed");
        let missing = missing_steps(&printed);
        ensure!(
            missing.is_empty(),
            "{file} printed no line that begins with {missing:?}"
        );
    }
    Ok(())
}

impl Language {
    fn run(&self, cache: &Path) -> Run {
        let file = format!("{FOLDER}/{}", self.file);
        let arguments = self.arguments.iter().copied();
        Run::new(self.program, arguments.chain([&*file]))
            .variable("GOFLAGS", "-mod=mod")
            .variable("GOPROXY", "off")
            .variable("GOCACHE", cache.to_string_lossy())
    }

    fn ensure(&self, repo: &Repo) -> Result<()> {
        let works = Run::new(self.program, [self.probe]).quiet(repo.root());
        ensure!(
            works.is_ok_and(|(succeeded, _)| succeeded),
            "{} is needed, such as of Debian's package {}",
            self.program,
            self.package
        );
        Ok(())
    }
}

/// The names of what is in a folder.
fn names(folder: &Path) -> Result<BTreeSet<String>> {
    let entries = fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
    let name = |entry: std::io::Result<fs::DirEntry>| {
        entry.map(|entry| entry.file_name().to_string_lossy().into_owned())
    };
    Ok(entries.map(name).collect::<std::io::Result<_>>()?)
}

/// The files that no language runs, and those of a language that are not there.
fn not_run_or_missing(names: &BTreeSet<String>) -> Vec<String> {
    let run = LANGUAGES.iter().map(|it| it.file.to_owned()).collect();
    names.symmetric_difference(&run).cloned().collect()
}

fn missing_steps(printed: &str) -> Vec<&'static str> {
    let is_missing = |step: &&str| !printed.lines().any(|line| line.starts_with(step));
    STEPS.into_iter().filter(is_missing).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{FOLDER, STEPS, missing_steps, names, not_run_or_missing};

    #[test]
    fn every_file_of_the_folder_is_run() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let mut files = names(&root.join(FOLDER)).unwrap();
        assert_eq!(not_run_or_missing(&files), [""; 0]);

        files.insert("quickstart.rb".to_owned());
        files.remove("quickstart.go");
        let differing = not_run_or_missing(&files);
        assert_eq!(differing, ["quickstart.go", "quickstart.rb"]);
    }

    #[test]
    fn a_step_that_prints_nothing_is_missing() {
        let all = STEPS.map(|step| format!("{step}done\n")).concat();
        assert_eq!(missing_steps(&all), [""; 0]);

        // The name of a step within a line is no line of that step.
        let without = all.replace("refused: ", "not refused: ");
        assert_eq!(missing_steps(&without), ["refused: "]);
    }
}
