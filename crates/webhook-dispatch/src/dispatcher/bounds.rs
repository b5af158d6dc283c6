//! Keeps deliveries from waiting longer than any pause: a clock that was ahead when they were
//! recorded may have made them due days away. It must never bring forward what waits for good
//! reason.

use super::DispatcherParts;
use super::limits::{BOUND_EVERY, BOUND_MAX, LEASE, WAIT_MAX};
use ports::webhooks::LatestDue;
use std::time::Duration;

/// Bounds what is due, and answers when to look again.
pub(super) async fn bound(parts: &DispatcherParts) -> Duration {
    let now = parts.clock.now();
    let latest = LatestDue {
        untried: now.plus(LEASE),
        retried: now.plus(WAIT_MAX),
    };
    loop {
        match parts.outbox.bound_due(latest, BOUND_MAX).await {
            Ok(0) => return BOUND_EVERY,
            Ok(count) => tracing::warn!(count, "deliveries due too far away were brought forward"),
            Err(error) => {
                tracing::warn!(%error, "deliveries due too far away could not be looked for");
                return BOUND_EVERY;
            }
        }
    }
}
