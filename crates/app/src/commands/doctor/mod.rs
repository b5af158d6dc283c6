//! `manilla doctor`: everything that keeps a gateway from working well, one line each. It must
//! change nothing and make no file, and go on where one check cannot be made.

mod certificate;
mod data_folder;
mod database;
mod finding;
mod kept_secrets;
mod listeners;
mod machine;
mod people;
mod ports_in_use;
mod providers;
mod ready;

use std::time::Duration;

use clap::Args;
use serde::Serialize;

use self::finding::{Finding, FindingStatus};
use crate::compose;
use crate::config::{Config, Invalid};
use crate::failure::Failure;
use crate::output;

/// How long everything that is asked of the store may take together.
const STORE_WITHIN: Duration = Duration::from_secs(30);

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla doctor
  manilla doctor --json --config /etc/manilla/manilla.toml
  manilla doctor --providers                  ask each provider, too

Run it as the user of the gateway, before going live and where something is amiss. Each line has
ok, warn or fail, what was looked at, what was found and what to do. Exit status: 1 where something
fails, 0 otherwise, with warnings too.

It changes nothing and makes no file, beside a running server or without one. Providers are asked
only with --providers: about a reference that no attempt has, as `manilla provider test` does.")]
pub(crate) struct DoctorOptions {
    /// Ask each provider about a reference that no attempt has
    #[arg(long)]
    providers: bool,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    /// Whether nothing fails.
    well: bool,
    checks: &'a [Finding],
}

pub(crate) async fn run(
    options: &DoctorOptions,
    loaded: Result<Config, Invalid>,
) -> Result<(), Failure> {
    let findings = match loaded {
        Ok(config) => all(options, &config).await,
        Err(invalid) => invalid_configuration(&invalid),
    };
    report(options, &findings)
}

/// Every check, in the order in which what fails explains what comes after it.
async fn all(options: &DoctorOptions, config: &Config) -> Vec<Finding> {
    let mut findings = configuration(config);
    findings.extend(data_folder::checks(config));
    findings.extend(kept_secrets::files(config));
    findings.extend(database::checks(config).await);
    let is_outdated = findings
        .iter()
        .any(|it| it.check == "schema" && it.status != FindingStatus::Ok);
    findings.extend(store(config, is_outdated).await);
    findings.extend(certificate::checks(config));
    findings.extend(listeners::checks(config).await);
    findings.extend(providers::checks(config));
    if options.providers {
        findings.extend(providers::answers(config).await);
    }
    findings.extend(machine::checks());
    findings
}

/// What the store says. What it cannot be asked for is not as it should be.
async fn store(config: &Config, is_outdated: bool) -> Vec<Finding> {
    let look = async {
        let context = compose::open_to_inspect(config).await?;
        let mut findings = Vec::from_iter(kept_secrets::fit(&context, config).await);
        findings.extend(people::checks(&context, config).await);
        context.close().await;
        Ok::<_, anyhow::Error>(findings)
    };
    match tokio::time::timeout(STORE_WITHIN, look).await {
        Ok(Ok(findings)) => findings,
        // That its schema is of another version was said before.
        Ok(Err(_)) if is_outdated => {
            let found = "secrets, payments and operators were not looked at: see schema";
            vec![Finding::warn("store", found)]
        }
        Ok(Err(error)) => vec![Finding::error("store", error)],
        Err(_) => {
            let found = format!("it did not answer within {} s", STORE_WITHIN.as_secs());
            vec![Finding::fail("store", found)]
        }
    }
}

fn configuration(config: &Config) -> Vec<Finding> {
    let file = config.file.as_ref();
    let read = file.map_or_else(
        || "no file was found; defaults, the environment and flags are in force".to_owned(),
        |file| format!("{} can be used", file.display()),
    );
    let warnings = config.warnings.iter();
    let warnings = warnings.map(|warning| Finding::warn("configuration", warning));
    std::iter::once(Finding::ok("configuration", read))
        .chain(warnings)
        .collect()
}

/// What nothing else can be looked at without.
fn invalid_configuration(invalid: &Invalid) -> Vec<Finding> {
    let file = invalid.file().map(|file| file.display().to_string());
    let place = file.map_or_else(String::new, |file| format!("{file}: "));
    let problems = invalid.problems();
    let wrong = problems.map(|problem| Finding::fail("configuration", format!("{place}{problem}")));
    wrong.collect()
}

fn report(options: &DoctorOptions, findings: &[Finding]) -> Result<(), Failure> {
    let count = |status| findings.iter().filter(|it| it.status == status).count();
    let failing = count(FindingStatus::Fail);
    if options.json {
        output::json(&Document {
            well: failing == 0,
            checks: findings,
        })?;
    } else {
        let rows: Vec<_> = findings.iter().map(Finding::cells).collect();
        let warnings = count(FindingStatus::Warn);
        output::line(format!(
            "{}\n\nfailing: {failing}, warnings: {warnings}",
            output::columns(&rows)
        ))?;
    }
    if failing == 0 {
        Ok(())
    } else {
        Err(Failure::AlreadyReported)
    }
}
