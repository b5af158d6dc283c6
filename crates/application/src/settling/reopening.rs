//! Recording an attempt that only its provider knows. It must leave a question to the provider, and
//! never send.

use crate::gateway::Gateway;
use crate::record::Driver;
use domain::provider::ProviderId;
use domain::reference::ProviderReference;
use domain::reference_settlement::ReferenceParts;
use domain::transaction::{
    AttemptNumber, Observation, PreparedAttempt, Proof, Status, Transaction,
};
use ports::PortError;

impl Gateway {
    /// Brings the open transaction of a reference to the attempt that it stands for, in doubt: a
    /// provider has seen it, so nothing may end by what is known of the attempt before. Answers
    /// whether it did.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn reopen_reference(
        &self,
        (reference, provider): (&ProviderReference, &ProviderId),
        parts: &ReferenceParts,
    ) -> Result<bool, PortError> {
        let Some(stored) = self.stored_under(parts).await? else {
            return Ok(false);
        };
        let attempt = parts.2;
        if !may_be_reopened(&stored, attempt) {
            return Ok(false);
        }
        let prepared = PreparedAttempt {
            provider: provider.clone(),
            reference: reference.clone(),
            adapter_state: None,
        };
        let mut begun = stored;
        for at in AttemptNumber::all().take_while(|at| *at <= attempt) {
            // What is queued comes to its first attempt before its second.
            if begun.attempt() < Some(at) {
                let first = begun.prepared.first().clone();
                let observation = Observation::Journalled {
                    attempt: at,
                    started_at: self.now(),
                    prepared: if at == attempt {
                        prepared.clone()
                    } else {
                        first
                    },
                    before: Proof::NotSent,
                };
                begun = self
                    .settle_attempt(begun, &observation.into(), Driver::Recovery)
                    .await?;
            }
        }
        if begun.attempt() < Some(attempt) {
            return Ok(false);
        }
        let observation = Observation::Takeover { attempt };
        self.settle_attempt(begun, &observation.into(), Driver::Recovery)
            .await?;
        tracing::warn!(%reference, "an attempt that only its provider knew is asked about");
        Ok(true)
    }
}

/// Whether an attempt is the next of a transaction that is not over; of what is queued either.
pub(super) fn may_be_reopened(tx: &Transaction, attempt: AttemptNumber) -> bool {
    let is_next = tx.attempt().is_none_or(|last| last.next() == Some(attempt));
    tx.status() == Status::Pending && is_next
}
