//! The permit of a provider that is served: the reference is stored, so it may act, until the
//! moment the request names. It must not be granted after that moment.

use async_trait::async_trait;
use domain::time::Timestamp;
use ports::clock::Clock;
use ports::permit::{Granted, PERMIT_VALID, SendPermit, Withheld};
use std::sync::Arc;

/// Granted up to a moment.
#[derive(Debug)]
pub(crate) struct UntilNotAfter {
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) not_after: Timestamp,
}

#[async_trait]
impl SendPermit for UntilNotAfter {
    async fn ask(&self) -> Result<Granted, Withheld> {
        if self.clock.now() > self.not_after {
            return Err(Withheld::BudgetSpent);
        }
        let until = self.clock.uptime().saturating_add(PERMIT_VALID);
        Ok(Granted::until(Arc::clone(&self.clock), until))
    }
}
