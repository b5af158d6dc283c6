//! Opening a batch: each of its payments looked up, priced and routed, then all stored together in
//! the queue. Nothing of it may be stored where one of them is refused.

use super::routing::ChosenRoute;
use super::{PricedOrder, ReplayMark};
use crate::fingerprint::Fingerprinted;
use crate::gateway::{Gateway, Merchant};
use crate::payment::Purchase;
use crate::request_error::{RefusedItem, RequestError};
use domain::batch::{
    Batch, BatchDraft, BatchKind, BatchNumber, BatchOpening, BatchProgress, OnFailure,
};
use domain::change_set::{ChangeSet, Opening};
use domain::idempotency::Idempotency;
use domain::opening::Draft;
use domain::reference::MerchantReference;
use domain::transaction::{AttemptNumber, PreparedAttempt, Queued, Transaction};
use ports::ledger_store::CommitOutcome;
use ports::{CommitState, PortError, PortErrorKind};
use std::sync::Arc;
use tokio::sync::{Semaphore, oneshot};
use tokio::task::JoinSet;
use tracing::Instrument;

/// Payments of a batch that are looked up at a time: a bank that takes a tenth of a second for each
/// answers for a thousand within six seconds, and merchants who pay one at a time are not delayed.
const LOOKED_UP_AT_ONCE: usize = 16;

/// How many times numbers are drawn for a batch.
const DRAWS_MAX: usize = 8;

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

/// A payment of a batch that may be opened.
#[derive(Debug)]
pub(crate) struct RoutedItem {
    reference: MerchantReference,
    priced: PricedOrder,
    chosen: ChosenRoute,
}

/// The batch whose payments are being looked up. Each holds thousands of values and asks a third
/// party as often, so an instance does this for one at a time.
#[derive(Debug)]
pub(crate) struct BatchPlace(Semaphore);

impl Default for BatchPlace {
    fn default() -> Self {
        Self(Semaphore::new(1))
    }
}

impl Gateway {
    /// Opens a batch whose payments `prepare` looks up and prices, each by its place. A repeated
    /// request is answered with its batch, before anything is looked up.
    pub(crate) async fn open_batch<C, P>(
        &self,
        merchant: &Merchant,
        (purchase, terms): (&Purchase<C>, BatchTerms),
        (count, prepare): (usize, impl Fn(usize) -> P),
    ) -> Result<BatchResult, RequestError>
    where
        C: Fingerprinted,
        P: Future<Output = Result<(MerchantReference, PricedOrder), RequestError>> + Send + 'static,
    {
        let account = &merchant.account.id;
        let reference = purchase.command.reference();
        let idempotency = self.idempotency(purchase);
        let parts = self.parts();
        let earlier = parts.batches.batch(account, reference).await;
        if let Some((earlier, _)) = earlier.map_err(PortError::with_nothing_done)? {
            return self.resolve_batch(earlier, idempotency.as_ref()).await;
        }
        if let Some(earlier) = self.earlier(account, reference).await? {
            return Err(taken(earlier));
        }
        let routed = async {
            // Panic safety: nothing closes the semaphore.
            let _place = self.batch_place().0.acquire().await;
            self.route_all(merchant, (count, prepare)).await
        };
        let routed = self.within(parts.settings.answer_window, routed).await;
        let routed = routed.ok_or(RequestError::BatchTooSlow)??;
        let draft = BatchDraft {
            number: BatchNumber::new(parts.ids.transaction_number()),
            account: account.clone(),
            reference: reference.clone(),
            idempotency: idempotency.clone(),
            kind: terms.kind,
            on_failure: terms.on_failure,
        };
        // From here on a client that hangs up cannot stop it half way.
        let (reply, stored) = oneshot::channel();
        let gateway = self.clone();
        let work = async move {
            let stored = gateway.store_batch(draft, routed).await;
            // The client may be gone; the batch is stored all the same.
            let _ = reply.send(stored);
        };
        let span = tracing::Span::current();
        self.tasks().start_payment(work.instrument(span))?;
        let gone = || PortError::new("payment", "the batch ended without a result");
        match stored.await.map_err(|_| gone())?? {
            Stored::New(batch) => self.batch_result(batch, ReplayMark::New).await,
            Stored::Earlier(earlier) => self.resolve_batch(earlier, idempotency.as_ref()).await,
        }
    }

    /// Looks up, prices and routes each payment; all that are refused are named together.
    async fn route_all<P>(
        &self,
        merchant: &Merchant,
        (count, prepare): (usize, impl Fn(usize) -> P),
    ) -> Result<Vec<RoutedItem>, RequestError>
    where
        P: Future<Output = Result<(MerchantReference, PricedOrder), RequestError>> + Send + 'static,
    {
        let mut left = 0..count;
        let mut under_way = JoinSet::new();
        let mut done = Vec::with_capacity(count);
        loop {
            while under_way.len() < LOOKED_UP_AT_ONCE
                && let Some(place) = left.next()
            {
                let prepared = prepare(place);
                under_way.spawn(async move { (place, prepared.await) });
            }
            let Some(ended) = under_way.join_next().await else {
                break;
            };
            let broken = |error| PortError::caused("payment", "look up a payment", error);
            let (place, prepared) = ended.map_err(broken)?;
            let routed = prepared.and_then(|(reference, priced)| {
                self.for_sale(&priced)?;
                let chosen = self.first_route(&priced.order, (&merchant.account, &reference))?;
                Ok(RoutedItem {
                    reference,
                    priced,
                    chosen,
                })
            });
            done.push((place, routed));
        }
        done.sort_by_key(|(place, _)| *place);
        let mut routed = Vec::with_capacity(count);
        let mut refused = Vec::new();
        for (place, item) in done {
            match item {
                Ok(item) => routed.push(item),
                Err(error) => refused.push(RefusedItem { place, error }),
            }
        }
        if refused.is_empty() {
            Ok(routed)
        } else {
            Err(RequestError::Items(refused))
        }
    }

    /// One commit for the batch and all its payments.
    async fn store_batch(
        &self,
        mut draft: BatchDraft,
        routed: Vec<RoutedItem>,
    ) -> Result<Stored, RequestError> {
        let parts = self.parts();
        let references = routed.iter().map(|item| &item.reference);
        let references: Vec<_> = references.chain([&draft.reference]).cloned().collect();
        let _listed: Vec<_> = references
            .iter()
            .map(|reference| self.opening().list(&draft.account, reference))
            .collect();
        let items: Vec<_> = routed.into_iter().map(Arc::new).collect();
        for _ in 0..DRAWS_MAX {
            let now = self.now();
            let openings = items.iter().map(|item| self.queued(&draft, item));
            let opening = BatchOpening::new(draft.clone(), openings.collect(), now)
                .map_err(|error| PortError::caused("payment", "put a batch together", error))?;
            let batch = opening.batch().clone();
            let committed = parts.ledger.commit(ChangeSet::OpenBatch(Box::new(opening)));
            let committed = match committed.await {
                Ok(committed) => committed,
                Err(error) => return self.reread_batch(batch, error).await,
            };
            match committed {
                CommitOutcome::Done => {
                    self.queue_changed().notify_one();
                    return Ok(Stored::New(batch));
                }
                CommitOutcome::BatchTaken(earlier) => return Ok(stored_under(*earlier, batch)),
                CommitOutcome::NumberTaken => {
                    draft.number = BatchNumber::new(parts.ids.transaction_number());
                }
                CommitOutcome::ReferenceTaken(earlier) if earlier.reference == batch.reference => {
                    return Err(taken(*earlier));
                }
                CommitOutcome::ReferenceTaken(earlier) => {
                    return Err(self.taken_items(&batch, &items, *earlier).await);
                }
                CommitOutcome::InsufficientFunds => {
                    return Err(RequestError::InsufficientFunds(batch.price));
                }
                CommitOutcome::Suspended => return Err(RequestError::ReconciliationRequired),
                CommitOutcome::ReferenceUnsettled => return Err(RequestError::ReferenceUnsettled),
                CommitOutcome::ReferenceSettled => return Err(RequestError::ReferenceSettled),
                CommitOutcome::AccountSuspended | CommitOutcome::AccountUnknown => {
                    return Err(RequestError::Suspended);
                }
                CommitOutcome::OtherEnvironment | CommitOutcome::BalanceLimit => {
                    let what = "a payment of the batch cannot be booked";
                    let broken = PortError::new("books", what);
                    let broken = broken.with_trouble(PortErrorKind::Record);
                    return Err(broken.with_nothing_done().into());
                }
                CommitOutcome::KeyTaken(_)
                | CommitOutcome::FundingTaken(_)
                | CommitOutcome::SettlementUnfounded
                | CommitOutcome::VersionConflict(_) => {
                    let what = "answered the opening of a batch with nonsense";
                    return Err(PortError::new("books", what).into());
                }
            }
        }
        Err(PortError::new("ids", "drew only numbers that were used before").into())
    }

    /// The step that opens one payment in the queue.
    fn queued(&self, batch: &BatchDraft, item: &RoutedItem) -> Opening {
        let (now, provider) = (self.now(), item.chosen.provider.id());
        let name = (&batch.account, &item.reference);
        let draft = Draft {
            number: self.parts().ids.transaction_number(),
            account: batch.account.clone(),
            reference: item.reference.clone(),
            idempotency: None,
            order: item.priced.order.clone(),
            quote: item.priced.quote.clone(),
            prepared: PreparedAttempt::derived(provider.clone(), name, AttemptNumber::FIRST),
            route: Some(item.chosen.route.clone()),
        };
        let queued = Queued {
            send_from: now,
            expires_at: now.plus(self.parts().settings.queued_max),
        };
        let mut opening = draft.queue(now, queued);
        opening.undated = self.undated_references(name.0, name.1);
        opening
    }

    /// The commit's outcome was lost: what is stored under the reference is the truth. Where
    /// nothing is, the server may still make it so: asking by the reference resolves it.
    async fn reread_batch(&self, planned: Batch, error: PortError) -> Result<Stored, RequestError> {
        let reference = &planned.reference;
        if error.effect == CommitState::Nothing {
            tracing::error!(%error, %reference, "a batch was not stored");
            return Err(error.into());
        }
        tracing::error!(%error, %reference, "a batch was not confirmed");
        let settings = &self.parts().settings;
        let mut waited = std::time::Duration::ZERO;
        for failures in 0.. {
            let read = self.parts().batches.batch(&planned.account, reference);
            match read.await {
                Ok(Some((stored, _))) => return Ok(stored_under(stored, planned)),
                Ok(None) => return Err(error.into()),
                Err(unread) => {
                    tracing::warn!(error = %unread, %reference, "a batch was not read back");
                }
            }
            let pause = settings.store_retry_after(failures);
            waited = waited.saturating_add(pause);
            if waited >= settings.answer_window {
                break;
            }
            self.wait(pause).await;
        }
        Err(error.into())
    }

    /// Every payment whose reference was used before; at least the one that the store named.
    async fn taken_items(
        &self,
        batch: &Batch,
        items: &[Arc<RoutedItem>],
        named: Transaction,
    ) -> RequestError {
        let mut refused = Vec::new();
        for (place, item) in items.iter().enumerate() {
            let earlier = if item.reference == named.reference {
                Some(named.clone())
            } else {
                let found = self.earlier(&batch.account, &item.reference).await;
                found.ok().flatten()
            };
            let error = earlier.map(taken);
            refused.extend(error.map(|error| RefusedItem { place, error }));
        }
        RequestError::Items(refused)
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

/// What became of storing a batch.
enum Stored {
    New(Batch),
    /// Another has its reference or key.
    Earlier(Batch),
}

/// By its number it is ours: a store that tried again met its own first try.
fn stored_under(stored: Batch, planned: Batch) -> Stored {
    if stored.number == planned.number {
        Stored::New(planned)
    } else {
        Stored::Earlier(stored)
    }
}

fn taken(earlier: Transaction) -> RequestError {
    RequestError::ReferenceTaken {
        service: earlier.order.service(),
        reference: earlier.reference,
    }
}
