//! Forgets what was delivered long ago, a little at a time. It must never forget what was not
//! delivered.

use super::DispatcherParts;
use super::limits::{FORGET_EVERY, FORGET_MAX, FORGET_PAUSE};
use std::time::Duration;

/// Forgets once, and answers when to go on.
pub(super) async fn forget(parts: &DispatcherParts) -> Duration {
    let before = parts.clock.now().minus(parts.remembered);
    match parts.outbox.forget_delivered(before, FORGET_MAX).await {
        Ok(0) => FORGET_EVERY,
        Ok(count) => {
            tracing::debug!(count, "old deliveries were forgotten");
            if count < u64::from(FORGET_MAX) {
                FORGET_EVERY
            } else {
                FORGET_PAUSE
            }
        }
        Err(error) => {
            tracing::warn!(%error, "old deliveries could not be forgotten");
            FORGET_EVERY
        }
    }
}
