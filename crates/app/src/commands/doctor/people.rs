//! Who may act, and what waits for them: operators, a suspension, changes to approve. It must only
//! read what is kept.

use domain::operator::Roster;
use ports::audit::Serving;

use super::finding::Finding;
use crate::compose::AdminContext;
use crate::config::Config;

/// What is kept of operators and payments.
pub(super) async fn checks(context: &AdminContext, config: &Config) -> Vec<Finding> {
    let mut findings = vec![serving(context).await, payments(context).await];
    findings.extend(operators(context, config).await);
    findings.push(approvals(context).await);
    findings
}

async fn serving(context: &AdminContext) -> Finding {
    let check = "server";
    match context.serving().await {
        Ok(Serving::Yes) => Finding::ok(check, "one works on this store"),
        Ok(Serving::No) => Finding::ok(check, "none works on this store"),
        Err(error) => Finding::error(check, error),
    }
}

async fn payments(context: &AdminContext) -> Finding {
    let check = "payments";
    match context.reconciliation.suspension().await {
        Ok(None) => Finding::ok(check, "they are not suspended"),
        Ok(Some(suspension)) => Finding::fail(
            check,
            format!(
                "suspended since {}: {}",
                suspension.since, suspension.because
            ),
        )
        .remedied_by("see docs/operations/restore.md, and manilla reconcile --help"),
        Err(error) => Finding::error(check, error),
    }
}

/// Who can act, by command and over HTTP.
async fn operators(context: &AdminContext, config: &Config) -> Vec<Finding> {
    match context.operators.roster().await {
        Ok(roster) => vec![commands(&roster, config), http_keys(&roster)],
        Err(error) => vec![Finding::error("operators", error)],
    }
}

/// Changes that one operator asks for another one grants.
fn commands(roster: &Roster, config: &Config) -> Finding {
    let check = "operators";
    let above = config.settings.dual_control_above;
    match roster.active().count() {
        0 => Finding::warn(check, "there is none, and nothing can be signed")
            .remedied_by("manilla operator add --name NAME"),
        1 => Finding::warn(
            check,
            format!("there is one, and decisions above NGN {above} need two"),
        )
        .remedied_by("add a second: see docs/operations/operators.md"),
        count => Finding::ok(check, format!("there are {count}")),
    }
}

/// Operators who can act over HTTP; none has to.
fn http_keys(roster: &Roster) -> Finding {
    let check = "operators";
    match roster.active().filter(|it| it.http_key.is_some()).count() {
        0 => Finding::ok(check, "none has a key for requests over HTTP"),
        1 => Finding::warn(
            check,
            "one has a key for requests over HTTP, and what it asks for needs another",
        )
        .remedied_by("manilla operator http-key, by a second operator"),
        count => Finding::ok(check, format!("{count} have keys for requests over HTTP")),
    }
}

async fn approvals(context: &AdminContext) -> Finding {
    let check = "approvals";
    match context.change_requests.newest().await {
        Ok(requests) => match requests.iter().filter(|it| it.waits()).count() {
            0 => Finding::ok(check, "none waits"),
            count => Finding::warn(check, format!("changes that wait for one: {count}"))
                .remedied_by("manilla approve --help"),
        },
        Err(error) => Finding::error(check, error),
    }
}
