//! Keeps what an account may store. It must take the oldest deliveries of that account alone.

use super::DispatcherParts;
use super::limits::{EXCESS_COMMITS_MAX, EXCESS_EVERY, FORGET_MAX, FORGET_PAUSE};
use ports::PortError;
use ports::webhooks::StorageExcess;
use std::time::Duration;

/// Forgets what accounts have beyond their quota, and answers when to look again.
pub(super) async fn enforce(parts: &DispatcherParts) -> Duration {
    match forget(parts).await {
        Ok(true) => EXCESS_EVERY,
        Ok(false) => FORGET_PAUSE,
        Err(error) => {
            tracing::warn!(%error, "deliveries beyond the quota could not be forgotten");
            EXCESS_EVERY
        }
    }
}

/// Whether nothing beyond the quota is left.
async fn forget(parts: &DispatcherParts) -> Result<bool, PortError> {
    let mut is_done = true;
    for excess in parts.outbox.excess(parts.deliveries_max).await? {
        is_done &= forget_of(parts, &excess).await?;
    }
    Ok(is_done)
}

async fn forget_of(parts: &DispatcherParts, excess: &StorageExcess) -> Result<bool, PortError> {
    let mut forgotten = 0;
    let mut is_done = false;
    for _ in 0..EXCESS_COMMITS_MAX {
        let count = parts.outbox.forget_excess(excess, FORGET_MAX).await?;
        forgotten += count;
        is_done = count < u64::from(FORGET_MAX);
        if is_done {
            break;
        }
        parts.clock.sleep(FORGET_PAUSE).await;
    }
    if forgotten > 0 {
        let (account, most) = (&excess.account, parts.deliveries_max);
        tracing::warn!(
            %account, most, forgotten,
            "an account stores more deliveries than it may: the oldest were forgotten"
        );
    }
    Ok(is_done)
}
