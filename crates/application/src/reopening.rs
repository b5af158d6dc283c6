//! Recording an attempt that the store has forgotten, and a journal or its provider shows. It must
//! leave a question to the provider, and never send.

use crate::gateway::Gateway;
use crate::record::Driver;
use domain::provider::ProviderId;
use domain::reference::ProviderReference;
use domain::reference_settlement::ReferenceParts;
use domain::time::Timestamp;
use domain::transaction::{
    AttemptNumber, Observation, PreparedAttempt, Proof, Status, Transaction,
};
use ports::PortError;

/// An attempt that the store lacks.
pub(crate) struct ShownAttempt {
    pub(crate) attempt: AttemptNumber,
    /// When it was recorded.
    pub(crate) started_at: Timestamp,
    /// The first attempt of its transaction.
    pub(crate) first: PreparedAttempt,
    /// The attempt itself.
    pub(crate) prepared: PreparedAttempt,
    /// Why the attempt before it did not happen.
    pub(crate) before: Proof,
}

impl Gateway {
    /// Brings a transaction to an attempt, in doubt: the process that was sending it is gone. One
    /// that is over without the attempt stays as it is.
    ///
    /// # Errors
    /// When the store failed.
    pub(crate) async fn bring_to(
        &self,
        transaction: Transaction,
        shown: ShownAttempt,
    ) -> Result<Transaction, PortError> {
        let first = AttemptNumber::FIRST;
        // What is queued comes to its first attempt before its second.
        let earlier = (shown.attempt > first).then_some((first, shown.first));
        let mut brought = transaction;
        for (attempt, prepared) in earlier.into_iter().chain([(shown.attempt, shown.prepared)]) {
            if brought.attempt() < Some(attempt) {
                let observation = Observation::Journalled {
                    attempt,
                    started_at: shown.started_at,
                    prepared,
                    before: shown.before.clone(),
                };
                brought = self
                    .settle_attempt(brought, &observation.into(), Driver::Recovery)
                    .await?;
            }
        }
        if brought.attempt() < Some(shown.attempt) {
            return Ok(brought);
        }
        let takeover = Observation::Takeover {
            attempt: shown.attempt,
        };
        self.settle_attempt(brought, &takeover.into(), Driver::Recovery)
            .await
    }

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
        let shown = ShownAttempt {
            attempt,
            started_at: self.now(),
            first: stored.prepared.first().clone(),
            prepared,
            before: Proof::NotSent,
        };
        // Rare, and large beside what calls this for every report of a provider.
        let begun = Box::pin(self.bring_to(stored, shown)).await?;
        if begun.attempt() < Some(attempt) {
            return Ok(false);
        }
        tracing::warn!(%reference, "an attempt that only its provider knew is asked about");
        Ok(true)
    }
}

/// Whether an attempt is the next of a transaction that is not over; of what is queued either.
pub(crate) fn may_be_reopened(tx: &Transaction, attempt: AttemptNumber) -> bool {
    let is_next = tx.attempt().is_none_or(|last| last.next() == Some(attempt));
    tx.status() == Status::Pending && is_next
}
