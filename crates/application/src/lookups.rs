//! What every lookup at a biller or bank has in common. It must not know what is looked up.

use crate::gateway::Gateway;
use ports::provider::LookupFailure;
use std::future::Future;

impl Gateway {
    /// What is answered within the time a lookup may take. An answer about another than was asked
    /// for is unusable: it would have us pay for a stranger's.
    pub(crate) async fn looked_up<T>(
        &self,
        asked: impl Future<Output = Result<T, LookupFailure>>,
        is_asked_for: impl FnOnce(&T) -> bool,
    ) -> Result<T, LookupFailure> {
        let deadline = self.parts().settings.lookup_deadline;
        let answer = self.within(deadline, asked).await;
        let found = answer.unwrap_or(Err(LookupFailure::Unreachable))?;
        is_asked_for(&found)
            .then_some(found)
            .ok_or(LookupFailure::Unusable)
    }
}
