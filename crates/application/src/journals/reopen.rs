//! Opening an attempt again that a journal shows and the store lacks. It must leave a question to
//! the provider, and never send.

use crate::gateway::Gateway;
use crate::record::refused as refused_step;
use crate::reopening::ShownAttempt;
use crate::spending::day_of;
use domain::change_set::{ChangeSet, Origin};
use domain::opening::Draft;
use domain::time::Timestamp;
use domain::transaction::{
    ApplyContext, AttemptNumber, Observation, Proof, State, Transaction, Transition,
};
use domain::user::Payee;
use ports::PortError;
use ports::journal::{JournalId, JournalStanding, JournalledAttempt};
use ports::ledger_store::CommitOutcome;

/// Why an attempt was not opened again.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotReopened {
    /// The account is not in the store.
    #[error("its account is not stored; create it again under the same identity")]
    AccountUnknown,
    /// The wallet does not hold the price.
    #[error("the wallet does not hold its price; repeat the credits that were lost")]
    InsufficientFunds,
    /// Another transaction has its reference, key or number.
    #[error("another transaction has its reference, idempotency key or number")]
    Taken,
    /// A person settled what was delivered under its reference from the provider's record.
    #[error("a delivery under its reference was settled from the provider's record")]
    Booked,
    /// The transaction is settled and knows nothing of the attempt.
    #[error("its transaction is settled without it")]
    Settled,
    /// A port failed.
    #[error(transparent)]
    Failed(#[from] PortError),
}

impl Gateway {
    /// Stores the transaction of a journalled attempt as it was opened, where it is not stored, and
    /// brings it to that attempt, in doubt. What the gateway books alone is over with that.
    pub(crate) async fn reopen(
        &self,
        journal: &JournalId,
        journalled: &JournalledAttempt,
    ) -> Result<(), NotReopened> {
        let parts = self.parts();
        let lost = parts.journal.transaction(journal, journalled.entry).await?;
        let stored = parts
            .transactions
            .by_reference(&lost.account, &lost.reference)
            .await?;
        let lost_at = lost.prepared.of(journalled.attempt).cloned();
        let lost_at = lost_at.unwrap_or_else(|| lost.prepared.first().clone());
        let lost_first = lost.prepared.first().clone();
        let before = lost.earlier.last().map(|ended| ended.proof.clone());
        let before = before.unwrap_or(Proof::NotSent);
        let paid = lost.payee().cloned();
        let transaction = match stored {
            Some(stored) if stored.number == lost.number => stored,
            Some(_) => return Err(NotReopened::Taken),
            None => self.open_again(lost).await?,
        };
        if transaction.is_booked() {
            return Ok(());
        }
        if let Some(payee) = paid {
            let at = journalled.started_at;
            return Box::pin(self.claim_again(transaction, payee, at)).await;
        }
        let shown = ShownAttempt {
            attempt: journalled.attempt,
            started_at: journalled.started_at,
            first: lost_first,
            prepared: lost_at,
            before,
        };
        let transaction = self.bring_to(transaction, shown).await?;
        if transaction.attempt() < Some(journalled.attempt) {
            let is_cancelled = matches!(transaction.state, State::Cancelled(_));
            // Cancelled in the queue, and never confirmed to have left it: nothing was sent.
            if is_cancelled && journalled.standing != JournalStanding::Confirmed {
                return Ok(());
            }
            return Err(NotReopened::Settled);
        }
        Ok(())
    }

    /// Pays a transfer that was claimed, and is in the queue again, at the moment it was.
    async fn claim_again(
        &self,
        transaction: Transaction,
        payee: Payee,
        at: Timestamp,
    ) -> Result<(), NotReopened> {
        let profile = self.profile_of(&transaction);
        let claimed = Observation::Claimed(payee);
        let Transition::Changed(mut step) =
            transaction.apply(&claimed, ApplyContext::new(at, &profile))
        else {
            return Err(NotReopened::Settled);
        };
        step.origin = Origin::Journal;
        let after = step.transaction.clone();
        match self.commit(ChangeSet::Advance(step), &after).await? {
            CommitOutcome::Done => Ok(()),
            CommitOutcome::AccountUnknown => Err(NotReopened::AccountUnknown),
            CommitOutcome::ReferenceSettled => Err(NotReopened::Booked),
            refused @ (CommitOutcome::Suspended
            | CommitOutcome::AccountSuspended
            | CommitOutcome::Frozen(_)
            | CommitOutcome::KeyTaken(_)
            | CommitOutcome::ReferenceTaken(_)
            | CommitOutcome::BatchTaken(_)
            | CommitOutcome::ReferenceUnsettled
            | CommitOutcome::SettlementUnfounded
            | CommitOutcome::OtherEnvironment
            | CommitOutcome::FundingTaken(_)
            | CommitOutcome::NumberTaken
            | CommitOutcome::InsufficientFunds
            | CommitOutcome::OverDailyLimit(_)
            | CommitOutcome::BalanceLimit
            | CommitOutcome::VersionConflict(_)
            | CommitOutcome::SessionTaken(_)
            | CommitOutcome::VoucherRefused(_)) => Err(refused_step(&refused).into()),
        }
    }

    /// COMMIT 1 once more, with the number, moment and price it had.
    async fn open_again(&self, lost: Transaction) -> Result<Transaction, NotReopened> {
        let opened_at = lost.opened_at;
        let payer = self.credentials(&lost.account).await?;
        let draft = Draft {
            number: lost.number,
            account: lost.account,
            reference: lost.reference,
            idempotency: lost.idempotency,
            order: lost.order,
            quote: lost.quote,
            route: lost.prepared.route_of(AttemptNumber::FIRST).cloned(),
            prepared: lost.prepared.first().clone(),
        };
        let mut opening = draft.open(opened_at, self.now());
        opening.origin = Origin::Journal;
        if let Some(payer) = payer {
            opening.day.began_at = day_of(&payer.account.time_zone, opened_at);
        }
        opening.undated =
            self.undated_references(&opening.transaction.account, &opening.transaction.reference);
        let transaction = opening.transaction.clone();
        let committed = self
            .parts()
            .ledger
            .commit(ChangeSet::Open(Box::new(opening)));
        match committed.await? {
            CommitOutcome::Done => Ok(transaction),
            CommitOutcome::AccountUnknown => Err(NotReopened::AccountUnknown),
            CommitOutcome::InsufficientFunds => Err(NotReopened::InsufficientFunds),
            CommitOutcome::KeyTaken(_)
            | CommitOutcome::ReferenceTaken(_)
            | CommitOutcome::BatchTaken(_)
            | CommitOutcome::NumberTaken => Err(NotReopened::Taken),
            CommitOutcome::ReferenceSettled => Err(NotReopened::Booked),
            CommitOutcome::Suspended
            | CommitOutcome::SettlementUnfounded
            | CommitOutcome::OverDailyLimit(_)
            | CommitOutcome::BalanceLimit
            | CommitOutcome::AccountSuspended
            | CommitOutcome::Frozen(_)
            | CommitOutcome::ReferenceUnsettled
            | CommitOutcome::OtherEnvironment
            | CommitOutcome::FundingTaken(_)
            | CommitOutcome::VersionConflict(_)
            | CommitOutcome::SessionTaken(_)
            | CommitOutcome::VoucherRefused(_) => {
                Err(PortError::new("books", "refused what a journal shows").into())
            }
        }
    }
}
