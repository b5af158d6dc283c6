//! The local certificate of a gateway that runs for months. It must be shown before the one before
//! it ends, without a restart.

use std::path::Path;
use std::time::Duration;

use ports::clock::Clock;

use super::{Material, material};
use crate::config::ServerConfig;

/// How often it is looked whether it is time: a small part of the month before a certificate ends.
const EVERY: Duration = Duration::from_hours(1);

/// Has a local certificate shown that is never about to end. One that the operator brought is
/// theirs to renew: SIGHUP reads it again.
pub(crate) async fn renew_hourly(
    (data, server): (&Path, &ServerConfig),
    clock: &dyn Clock,
    show: impl Fn(Material) -> anyhow::Result<()>,
) {
    if server.certificate.is_some() {
        return std::future::pending().await;
    }
    loop {
        clock.sleep(EVERY).await;
        if let Err(error) = material(data, server, clock.now()).and_then(&show) {
            let cause = format!("{error:#}");
            tracing::error!(cause, "the certificate could not be renewed");
        }
    }
}
