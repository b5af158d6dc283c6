//! Opening a batch: each of its payments looked up, priced and routed, then all stored together in
//! the queue. Nothing of it may be stored where one of them is refused, and no request may be
//! refused whose batch is stored.

mod preparation;
mod refused_items;
mod storing;

use super::ReplayMark;
use crate::fingerprint::Fingerprinted;
use crate::gateway::{Gateway, Merchant};
use crate::payment::Purchase;
use crate::request_error::{BatchLater, RequestError};
use domain::account::AccountId;
use domain::batch::{Batch, BatchDraft, BatchKind, BatchNumber, BatchProgress, OnFailure};
use domain::idempotency::Idempotency;
use domain::reference::MerchantReference;
use ports::PortError;
use storing::Stored;
use tokio::sync::oneshot;
use tracing::Instrument;

pub(crate) use preparation::{BatchItems, BatchPlace};

/// What is asked for of a batch, beside its payments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BatchTerms {
    pub(crate) kind: BatchKind,
    pub(crate) on_failure: OnFailure,
}

/// What a request for a batch came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchResult {
    /// The batch as stored.
    pub batch: Batch,
    /// How far it has come.
    pub progress: BatchProgress,
    /// Whether this request opened it.
    pub replay: ReplayMark,
}

impl Gateway {
    /// Opens a batch. A repeated request is answered with its batch, before its payments are asked
    /// for and whatever this request would be refused for.
    pub(crate) async fn open_batch<C, P>(
        &self,
        merchant: &Merchant,
        (purchase, terms): (&Purchase<C>, BatchTerms),
        items: impl Future<Output = Result<BatchItems<impl Fn(usize) -> P>, RequestError>>,
    ) -> Result<BatchResult, RequestError>
    where
        C: Fingerprinted,
        P: preparation::PreparedItem,
    {
        let account = &merchant.account.id;
        let reference = purchase.command.reference();
        let idempotency = self.idempotency(purchase);
        let listed = self.opening().list(account, reference);
        if let Some(earlier) = self.earlier_batch(account, reference).await? {
            return self.resolve_batch(earlier, idempotency.as_ref()).await;
        }
        let draft = BatchDraft {
            number: BatchNumber::new(self.parts().ids.transaction_number()),
            account: account.clone(),
            reference: reference.clone(),
            idempotency: idempotency.clone(),
            kind: terms.kind,
            on_failure: terms.on_failure,
        };
        match self.prepare_and_store(merchant, draft, items).await {
            Ok(Stored::New(batch)) => self.batch_result(batch, ReplayMark::New).await,
            Ok(Stored::Earlier(earlier)) => self.resolve_batch(earlier, idempotency.as_ref()).await,
            Err(refused) => {
                // Looked at before the store is read: what leaves the list in between is there.
                let is_under_way = listed.is_shared();
                let read = self.parts().batches.batch(account, reference).await;
                // Whether the batch is there is not known then: it may have been stored meanwhile.
                let unread = |error| PortError::caused("payment", "read a batch again", error);
                if let Some((earlier, _)) = read.map_err(unread)? {
                    return self.resolve_batch(earlier, idempotency.as_ref()).await;
                }
                Err(if is_under_way {
                    BatchLater::InProgress.into()
                } else {
                    refused
                })
            }
        }
    }

    async fn prepare_and_store<P>(
        &self,
        merchant: &Merchant,
        draft: BatchDraft,
        items: impl Future<Output = Result<BatchItems<impl Fn(usize) -> P>, RequestError>>,
    ) -> Result<Stored, RequestError>
    where
        P: preparation::PreparedItem,
    {
        let (account, reference) = (&draft.account, &draft.reference);
        if let Some(earlier) = self.earlier(account, reference).await? {
            return Err(storing::taken(earlier));
        }
        let routed = self.route_batch(merchant, items.await?).await?;
        // From here on a client that hangs up cannot stop it half way.
        let listed = self.opening().list(account, reference);
        let (reply, stored) = oneshot::channel();
        let (gateway, merchant) = (self.clone(), merchant.clone());
        let work = async move {
            let stored = gateway.store_batch(&merchant, draft, routed).await;
            drop(listed);
            // The client may be gone; the batch is stored all the same.
            let _ = reply.send(stored);
        };
        let span = tracing::Span::current();
        self.tasks().start_payment(work.instrument(span))?;
        let gone = || PortError::new("payment", "the batch ended without a result");
        stored.await.map_err(|_| gone())?
    }

    /// The batch that has a reference.
    async fn earlier_batch(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Result<Option<Batch>, PortError> {
        let earlier = self.parts().batches.batch(account, reference).await;
        let earlier = earlier.map_err(PortError::with_nothing_done)?;
        Ok(earlier.map(|(batch, _)| batch))
    }

    /// Answers a request whose reference or idempotency key already has a batch.
    async fn resolve_batch(
        &self,
        earlier: Batch,
        idempotency: Option<&Idempotency>,
    ) -> Result<BatchResult, RequestError> {
        let theirs = earlier.idempotency.as_ref();
        match (idempotency, theirs) {
            (Some(ours), Some(theirs)) if ours == theirs => {
                self.batch_result(earlier, ReplayMark::Replayed).await
            }
            (Some(ours), Some(theirs)) if ours.key == theirs.key => Err(RequestError::KeyReused),
            (Some(_) | None, Some(_) | None) => Err(RequestError::BatchTaken {
                kind: earlier.kind,
                reference: earlier.reference,
            }),
        }
    }

    /// A batch with how far it has come by now.
    async fn batch_result(
        &self,
        batch: Batch,
        replay: ReplayMark,
    ) -> Result<BatchResult, RequestError> {
        let read = self.parts().batches.batch(&batch.account, &batch.reference);
        let progress = match read.await {
            Ok(Some((_, progress))) => progress,
            // It is stored; that it cannot be read back now is no reason to call it refused.
            Ok(None) | Err(_) => BatchProgress {
                queued: batch.count,
                ..BatchProgress::default()
            },
        };
        Ok(BatchResult {
            batch,
            progress,
            replay,
        })
    }
}
