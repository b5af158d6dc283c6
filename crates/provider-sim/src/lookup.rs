//! How a lookup reaches a biller or a bank. A lookup must not change anything, and must not need
//! the journal.

use crate::script::LookupScript;
use crate::simulator::Simulator;
use ports::provider::LookupFailure;

impl Simulator {
    /// Reaches the biller, unless the number forces that it is not reached.
    pub(crate) async fn reach(&self, what: &str, digits: &str) -> Result<(), LookupFailure> {
        match LookupScript::forced(digits) {
            Some(LookupScript::Down) => return Err(LookupFailure::Unreachable),
            Some(LookupScript::Unknown) => return Err(LookupFailure::Unknown),
            None => {}
        }
        self.clock.sleep(self.latency(what, digits)).await;
        Ok(())
    }
}
