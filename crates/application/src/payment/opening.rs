//! Opening a transaction: plan 1 and COMMIT 1. It must not claim that a transaction is open unless
//! it is known to be stored, nor that it is not unless that is certain.

use super::Flow;
use super::entry::{Confirmed, Entry};
use super::next_attempt;
use super::window::Window;
use crate::request_error::RequestError;
use crate::spending::{OverLimit, SpendingCheck};
use crate::stages;
use domain::batch::Batch;
use domain::change_set::{ChangeSet, Opening};
use domain::opening::Draft;
use domain::time::Timestamp;
use domain::transaction::{Queued, State, Transaction};
use ports::ledger_store::CommitOutcome;
use ports::{CommitState, PortError, PortErrorKind};

/// How many numbers are drawn for a transaction: with 2^53 to draw from, even the second is hardly
/// ever needed.
const NUMBERS_MAX: usize = 8;

/// What became of opening.
pub(super) enum OpenResult {
    New(Box<Transaction>, Confirmed),
    Duplicate(Box<Transaction>),
}

impl OpenResult {
    /// What a transaction under our reference or key means for what we planned. By its number it is
    /// ours: a store that tried again met its own first try, or recovery has taken it over since.
    fn as_stored(stored: Box<Transaction>, (planned, entry): (&Transaction, Entry)) -> Self {
        if stored.number == planned.number {
            Self::New(stored, entry.confirm())
        } else {
            entry.void();
            Self::Duplicate(stored)
        }
    }
}

impl Flow {
    /// Plan 1 and COMMIT 1.
    pub(super) async fn open(
        &self,
        mut draft: Draft,
        checked: SpendingCheck,
    ) -> Result<OpenResult, RequestError> {
        let parts = self.gateway.parts();
        let undated = self
            .gateway
            .undated_references(&draft.account, &draft.reference);
        for _ in 0..NUMBERS_MAX {
            let now = self.gateway.now();
            if let Some(provider) = &self.provider {
                draft.prepared = next_attempt::first(&self.gateway, provider, &draft, now);
            }
            let mut opening = self.opening_of(draft.clone(), &checked, now);
            opening.undated.clone_from(&undated);
            let transaction = opening.transaction.clone();
            if let Err(breach) = self.gateway.payments_go_on() {
                let refused = CommitOutcome::Frozen(breach);
                return self.refused(refused, &transaction).await;
            }
            let change = ChangeSet::Open(Box::new(opening));
            // Side by side: both are durable before the first byte leaves.
            let (committed, entry) = tokio::join!(
                stages::commit(&*parts.ledger, change, &transaction),
                self.entry_of(&transaction),
            );
            let committed = match committed {
                Ok(committed) => committed,
                Err(error) => return self.reread((transaction, entry), error).await,
            };
            match committed {
                CommitOutcome::Done => {
                    let service = transaction.order.service();
                    self.gateway.measure_opened(service, transaction.provider());
                    return Ok(OpenResult::New(Box::new(transaction), entry.confirm()));
                }
                CommitOutcome::KeyTaken(earlier) | CommitOutcome::ReferenceTaken(earlier) => {
                    return Ok(OpenResult::as_stored(earlier, (&transaction, entry)));
                }
                CommitOutcome::NumberTaken => {
                    entry.void();
                    draft.number = parts.ids.transaction_number();
                }
                CommitOutcome::BatchTaken(batch) => {
                    entry.void();
                    return Err(batch_taken(*batch));
                }
                refusal @ (CommitOutcome::Suspended
                | CommitOutcome::ReferenceUnsettled
                | CommitOutcome::ReferenceSettled
                | CommitOutcome::OtherEnvironment
                | CommitOutcome::SettlementUnfounded
                | CommitOutcome::InsufficientFunds
                | CommitOutcome::OverDailyLimit(_)
                | CommitOutcome::BalanceLimit
                | CommitOutcome::AccountSuspended
                | CommitOutcome::Frozen(_)
                | CommitOutcome::AccountUnknown
                | CommitOutcome::FundingTaken(_)
                | CommitOutcome::VersionConflict(_)
                | CommitOutcome::SessionTaken(_)
                | CommitOutcome::VoucherRefused(_)) => {
                    entry.void();
                    return self.refused(refusal, &transaction).await;
                }
            }
        }
        Err(PortError::new("ids", "drew only numbers that were used before").into())
    }

    /// The step that opens a draft, or queues it where it needs an approval.
    fn opening_of(&self, draft: Draft, checked: &SpendingCheck, now: Timestamp) -> Opening {
        let settings = &self.gateway.parts().settings;
        let mut opening = match checked.approval {
            None => draft.open(now, now.plus(settings.lease)),
            Some(approval) => {
                let latest = now.plus(settings.queued_max);
                let ends = draft.order.send_before();
                let queued = Queued {
                    send_from: now,
                    expires_at: ends.map_or(latest, |ends| ends.min(latest)),
                };
                draft.queue(now, queued).awaiting(approval)
            }
        };
        opening.day = checked.day(now);
        opening
    }

    /// What is queued is journalled once it leaves the queue.
    async fn entry_of(&self, transaction: &Transaction) -> Entry {
        if matches!(transaction.state, State::Queued(_)) {
            return Entry::none(&self.gateway);
        }
        Entry::append(&self.gateway, transaction).await
    }

    /// Nothing was stored, and drawing another number would not help.
    async fn refused(
        &self,
        refusal: CommitOutcome,
        planned: &Transaction,
    ) -> Result<OpenResult, RequestError> {
        match refusal {
            CommitOutcome::Suspended => self.suspended(planned).await,
            CommitOutcome::ReferenceUnsettled => Err(RequestError::ReferenceUnsettled),
            CommitOutcome::ReferenceSettled => Err(RequestError::ReferenceSettled),
            CommitOutcome::OtherEnvironment => {
                let (account, provider) = (&planned.account, planned.provider());
                let what = format!("{provider} belongs to another environment than {account}");
                let other = PortError::new("books", what);
                Err(other
                    .with_trouble(PortErrorKind::Record)
                    .with_nothing_done()
                    .into())
            }
            CommitOutcome::InsufficientFunds => {
                Err(RequestError::InsufficientFunds(planned.quote.price))
            }
            CommitOutcome::OverDailyLimit(most) => Err(OverLimit::PerDay(most).into()),
            CommitOutcome::BalanceLimit => {
                let full = PortError::new("books", "the wallet cannot set more aside");
                Err(full
                    .with_trouble(PortErrorKind::Record)
                    .with_nothing_done()
                    .into())
            }
            CommitOutcome::AccountSuspended | CommitOutcome::AccountUnknown => {
                Err(RequestError::Suspended)
            }
            CommitOutcome::Frozen(breach) => match self.earlier(planned).await? {
                Some(earlier) => Ok(earlier),
                None => Err(breach.into()),
            },
            CommitOutcome::Done
            | CommitOutcome::KeyTaken(_)
            | CommitOutcome::ReferenceTaken(_)
            | CommitOutcome::BatchTaken(_)
            | CommitOutcome::NumberTaken
            | CommitOutcome::FundingTaken(_)
            | CommitOutcome::SettlementUnfounded
            | CommitOutcome::VersionConflict(_)
            | CommitOutcome::SessionTaken(_)
            | CommitOutcome::VoucherRefused(_) => {
                Err(PortError::new("books", "answered an opening with nonsense").into())
            }
        }
    }

    /// Payments are suspended. A repeated request is still answered with its transaction: that it
    /// was not opened now must not be taken for that it never was.
    async fn suspended(&self, planned: &Transaction) -> Result<OpenResult, RequestError> {
        let earlier = self.earlier(planned).await?;
        earlier.ok_or(RequestError::ReconciliationRequired)
    }

    /// What is stored under the reference already, where something is.
    async fn earlier(&self, planned: &Transaction) -> Result<Option<OpenResult>, RequestError> {
        let transactions = &self.gateway.parts().transactions;
        let earlier = transactions
            .by_reference(&planned.account, &planned.reference)
            .await
            .map_err(PortError::with_nothing_done)?;
        Ok(earlier.map(|earlier| OpenResult::Duplicate(Box::new(earlier))))
    }

    /// The commit's outcome was lost: whatever is stored under the reference is the truth. Nothing
    /// is sent unless the opening is seen to be stored. Who cannot be asked now is asked again for
    /// as long as the merchant waits.
    async fn reread(
        &self,
        (planned, entry): (Transaction, Entry),
        error: PortError,
    ) -> Result<OpenResult, RequestError> {
        let reference = &planned.reference;
        if error.effect == CommitState::Nothing {
            entry.void();
            tracing::error!(%error, %reference, "an opening was not stored");
            return Err(error.into());
        }
        tracing::error!(%error, %reference, "an opening was not confirmed");
        let transactions = &self.gateway.parts().transactions;
        let mut window = Window::of(&self.gateway, &planned);
        loop {
            match transactions.by_reference(&planned.account, reference).await {
                Ok(Some(stored)) => {
                    return Ok(OpenResult::as_stored(Box::new(stored), (&planned, entry)));
                }
                // Not there now; a server that hangs may still make it so. It is never sent then.
                Ok(None) => return Err(error.into()),
                Err(unread) => {
                    tracing::warn!(error = %unread, %reference, "an opening was not read back");
                }
            }
            if window.is_over_before_the_next_try().await {
                return Err(error.into());
            }
        }
    }
}

fn batch_taken(batch: Batch) -> RequestError {
    RequestError::BatchTaken {
        kind: batch.kind,
        reference: batch.reference,
    }
}
