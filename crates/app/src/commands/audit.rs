//! `manilla audit`: every check of the ledger, and the exit status that scripts rely on. It must
//! never mend what it finds.

use clap::Args;
use ports::audit::{CheckOutcome, CheckResult, Serving};
use serde::Serialize;

use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::{output, provider_reconciliation};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla audit
  manilla audit --data /var/lib/manilla --json

Exit status: 0 if everything holds that could be judged, 1 if anything is broken. A check that could
not be judged is skipped and says why: what is due while no server runs, and the comparison with the
provider's journal where that is not in the data folder. Providers other than the sandbox are not
compared with their record; they are named. It may run beside a server.")]
pub(crate) struct AuditOptions {
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    status: &'static str,
    serving: bool,
    checks: Vec<Check<'a>>,
    /// Providers whose record the comparison of I7 does not cover.
    #[serde(rename = "notCompared")]
    not_compared: &'a [String],
}

#[derive(Serialize)]
struct Check<'a> {
    invariant: &'a str,
    rule: &'a str,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    examined: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    offences: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
}

impl<'a> Check<'a> {
    fn of(result: &'a CheckResult) -> Self {
        let check = Self {
            invariant: result.invariant,
            rule: result.rule,
            status: status(&result.outcome),
            examined: None,
            offences: None,
            reason: None,
        };
        match &result.outcome {
            CheckOutcome::Holds { examined } => Self {
                examined: Some(*examined),
                ..check
            },
            CheckOutcome::Broken { offences } => Self {
                offences: Some(offences),
                ..check
            },
            CheckOutcome::NotApplicable { reason } => Self {
                reason: Some(reason),
                ..check
            },
        }
    }
}

const fn status(outcome: &CheckOutcome) -> &'static str {
    match outcome {
        CheckOutcome::Holds { .. } => "holds",
        CheckOutcome::Broken { .. } => "broken",
        CheckOutcome::NotApplicable { .. } => "skipped",
    }
}

pub(crate) async fn run(options: &AuditOptions, config: &Config) -> Result<(), Failure> {
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let audited = async {
        let (serving, checks) = audited(&context).await?;
        let not_compared = context.not_compared().await?;
        Ok::<_, Failure>((serving, checks, not_compared))
    };
    let audited = audited.await;
    context.close().await;
    let (serving, checks, not_compared) = audited?;
    let is_broken = checks
        .iter()
        .any(|check| matches!(check.outcome, CheckOutcome::Broken { .. }));
    if options.json {
        output::json(&Document {
            status: if is_broken { "broken" } else { "clean" },
            serving: serving == Serving::Yes,
            checks: checks.iter().map(Check::of).collect(),
            not_compared: &not_compared,
        })?;
    } else {
        output::line(format!("{}{}", summary(&checks), uncovered(&not_compared)))?;
    }
    if is_broken {
        return Err(Failure::AlreadyReported);
    }
    Ok(())
}

/// Every check, by number.
async fn audited(context: &AdminContext) -> Result<(Serving, Vec<CheckResult>), Failure> {
    let serving = context.serving().await?;
    let mut checks = context.audit.audit(context.now(), serving).await?;
    let books = context.ledger_and_journal(serving).await?;
    checks.push(books.as_ref().map_or_else(
        provider_reconciliation::skipped,
        provider_reconciliation::compare,
    ));
    checks.extend(context.operators.audit(context.now()).await?);
    checks.push(context.gateway.audit_access().await?);
    checks.push(context.gateway.audit_account_changes().await?);
    checks.sort_by_key(|check| place(check.invariant));
    Ok((serving, checks))
}

/// Where an invariant stands among the others: `I7` before `I10`.
fn place(invariant: &str) -> u32 {
    let number = invariant
        .strip_prefix('I')
        .and_then(|digits| digits.parse().ok());
    number.unwrap_or(u32::MAX)
}

/// The checks for people: one line each, what is wrong below.
fn summary(checks: &[CheckResult]) -> String {
    let rows: Vec<[String; 3]> = checks
        .iter()
        .map(|check| {
            let status = match &check.outcome {
                CheckOutcome::Holds { examined } => format!("holds ({examined})"),
                CheckOutcome::Broken { .. } => "BROKEN".to_owned(),
                CheckOutcome::NotApplicable { .. } => "skipped".to_owned(),
            };
            [check.invariant.to_owned(), status, check.rule.to_owned()]
        })
        .collect();
    let mut text = output::table(["CHECK", "RESULT", "RULE"], &rows);
    for check in checks {
        let (word, lines) = match &check.outcome {
            CheckOutcome::Holds { .. } => continue,
            CheckOutcome::Broken { offences } => ("is broken:", offences.join("\n  ")),
            CheckOutcome::NotApplicable { reason } => ("was not judged:", reason.clone()),
        };
        text = format!("{text}\n\n{} {word}\n  {lines}", check.invariant);
    }
    let broken = checks
        .iter()
        .filter(|check| matches!(check.outcome, CheckOutcome::Broken { .. }))
        .count();
    match broken {
        0 => format!("{text}\n\nAll checks passed."),
        1 => format!("{text}\n\nOne check is BROKEN."),
        count => format!("{text}\n\n{count} checks are BROKEN."),
    }
}

/// The providers that no check compares with their own record, for people.
fn uncovered(not_compared: &[String]) -> String {
    if not_compared.is_empty() {
        return String::new();
    }
    let names = not_compared.join(", ");
    format!("\n\nNot compared with the provider's own record: {names}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(invariant: &'static str, outcome: CheckOutcome) -> CheckResult {
        CheckResult {
            invariant,
            rule: "what must hold",
            outcome,
        }
    }

    #[test]
    fn what_is_broken_is_shown_with_its_rows() {
        let line = summary(&[
            check("I1", CheckOutcome::Holds { examined: 12 }),
            check(
                "I2",
                CheckOutcome::Broken {
                    offences: vec!["wallet a: -1".into(), "wallet b: -2".into()],
                },
            ),
        ]);
        assert_eq!(
            line,
            "CHECK  RESULT      RULE\nI1     holds (12)  what must hold\n\
             I2     BROKEN      what must hold\n\n\
             I2 is broken:\n  wallet a: -1\n  wallet b: -2\n\nOne check is BROKEN."
        );
    }

    #[test]
    fn a_document_shows_only_what_a_check_has() {
        let broken = check(
            "I2",
            CheckOutcome::Broken {
                offences: vec!["x".into()],
            },
        );
        assert_eq!(
            serde_json::to_string(&Check::of(&broken)).unwrap(),
            r#"{"invariant":"I2","rule":"what must hold","status":"broken","offences":["x"]}"#
        );
    }
}
