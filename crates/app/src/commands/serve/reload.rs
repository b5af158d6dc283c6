//! What SIGHUP takes up: routes, maintenance windows, limits and secrets of providers, the
//! certificate, and the level of the log. What cannot be used, or needs a restart, must leave
//! everything as it was: a server never works by parts of two configurations.

use anyhow::{Context as _, bail};
use domain::provider::ProviderId;
use http_server::ShownCertificate;
use ports::clock::Clock as _;

use crate::clock::SystemClock;
use crate::commands::serve::service_manager;
use crate::commands::serve::signals::{OtherSignals, SignalRequest};
use crate::compose::{self, LiveAccounts, ReloadReport};
use crate::config::{self, Config};
use crate::telemetry;

/// Does what signals ask for, for ever.
pub(super) async fn on_signals(
    mut signals: OtherSignals,
    config: &Config,
    (certificate, mut live): (&ShownCertificate, LiveAccounts),
) {
    let mut reloaded: Option<Config> = None;
    loop {
        match signals.next().await {
            SignalRequest::Nothing(signal) => {
                tracing::info!(signal, "ignored: SIGHUP reloads, SIGTERM stops");
            }
            SignalRequest::Reload => {
                service_manager::reloading();
                let before = reloaded.as_ref().unwrap_or(config);
                match reload(before, certificate, &mut live).await {
                    Ok((config, report)) => {
                        log(&config, &report);
                        reloaded = Some(config);
                    }
                    Err(error) => {
                        let cause = format!("{error:#}");
                        tracing::error!(cause, "nothing was reloaded: all stays as it was");
                    }
                }
                service_manager::ready();
            }
        }
    }
}

/// Checks everything, then replaces it.
async fn reload(
    before: &Config,
    certificate: &ShownCertificate,
    live: &mut LiveAccounts,
) -> anyhow::Result<(Config, ReloadReport)> {
    let after = before.read_again()?;
    let needed = config::restart_needed(before, &after);
    if !needed.is_empty() {
        bail!("what changed needs a restart\n  {}", needed.join("\n  "));
    }
    let material = compose::certificate(&after, SystemClock.now())?;
    let next = live.prepare(before, &after).await?;
    // The last that can fail.
    certificate
        .replace(material)
        .context("the certificate cannot be used")?;
    let report = live.replace(next);
    telemetry::set_level(after.log.level);
    Ok((after, report))
}

/// Says what is in force now, without any secret.
fn log(config: &Config, report: &ReloadReport) {
    for warning in &config.warnings {
        tracing::warn!("{warning}");
    }
    let change = |(before, after): (usize, usize)| format!("{before} → {after}");
    // Whatever the level is from now on, this is worth a line.
    tracing::warn!(
        level = %config.log.level,
        routes = change(report.routes),
        maintenance = change(report.maintenance),
        secrets = names(&report.secrets),
        limits = names(&report.limits),
        account_limits = change(report.own_limits),
        added = names(&report.added),
        environments = super::environments(&config.live_providers()),
        "reloaded the certificate, the log level, routes and accounts"
    );
}

fn names(accounts: &[ProviderId]) -> String {
    let names: Vec<&str> = accounts.iter().map(ProviderId::as_str).collect();
    names.join(", ")
}
