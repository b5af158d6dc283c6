//! Opening a transaction: plan 1 and COMMIT 1. It must not claim that a transaction is open unless
//! it is known to be stored, nor that it is not unless that is certain.

use super::Flow;
use super::entry::{Confirmed, Entry};
use super::window::Window;
use crate::refused::Refused;
use domain::change_set::ChangeSet;
use domain::transaction::{Draft, Transaction};
use ports::books::Committed;
use ports::{Effect, PortError, Trouble};

/// How many numbers are drawn for a transaction: with 2^53 to draw from, even the second is hardly
/// ever needed.
const NUMBERS_MAX: usize = 8;

/// What became of opening.
pub(super) enum Opened {
    New(Box<Transaction>, Confirmed),
    MetBefore(Box<Transaction>),
}

impl Opened {
    /// What a transaction under our reference or key means for what we planned. By its number it is
    /// ours: a store that tried again met its own first try, or recovery has taken it over since.
    fn as_stored(stored: Box<Transaction>, (planned, entry): (&Transaction, Entry)) -> Self {
        if stored.number == planned.number {
            Self::New(stored, entry.confirm())
        } else {
            entry.void();
            Self::MetBefore(stored)
        }
    }
}

impl Flow {
    /// Plan 1 and COMMIT 1.
    pub(super) async fn open(&self, mut draft: Draft) -> Result<Opened, Refused> {
        let parts = self.gateway.parts();
        for _ in 0..NUMBERS_MAX {
            let now = self.gateway.now();
            let opening = draft.clone().open(now, now.plus(parts.settings.lease));
            let transaction = opening.transaction.clone();
            // Side by side: both are durable before the first byte leaves.
            let (committed, entry) = tokio::join!(
                parts.books.commit(ChangeSet::Open(Box::new(opening))),
                Entry::append(&self.gateway, &transaction),
            );
            let committed = match committed {
                Ok(committed) => committed,
                Err(error) => return self.reread((transaction, entry), error).await,
            };
            match committed {
                Committed::Done => return Ok(Opened::New(Box::new(transaction), entry.confirm())),
                Committed::KeyTaken(earlier) | Committed::ReferenceTaken(earlier) => {
                    return Ok(Opened::as_stored(earlier, (&transaction, entry)));
                }
                Committed::NumberTaken => {
                    entry.void();
                    draft.number = parts.ids.transaction_number();
                }
                refusal @ (Committed::Held
                | Committed::ReferenceUnsettled
                | Committed::ReferenceSettled
                | Committed::SettlementUnfounded
                | Committed::InsufficientFunds
                | Committed::BalanceLimit
                | Committed::AccountSuspended
                | Committed::AccountUnknown
                | Committed::FundingTaken(_)
                | Committed::VersionConflict(_)) => {
                    entry.void();
                    return self.refused(refusal, &transaction).await;
                }
            }
        }
        Err(PortError::new("ids", "drew only numbers that were used before").into())
    }

    /// Nothing was stored, and drawing another number would not help.
    async fn refused(&self, refusal: Committed, planned: &Transaction) -> Result<Opened, Refused> {
        match refusal {
            Committed::Held => self.held(planned).await,
            Committed::ReferenceUnsettled => Err(Refused::ReferenceUnsettled),
            Committed::ReferenceSettled => Err(Refused::ReferenceSettled),
            Committed::InsufficientFunds => Err(Refused::InsufficientFunds(planned.quote.price)),
            Committed::BalanceLimit => {
                let full = PortError::new("books", "the wallet cannot set more aside");
                Err(full
                    .with_trouble(Trouble::Record)
                    .with_nothing_done()
                    .into())
            }
            Committed::AccountSuspended | Committed::AccountUnknown => Err(Refused::Suspended),
            Committed::Done
            | Committed::KeyTaken(_)
            | Committed::ReferenceTaken(_)
            | Committed::NumberTaken
            | Committed::FundingTaken(_)
            | Committed::SettlementUnfounded
            | Committed::VersionConflict(_) => {
                Err(PortError::new("books", "answered an opening with nonsense").into())
            }
        }
    }

    /// Nothing is opened at the moment. A repeated request still hears of its transaction: that it
    /// was not opened now must not be taken for that it never was.
    async fn held(&self, planned: &Transaction) -> Result<Opened, Refused> {
        let transactions = &self.gateway.parts().transactions;
        let earlier = transactions
            .by_reference(&planned.account, &planned.reference)
            .await
            .map_err(PortError::with_nothing_done)?;
        let earlier = earlier.ok_or(Refused::Held)?;
        Ok(Opened::MetBefore(Box::new(earlier)))
    }

    /// The commit's outcome was lost: whatever is stored under the reference is the truth. Nothing
    /// is sent unless the opening is seen to be stored. Who cannot be asked now is asked again for
    /// as long as the merchant waits.
    async fn reread(
        &self,
        (planned, entry): (Transaction, Entry),
        error: PortError,
    ) -> Result<Opened, Refused> {
        let reference = &planned.reference;
        if error.effect == Effect::Nothing {
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
                    return Ok(Opened::as_stored(Box::new(stored), (&planned, entry)));
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
