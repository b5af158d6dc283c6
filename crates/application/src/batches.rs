//! Batches as their merchants see them: how far they have come, and cancelling what was not sent. A
//! batch of another merchant must be indistinguishable from one that does not exist.

use crate::gateway::{Gateway, Merchant};
use crate::record::{Driver, Recorded, refused};
use crate::request_error::RequestError;
use domain::batch::{Batch, BatchKind, BatchProgress, ITEMS_MAX};
use domain::reference::MerchantReference;
use domain::statement::Sort;
use domain::transaction::{CancelCause, Observation, State, Transaction};
use ports::PortError;
pub use ports::batches::{BatchPage, PageOf};
use ports::ledger_store::CommitOutcome;
use tokio::task::JoinSet;

/// Payments that are cancelled at a time: their commits are made durable together.
const CANCELLED_AT_ONCE: usize = 64;

/// A batch, and a part of its payments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchReport {
    /// The batch.
    pub batch: Batch,
    /// How far it has come.
    pub progress: BatchProgress,
    /// The payments of the part.
    pub items: Vec<Transaction>,
}

/// All payments of a batch, in the order of its request.
pub const ALL_ITEMS: PageOf = PageOf {
    offset: 0,
    // A batch has no more.
    length: ITEMS_MAX,
    sort: Sort::Ascending,
};

impl Gateway {
    /// The merchant's batch of a kind under a reference, with a part of its payments.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn batch(
        &self,
        merchant: &Merchant,
        (kind, reference): (BatchKind, &MerchantReference),
        page: PageOf,
    ) -> Result<Option<BatchReport>, RequestError> {
        let account = &merchant.account.id;
        let batches = &self.parts().batches;
        let found = batches.batch(account, reference).await?;
        let Some((batch, progress)) = found.filter(|(batch, _)| batch.kind == kind) else {
            return Ok(None);
        };
        let items = batches.batch_items(account, batch.number, page).await?;
        Ok(Some(BatchReport {
            batch,
            progress,
            items,
        }))
    }

    /// A part of the merchant's batches of a kind.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn batches(
        &self,
        merchant: &Merchant,
        kind: BatchKind,
        page: PageOf,
    ) -> Result<BatchPage, RequestError> {
        let batches = &self.parts().batches;
        Ok(batches.batches(&merchant.account.id, kind, page).await?)
    }

    /// Cancels what was not sent of the merchant's batch; what was sent comes to its own end, and
    /// so does what may have been sent before a restore of the store.
    /// Repeating it changes nothing more.
    ///
    /// # Errors
    /// When payments are suspended, or the store failed: some may be cancelled then.
    pub async fn cancel_batch(
        &self,
        merchant: &Merchant,
        (kind, reference): (BatchKind, &MerchantReference),
    ) -> Result<Option<BatchReport>, RequestError> {
        let Some(found) = self.batch(merchant, (kind, reference), ALL_ITEMS).await? else {
            return Ok(None);
        };
        if self.parts().reconciliation.suspension().await?.is_some() {
            return Err(RequestError::ReconciliationRequired);
        }
        let is_queued = |tx: &Transaction| matches!(tx.state, State::Queued(_));
        let mut queued = found.items.into_iter().filter(is_queued);
        let mut under_way = JoinSet::new();
        let (mut failed, mut is_some_cancelled) = (None, false);
        loop {
            while under_way.len() < CANCELLED_AT_ONCE
                && let Some(item) = queued.next()
            {
                let gateway = self.clone();
                under_way.spawn(async move { gateway.cancel(item).await });
            }
            let Some(cancelled) = under_way.join_next().await else {
                break;
            };
            match cancelled {
                Ok(Err(error)) => failed = Some(error),
                Ok(Ok(())) => is_some_cancelled = true,
                Err(error) => failed = Some(broken(error).into()),
            }
        }
        match failed {
            // What was cancelled stays so: it must not be said that nothing was done.
            Some(error) if is_some_cancelled => return Err(broken(error).into()),
            Some(error) => return Err(error),
            None => {}
        }
        self.batch(merchant, (kind, reference), ALL_ITEMS).await
    }

    /// Cancels a payment that is queued. One that a provider may have delivered before a restore of
    /// the store stays where it is: what became of it is for a person to settle.
    async fn cancel(&self, queued: Transaction) -> Result<(), RequestError> {
        let requested = Observation::Cancellation(CancelCause::Requested);
        let number = queued.number;
        let recorded = self
            .record(queued, &requested.into(), Driver::Recovery)
            .await?;
        match recorded {
            Recorded::Stored(_) => Ok(()),
            Recorded::Refused(
                outcome @ (CommitOutcome::ReferenceUnsettled | CommitOutcome::ReferenceSettled),
            ) => {
                tracing::warn!(txnReference = %number, ?outcome,
                    "a queued payment is not cancelled");
                Ok(())
            }
            Recorded::Refused(CommitOutcome::Suspended) => {
                Err(RequestError::ReconciliationRequired)
            }
            Recorded::Refused(outcome) => Err(refused(&outcome).into()),
        }
    }
}

/// Some payments of a batch are cancelled, and others are not.
fn broken(error: impl std::error::Error + Send + Sync + 'static) -> PortError {
    PortError::caused("payment", "cancel the payments of a batch", error)
}
