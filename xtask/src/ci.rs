//! Every check in one run, each with its duration, and a summary at the end. It must not know what
//! a check does, and must never report a run with a failure as passed.

use std::fmt;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;

use crate::repo::Repo;
use crate::steps::CiStep;
use crate::stopwatch::StepTimer;

#[derive(Args, Debug, Default)]
pub(crate) struct CiOptions {
    /// Run the remaining checks after one has failed
    #[arg(long)]
    keep_going: bool,
    /// Leave a check out; may be repeated
    #[arg(long, value_name = "CHECK")]
    skip: Vec<CiStep>,
}

#[derive(Debug)]
enum Verdict {
    Passed(Duration),
    Failed(Duration),
    Skipped,
    NotRun,
}

pub(crate) fn run(repo: &Repo, options: &CiOptions) -> Result<()> {
    let verdicts = run_steps(options, |step| step.run(repo));
    println!("\nsummary");
    for (step, verdict) in &verdicts {
        println!("  {:<15} {verdict}", step.name());
    }
    let failed: Vec<&str> = verdicts
        .iter()
        .filter(|(_, verdict)| matches!(verdict, Verdict::Failed(_)))
        .map(|(step, _)| step.name())
        .collect();
    if !failed.is_empty() {
        bail!("failed: {}", failed.join(", "));
    }
    Ok(())
}

fn run_steps(options: &CiOptions, run: impl Fn(CiStep) -> Result<()>) -> Vec<(CiStep, Verdict)> {
    let mut stopped = false;
    let mut verdicts = Vec::new();
    for step in CiStep::ALL {
        let verdict = if options.skip.contains(&step) {
            Verdict::Skipped
        } else if stopped {
            Verdict::NotRun
        } else {
            run_step(step, &run)
        };
        stopped |= matches!(verdict, Verdict::Failed(_)) && !options.keep_going;
        verdicts.push((step, verdict));
    }
    verdicts
}

fn run_step(step: CiStep, run: impl Fn(CiStep) -> Result<()>) -> Verdict {
    println!("\n== {}", step.name());
    let stopwatch = StepTimer::start();
    let result = run(step);
    let elapsed = stopwatch.elapsed();
    let verdict = match result {
        Ok(()) => Verdict::Passed(elapsed),
        Err(error) => {
            println!("error: {error:#}");
            Verdict::Failed(elapsed)
        }
    };
    println!("== {}: {verdict}", step.name());
    verdict
}

impl fmt::Display for Verdict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Passed(elapsed) => write!(out, "passed in {:.1} s", elapsed.as_secs_f64()),
            Self::Failed(elapsed) => write!(out, "FAILED in {:.1} s", elapsed.as_secs_f64()),
            Self::Skipped => write!(out, "skipped by --skip"),
            Self::NotRun => write!(out, "not run"),
        }
    }
}

#[cfg(test)]
mod tests {
    use anyhow::bail;

    use super::{CiOptions, Verdict, run_steps};
    use crate::steps::CiStep;

    fn outcomes(options: &CiOptions) -> Vec<&'static str> {
        let verdicts = run_steps(options, |step| match step {
            CiStep::Layers => bail!("an arrow points the wrong way"),
            CiStep::Fmt
            | CiStep::Tidy
            | CiStep::Deny
            | CiStep::Clippy
            | CiStep::Openapi
            | CiStep::Conformance
            | CiStep::Schemathesis
            | CiStep::Clients
            | CiStep::Quickstarts
            | CiStep::Counterparts
            | CiStep::CustomProvider
            | CiStep::Traces
            | CiStep::Docs
            | CiStep::Alerts
            | CiStep::Packaging
            | CiStep::Pages
            | CiStep::Test
            | CiStep::TestPostgres => Ok(()),
        });
        verdicts
            .iter()
            .map(|(_, verdict)| match verdict {
                Verdict::Passed(_) => "passed",
                Verdict::Failed(_) => "failed",
                Verdict::Skipped => "skipped",
                Verdict::NotRun => "not run",
            })
            .collect()
    }

    #[test]
    fn a_failure_stops_the_run() {
        let rest = ["not run"; CiStep::ALL.len() - 2];
        assert_eq!(
            outcomes(&CiOptions::default()),
            [&["passed", "failed"][..], &rest].concat()
        );
    }

    #[test]
    fn with_keep_going_the_rest_runs_too() {
        let options = CiOptions {
            keep_going: true,
            ..CiOptions::default()
        };
        assert_eq!(
            outcomes(&options),
            [
                &["passed", "failed"][..],
                &["passed"; CiStep::ALL.len() - 2]
            ]
            .concat()
        );
    }

    #[test]
    fn a_skipped_check_is_reported_as_such() {
        let options = CiOptions {
            skip: vec![CiStep::Layers, CiStep::Deny],
            ..CiOptions::default()
        };
        let first = ["passed", "skipped", "passed", "skipped"];
        let rest = ["passed"; CiStep::ALL.len() - 4];
        assert_eq!(outcomes(&options), [&first[..], &rest].concat());
    }
}
