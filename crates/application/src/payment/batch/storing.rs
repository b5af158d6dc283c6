//! Storing a batch: one commit for it and all its payments. Where the answer is lost, what is
//! stored must decide.

use super::preparation::RoutedItem;
use super::refused_items;
use crate::gateway::{Gateway, Merchant};
use crate::request_error::RequestError;
use crate::spending::{OverLimit, SpendingCheck};
use domain::batch::{Batch, BatchDraft, BatchNumber, BatchOpening};
use domain::change_set::{ChangeSet, Opening};
use domain::opening::Draft;
use domain::transaction::{AttemptNumber, PreparedAttempt, Queued, Transaction};
use ports::ledger_store::CommitOutcome;
use ports::{CommitState, PortError, PortErrorKind};
use std::sync::Arc;

/// How many times numbers are drawn for a batch.
const DRAWS_MAX: usize = 8;

/// What became of storing a batch.
pub(super) enum Stored {
    New(Batch),
    /// Another has its reference or key.
    Earlier(Batch),
}

impl Gateway {
    /// One commit for the batch and all its payments.
    pub(super) async fn store_batch(
        &self,
        merchant: &Merchant,
        mut draft: BatchDraft,
        routed: Vec<RoutedItem>,
    ) -> Result<Stored, RequestError> {
        let parts = self.parts();
        let checked = Self::batch_within_limits(merchant, &routed);
        let references = routed.iter().map(|item| &item.reference);
        let references: Vec<_> = references.chain([&draft.reference]).cloned().collect();
        let _listed: Vec<_> = references
            .iter()
            .map(|reference| self.opening().list(&draft.account, reference))
            .collect();
        let items: Vec<_> = routed.into_iter().map(Arc::new).collect();
        for _ in 0..DRAWS_MAX {
            let now = self.now();
            let openings = items.iter();
            let openings = openings.map(|item| self.queued(&draft, item, checked.as_ref()));
            let opening = BatchOpening::new(draft.clone(), openings.collect(), now)
                .map_err(|error| PortError::caused("payment", "put a batch together", error))?;
            let batch = opening.batch().clone();
            if let Err(breach) = self.payments_go_on() {
                let refused = CommitOutcome::Frozen(breach);
                return self.not_stored(batch, &items, refused).await;
            }
            let committed = parts.ledger.commit(ChangeSet::OpenBatch(Box::new(opening)));
            let committed = match committed.await {
                Ok(committed) => committed,
                Err(error) => return self.reread_batch(batch, error).await,
            };
            if committed == CommitOutcome::Done {
                self.queue_changed().notify_one();
                for item in &items {
                    let service = item.priced.order.service();
                    self.measure_opened(service, item.chosen.provider.id());
                }
                return Ok(Stored::New(batch));
            }
            if committed != CommitOutcome::NumberTaken {
                return self.not_stored(batch, &items, committed).await;
            }
            draft.number = BatchNumber::new(parts.ids.transaction_number());
        }
        Err(PortError::new("ids", "drew only numbers that were used before").into())
    }

    /// What stands in the way of a batch that the store refused.
    async fn not_stored(
        &self,
        batch: Batch,
        items: &[Arc<RoutedItem>],
        refused: CommitOutcome,
    ) -> Result<Stored, RequestError> {
        match refused {
            CommitOutcome::BatchTaken(earlier) => {
                match refused_items::named_as(&earlier, &batch, items) {
                    Some(refused) => Err(refused),
                    None => Ok(stored_under(*earlier, batch)),
                }
            }
            CommitOutcome::ReferenceTaken(earlier) if earlier.reference == batch.reference => {
                Err(taken(*earlier))
            }
            CommitOutcome::ReferenceTaken(earlier) => {
                Err(self.taken_items(&batch, items, *earlier).await)
            }
            CommitOutcome::InsufficientFunds => Err(RequestError::InsufficientFunds(batch.price)),
            CommitOutcome::OverDailyLimit(most) => Err(OverLimit::PerDay(most).into()),
            CommitOutcome::Suspended => Err(RequestError::ReconciliationRequired),
            CommitOutcome::ReferenceUnsettled => {
                let alone = RequestError::ReferenceUnsettled;
                Err(self.lost_items(&batch, items).await?.unwrap_or(alone))
            }
            CommitOutcome::ReferenceSettled => {
                let alone = RequestError::ReferenceSettled;
                Err(self.lost_items(&batch, items).await?.unwrap_or(alone))
            }
            CommitOutcome::AccountSuspended | CommitOutcome::AccountUnknown => {
                Err(RequestError::Suspended)
            }
            CommitOutcome::Frozen(breach) => Err(breach.into()),
            CommitOutcome::OtherEnvironment | CommitOutcome::BalanceLimit => {
                let what = "a payment of the batch cannot be booked";
                let broken = PortError::new("books", what);
                let broken = broken.with_trouble(PortErrorKind::Record);
                Err(broken.with_nothing_done().into())
            }
            CommitOutcome::Done
            | CommitOutcome::NumberTaken
            | CommitOutcome::KeyTaken(_)
            | CommitOutcome::FundingTaken(_)
            | CommitOutcome::SettlementUnfounded
            | CommitOutcome::VersionConflict(_)
            | CommitOutcome::SessionTaken(_)
            | CommitOutcome::VoucherRefused(_) => {
                let what = "answered the opening of a batch with nonsense";
                Err(PortError::new("books", what).into())
            }
        }
    }

    /// What the limits of the merchant say of all payments of a batch together: they wait for an
    /// approval where a payment of that price would.
    fn batch_within_limits(merchant: &Merchant, items: &[RoutedItem]) -> Option<SpendingCheck> {
        let prices = items.iter().map(|item| item.priced.quote.price);
        // A sum beyond the largest amount is refused once the batch is put together.
        let sum = prices
            .map(Some)
            .reduce(|sum, price| sum?.checked_add(price?));
        let price = sum.flatten()?;
        let mut services = items.iter().map(|item| item.priced.order.service());
        let is_above = |service| merchant.limits.approval_needed(service, price).is_some();
        let needs_approval = services.any(is_above);
        Some(SpendingCheck::new(merchant, price, needs_approval))
    }

    /// The step that opens one payment in the queue.
    fn queued(
        &self,
        batch: &BatchDraft,
        item: &RoutedItem,
        checked: Option<&SpendingCheck>,
    ) -> Opening {
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
        let asked = item.priced.order.send_from();
        let send_from = asked.map_or(now, |asked| asked.max(now));
        let queued = Queued {
            send_from,
            expires_at: send_from.plus(self.parts().settings.queued_max),
        };
        let mut opening = draft.queue(now, queued);
        opening.undated = self.undated_references(name.0, name.1);
        let Some(checked) = checked else {
            return opening;
        };
        opening.day = checked.day(now);
        match checked.approval {
            Some(approval) => opening.awaiting(approval.in_batch(batch.number)),
            None => opening,
        }
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
}

/// By its number it is ours: a store that tried again met its own first try.
fn stored_under(stored: Batch, planned: Batch) -> Stored {
    if stored.number == planned.number {
        Stored::New(planned)
    } else {
        Stored::Earlier(stored)
    }
}

pub(super) fn taken(earlier: Transaction) -> RequestError {
    RequestError::ReferenceTaken {
        service: earlier.order.service(),
        reference: earlier.reference,
    }
}
