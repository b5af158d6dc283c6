//! A batch: many payments that a merchant asks for with one request, all of them or none. It must
//! never be stored without each of its payments, nor a payment of it without the others.

use crate::account::AccountId;
use crate::idempotency::Idempotency;
use crate::money::Money;
use crate::opening::Opening;
use crate::reference::{MerchantReference, TransactionNumber};
use crate::time::Timestamp;
use crate::transaction::{State, Status, Transaction};
use std::collections::HashSet;
use std::fmt;

/// Most payments of a batch: as many operations as one request may ask for (interface §8).
pub const ITEMS_MAX: u32 = 1_000;

/// The gateway's number of a batch, unique among the batches of its account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BatchNumber(TransactionNumber);

impl BatchNumber {
    /// A number that was drawn as those of transactions are.
    pub const fn new(drawn: TransactionNumber) -> Self {
        Self(drawn)
    }

    /// The number itself.
    pub const fn get(self) -> u64 {
        self.0.get()
    }
}

impl fmt::Display for BatchNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What a batch is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BatchKind {
    /// Payouts to bank accounts.
    BankTransfers,
    /// Salaries, paid to bank accounts.
    Payroll,
    /// Text messages.
    Messages,
}

impl BatchKind {
    /// Every kind there is.
    pub const ALL: [Self; 3] = [Self::BankTransfers, Self::Payroll, Self::Messages];

    /// The word it is stored as.
    pub const fn code(self) -> &'static str {
        match self {
            Self::BankTransfers => "bank",
            Self::Payroll => "payroll",
            Self::Messages => "sms",
        }
    }

    /// The kind of a stored word.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }
}

/// What becomes of the payments that wait once another of their batch has failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OnFailure {
    /// They are sent all the same.
    Continue,
    /// They are cancelled. Those that are under way come to their own end.
    Stop,
}

impl OnFailure {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::Continue, Self::Stop];

    /// The word it is stored as.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Continue => "continue",
            Self::Stop => "stop",
        }
    }

    /// The choice of a stored word.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|choice| choice.code() == code)
    }
}

/// What never changes of a batch; how far it has come is what its payments show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// The gateway's number.
    pub number: BatchNumber,
    /// Whose it is.
    pub account: AccountId,
    /// The merchant's reference: no transaction and no other batch of the account has it.
    pub reference: MerchantReference,
    /// The client's retry key.
    pub idempotency: Option<Idempotency>,
    /// What it is made of.
    pub kind: BatchKind,
    /// What becomes of the rest once one has failed.
    pub on_failure: OnFailure,
    /// How many payments it has.
    pub count: u32,
    /// What their amounts come to.
    pub total: Money,
    /// What their prices come to.
    pub price: Money,
    /// When it was stored.
    pub opened_at: Timestamp,
}

/// What a batch is opened from, beside its payments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchDraft {
    /// The gateway's number.
    pub number: BatchNumber,
    /// Whose it is.
    pub account: AccountId,
    /// The merchant's reference.
    pub reference: MerchantReference,
    /// The client's retry key.
    pub idempotency: Option<Idempotency>,
    /// What it is made of.
    pub kind: BatchKind,
    /// What becomes of the rest once one has failed.
    pub on_failure: OnFailure,
}

/// Why payments are no batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidBatch {
    /// There is none, or there are more than [`ITEMS_MAX`].
    #[error("a batch has 1 to {ITEMS_MAX} payments")]
    Size,
    /// Two of them, or one and the batch, have a reference or number in common.
    #[error("the payments of a batch and the batch itself have names of their own")]
    Repeated,
    /// One is not queued, or belongs to another account.
    #[error("a batch consists of queued payments of one account")]
    Foreign,
    /// They are in several currencies, or come to more than can be counted.
    #[error("the amounts of a batch cannot be added up")]
    Total,
}

/// The step that stores a batch with all its payments, each in the queue with its own hold.
///
/// Guards, in order: those of an opening that concern the account, the idempotency key of the batch
/// is unused, its reference is used by no transaction and no batch, then for each payment in their
/// order all guards of an opening; the wallet holds the prices of all together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchOpening {
    batch: Batch,
    items: Vec<Opening>,
}

impl BatchOpening {
    /// The step for payments that are opened in the queue, in the order of the request.
    ///
    /// # Errors
    /// When they are no batch.
    pub fn new(
        draft: BatchDraft,
        items: Vec<Opening>,
        now: Timestamp,
    ) -> Result<Self, InvalidBatch> {
        let count = u32::try_from(items.len()).map_err(|_| InvalidBatch::Size)?;
        if !(1..=ITEMS_MAX).contains(&count) {
            return Err(InvalidBatch::Size);
        }
        let transactions = || items.iter().map(|item| &item.transaction);
        let is_of_it =
            |tx: &Transaction| tx.account == draft.account && matches!(tx.state, State::Queued(_));
        if !transactions().all(is_of_it) {
            return Err(InvalidBatch::Foreign);
        }
        let mut names = HashSet::from([&draft.reference]);
        let mut numbers = HashSet::new();
        if !transactions().all(|tx| names.insert(&tx.reference) && numbers.insert(tx.number)) {
            return Err(InvalidBatch::Repeated);
        }
        let total = sum(transactions().map(|tx| tx.quote.amount)).ok_or(InvalidBatch::Total)?;
        let price = sum(transactions().map(|tx| tx.quote.price)).ok_or(InvalidBatch::Total)?;
        let batch = Batch {
            number: draft.number,
            account: draft.account,
            reference: draft.reference,
            idempotency: draft.idempotency,
            kind: draft.kind,
            on_failure: draft.on_failure,
            count,
            total,
            price,
            opened_at: now,
        };
        Ok(Self { batch, items })
    }

    /// The batch.
    pub const fn batch(&self) -> &Batch {
        &self.batch
    }

    /// Its payments in the order of the request.
    pub fn items(&self) -> &[Opening] {
        &self.items
    }
}

fn sum(amounts: impl Iterator<Item = Money>) -> Option<Money> {
    let mut amounts = amounts;
    let first = amounts.next()?;
    amounts.try_fold(first, Money::checked_add)
}

/// How far a batch has come: how many of its payments are where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BatchProgress {
    /// Wait for their first attempt.
    pub queued: u32,
    /// Were sent, and their end is not known.
    pub under_way: u32,
    /// Were delivered.
    pub successful: u32,
    /// Were certainly not delivered.
    pub failed: u32,
    /// Were delivered and taken back.
    pub reversed: u32,
    /// Were never sent, and will not be.
    pub cancelled: u32,
}

impl BatchProgress {
    /// Counts a payment in a state.
    pub fn count(&mut self, state: &State) {
        let counted = match state {
            State::Queued(_) => &mut self.queued,
            State::Sending(_) | State::InDoubt(_) | State::Review(_) => &mut self.under_way,
            State::Successful(_) | State::Booked(_) => &mut self.successful,
            State::Failed(_) => &mut self.failed,
            State::Reversed(_) => &mut self.reversed,
            State::Cancelled(_) => &mut self.cancelled,
        };
        *counted = counted.saturating_add(1);
    }

    /// How many have a status, as merchants see it.
    pub const fn with_status(&self, status: Status) -> u32 {
        match status {
            Status::Pending => self.queued.saturating_add(self.under_way),
            Status::Successful => self.successful,
            Status::Failed => self.failed.saturating_add(self.cancelled),
            Status::Reversed => self.reversed,
        }
    }

    /// How the batch as a whole stands.
    pub const fn status(&self) -> BatchStatus {
        let sent =
            self.under_way > 0 || self.successful > 0 || self.failed > 0 || self.reversed > 0;
        match (self.with_status(Status::Pending) > 0, sent) {
            (true, false) if self.cancelled == 0 => BatchStatus::Pending,
            (true, _) => BatchStatus::Processing,
            (false, false) => BatchStatus::Cancelled,
            (false, true) => BatchStatus::Completed,
        }
    }
}

/// How a batch as a whole stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BatchStatus {
    /// None of its payments was sent yet.
    Pending,
    /// Some are over or under way, and some are not over.
    Processing,
    /// Each is over, and at least one was sent.
    Completed,
    /// None was sent, and none will be.
    Cancelled,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_stands_where_its_payments_stand() {
        let of = |queued, under_way, successful, failed, reversed, cancelled| BatchProgress {
            queued,
            under_way,
            successful,
            failed,
            reversed,
            cancelled,
        };
        for (progress, status) in [
            (of(3, 0, 0, 0, 0, 0), BatchStatus::Pending),
            (of(2, 1, 0, 0, 0, 0), BatchStatus::Processing),
            (of(0, 1, 0, 0, 0, 2), BatchStatus::Processing),
            (of(1, 0, 1, 1, 0, 0), BatchStatus::Processing),
            (of(1, 0, 0, 0, 0, 2), BatchStatus::Processing),
            (of(0, 0, 1, 0, 1, 1), BatchStatus::Completed),
            (of(0, 0, 0, 3, 0, 0), BatchStatus::Completed),
            (of(0, 0, 0, 0, 0, 3), BatchStatus::Cancelled),
        ] {
            assert_eq!(progress.status(), status, "{progress:?}");
        }
        let all = of(1, 2, 4, 8, 16, 32);
        let by_status = [
            (Status::Pending, 3),
            (Status::Successful, 4),
            (Status::Failed, 40),
            (Status::Reversed, 16),
        ];
        for (status, count) in by_status {
            assert_eq!(all.with_status(status), count, "{status:?}");
        }
    }
}
