//! Accounts at providers that operators paused. The signed log of operators is the only record: an
//! account is paused while its last signed act there is a pause. A pause must never change what was
//! given to a provider before.

use crate::availability::PausedProviders;
use crate::operators::Operators;
use domain::operator::{Act, OperatorName, OperatorOrder};
use domain::provider::ProviderId;
use domain::time::Timestamp;
use ports::PortError;

/// What operators say of it.
const ACTS: [Act; 2] = [Act::ProviderPause, Act::ProviderResume];

/// A pause of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderPause {
    /// The operator who paused it.
    pub by: OperatorName,
    /// Since when.
    pub since: Timestamp,
    /// Why, in the operator's words.
    pub reason: String,
}

impl ProviderPause {
    /// Most characters of a reason: it is one line of a table.
    pub const REASON_LENGTH_MAX: usize = 200;

    /// What an operator signs to pause an account.
    pub fn order(provider: &ProviderId, reason: &str) -> OperatorOrder {
        let order = OperatorOrder::new(Act::ProviderPause);
        order.under(provider).with(reason)
    }

    /// What an operator signs to end a pause.
    pub fn end(provider: &ProviderId) -> OperatorOrder {
        OperatorOrder::new(Act::ProviderResume).under(provider)
    }
}

impl Operators {
    /// The accounts that are paused. An entry that no operator of its moment signed counts for
    /// nothing here, neither a pause nor its end: the audit names it (I19).
    ///
    /// # Errors
    /// When the store failed.
    pub async fn paused_providers(&self) -> Result<PausedProviders, PortError> {
        let mut paused = PausedProviders::new();
        for (by, entry) in self.signed_of(&ACTS).await? {
            let Ok(provider) = ProviderId::parse(&entry.order.reference) else {
                continue;
            };
            if entry.order.act == Act::ProviderPause {
                let pause = ProviderPause {
                    by,
                    since: entry.at,
                    reason: entry.order.detail,
                };
                paused.insert(provider, pause);
            } else if entry.order.act == Act::ProviderResume {
                paused.remove(&provider);
            }
        }
        Ok(paused)
    }
}
