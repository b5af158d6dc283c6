//! One test, run once: with a mutant on, or with a record of the mutants it reaches. It must end a
//! test that does not end by itself, with all processes that the test started.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result};

use super::suite::Test;
use crate::process::Run;
use crate::stopwatch::StepTimer;

/// A mutant may allocate without end; its process ends there, not the machine.
const MEMORY_KIB: u64 = 16 * 1024 * 1024;
/// No test takes so long that passes.
const LIMIT_MAX: Duration = Duration::from_mins(5);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trial {
    Passed,
    Failed,
    /// It did not end in time.
    Hung,
}

/// What a test does without a mutant.
#[derive(Clone, Debug)]
pub(super) struct Baseline {
    pub(super) passed: bool,
    pub(super) took: Duration,
    pub(super) reached: BTreeSet<usize>,
}

/// Runs a test with this mutant on.
pub(super) fn with_mutant(test: &Test, number: usize, limit: Duration) -> Result<Trial> {
    let mut command = command(test);
    command.env("MUTANT_ON", number.to_string());
    run(command, limit)
}

/// Runs a test with no mutant on.
pub(super) fn without_mutant(test: &Test, limit: Duration) -> Result<Trial> {
    run(command(test), limit)
}

/// Runs a test with no mutant on and records which of so many it reaches.
pub(super) fn recorded(test: &Test, count: usize, record: &Path) -> Result<Baseline> {
    let mut command = command(test);
    command.env("MUTANTS_REACHED", record);
    command.env("MUTANTS_COUNT", count.to_string());
    let stopwatch = StepTimer::start();
    let passed = run(command, LIMIT_MAX)? == Trial::Passed;
    let took = stopwatch.elapsed();
    let numbers = fs::read_to_string(record).unwrap_or_default();
    _ = fs::remove_file(record);
    let reached = numbers
        .lines()
        .filter_map(|line| line.parse().ok())
        .collect();
    Ok(Baseline {
        passed,
        took,
        reached,
    })
}

/// How long a test may take that took this long without a mutant.
pub(super) fn limit(took: Duration) -> Duration {
    let limit = took
        .saturating_mul(4)
        .saturating_add(Duration::from_secs(20));
    limit.min(LIMIT_MAX)
}

fn command(test: &Test) -> Command {
    let mut command = Command::new("sh");
    let limited = format!("ulimit -v {MEMORY_KIB}; exec \"$0\" \"$@\"");
    command.args(["-c", &limited]).arg(&test.program);
    command.args(["--exact", &test.name, "--test-threads", "1"]);
    command.env("CARGO_MANIFEST_DIR", &test.folder);
    command.current_dir(&test.folder).process_group(0);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

fn run(mut command: Command, limit: Duration) -> Result<Trial> {
    let mut child = command.spawn().context("a test could not be started")?;
    let stopwatch = StepTimer::start();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(if status.success() {
                Trial::Passed
            } else {
                Trial::Failed
            });
        }
        if stopwatch.elapsed() > limit {
            end_group(&child);
            child.wait()?;
            return Ok(Trial::Hung);
        }
        wait(pause);
        pause = pause.saturating_mul(2).min(Duration::from_millis(20));
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "this program has nothing else to do while a test runs"
)]
fn wait(pause: Duration) {
    std::thread::sleep(pause);
}

/// Ends a test with all that it started.
fn end_group(child: &Child) {
    let group = format!("-{}", child.id());
    _ = Run::new("kill", ["-KILL", "--", &group]).capture(Path::new("/"));
}
