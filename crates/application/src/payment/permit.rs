//! The permit to send an attempt: time is left by a clock that nothing sets, and a commit or a read
//! of the store a moment ago says that the attempt is this instance's. It must never grant what it
//! could not verify.

use crate::gateway::Gateway;
use async_trait::async_trait;
use ports::permit::{Granted, PERMIT_VALID, SendPermit, Withheld};
use ports::transactions::AttemptKey;
use std::sync::Arc;
use std::time::Duration;

/// How long the commit that recorded the attempt counts as the read of the store: such a permit is
/// as old as the commit, and half of [`PERMIT_VALID`] is left of it.
const COMMIT_COUNTS_FOR: Duration = Duration::from_millis(500);

/// The permit of one attempt.
#[derive(Debug)]
pub(super) struct AttemptPermit {
    pub(super) gateway: Gateway,
    pub(super) attempt: AttemptKey,
    /// The uptime before the commit that recorded the attempt.
    pub(super) started: Duration,
}

#[async_trait]
impl SendPermit for AttemptPermit {
    async fn ask(&self) -> Result<Granted, Withheld> {
        let checked = self.check().await;
        if let Err(why) = checked {
            let (number, attempt) = (self.attempt.number, self.attempt.attempt);
            tracing::warn!(txnReference = %number, %attempt, %why, "an attempt is not sent");
        }
        checked.map(|until| Granted::until(Arc::clone(&self.gateway.parts().clock), until))
    }
}

impl AttemptPermit {
    /// The uptime at which the permit ends.
    async fn check(&self) -> Result<Duration, Withheld> {
        let parts = self.gateway.parts();
        let asked = parts.clock.uptime();
        let latest = self.started.saturating_add(parts.settings.send_within);
        if asked >= latest {
            return Err(Withheld::BudgetSpent);
        }
        if asked < self.started.saturating_add(COMMIT_COUNTS_FOR) {
            return Ok(self.started.saturating_add(PERMIT_VALID).min(latest));
        }
        let verified = parts.leases.may_send(&self.attempt);
        match self.gateway.within(PERMIT_VALID, verified).await {
            Some(Ok(true)) => Ok(asked.saturating_add(PERMIT_VALID).min(latest)),
            Some(Ok(false)) => Err(Withheld::TakenOver),
            Some(Err(error)) => {
                tracing::warn!(%error, "the store was asked in vain whether to send");
                Err(Withheld::Unconfirmed)
            }
            None => Err(Withheld::Unconfirmed),
        }
    }
}
