//! What SIGHUP reads again: the certificate and the level of the log. What cannot be used must
//! leave everything as it was.

use anyhow::Context as _;
use domain::time::Timestamp;
use http_server::ShownCertificate;
use ports::clock::Clock as _;
use tracing_subscriber::filter::LevelFilter;

use crate::clock::SystemClock;
use crate::commands::serve::signals::{OtherSignals, SignalRequest};
use crate::compose;
use crate::config::Config;
use crate::telemetry;

/// Does what signals ask for, for ever.
pub(super) async fn on_signals(
    mut signals: OtherSignals,
    config: &Config,
    certificate: &ShownCertificate,
) {
    loop {
        match signals.next().await {
            SignalRequest::Nothing(signal) => {
                tracing::info!(signal, "ignored: SIGHUP reloads, SIGTERM stops");
            }
            SignalRequest::Reload => match reload(config, certificate, SystemClock.now()) {
                Ok(level) => {
                    // Whatever the level is from now on, this is worth a line.
                    tracing::warn!(%level, "reloaded the certificate and the log level");
                }
                Err(error) => {
                    let cause = format!("{error:#}");
                    tracing::error!(cause, "nothing was reloaded: all stays as it was");
                }
            },
        }
    }
}

fn reload(
    config: &Config,
    certificate: &ShownCertificate,
    now: Timestamp,
) -> anyhow::Result<LevelFilter> {
    let again = config.read_again()?;
    let material = compose::certificate(&again, now)?;
    let level = again.log.level;
    certificate
        .replace(material)
        .context("the certificate cannot be used")?;
    telemetry::set_level(level);
    Ok(level)
}
