//! Who may act, and what waits for them: operators, a suspension, changes to approve. It must only
//! read what is kept.

use ports::audit::Serving;

use super::finding::Finding;
use crate::compose::AdminContext;
use crate::config::Config;

/// What is kept of operators and payments.
pub(super) async fn checks(context: &AdminContext, config: &Config) -> Vec<Finding> {
    vec![
        serving(context).await,
        payments(context).await,
        operators(context, config).await,
        http_keys(context).await,
        approvals(context).await,
    ]
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

/// Changes that one operator asks for another one grants.
async fn operators(context: &AdminContext, config: &Config) -> Finding {
    let check = "operators";
    let active = match context.operators.roster().await {
        Ok(roster) => roster.active().count(),
        Err(error) => return Finding::error(check, error),
    };
    let above = config.settings.dual_control_above;
    match active {
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
async fn http_keys(context: &AdminContext) -> Finding {
    let check = "operators";
    let keys = match context.operators.roster().await {
        Ok(roster) => roster.active().filter(|it| it.http_key.is_some()).count(),
        Err(error) => return Finding::error(check, error),
    };
    match keys {
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
