//! What a provider took for a delivery, where that is not the cost that was quoted. It must follow
//! from what is known of the transaction alone, so that what was booked before needs no memory of
//! its own: each step books the difference that it makes.

use super::{LedgerAccount, Transfer, TransferKind};
use crate::money::Money;
use crate::time::Timestamp;
use crate::transaction::{AttemptNumber, State, Transaction};

/// By how much the cost of each delivery of a transaction differs from the quote, as far as it is
/// known; nothing of an attempt that is not delivered, or whose cost is in another currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CostDifferences(Vec<(AttemptNumber, Money)>);

impl CostDifferences {
    /// The differences of a transaction as it stands.
    pub fn of(tx: &Transaction) -> Self {
        let made = AttemptNumber::all().take_while(|attempt| tx.prepared.of(*attempt).is_some());
        Self(
            made.filter_map(|it| Some((it, difference(tx, it)?)))
                .collect(),
        )
    }

    /// The difference of one attempt.
    pub fn get(&self, attempt: AttemptNumber) -> Option<Money> {
        let mut known = self.0.iter();
        known
            .find(|(it, _)| *it == attempt)
            .map(|(_, money)| *money)
    }

    /// What a step that led from these to the transaction as it stands now has to book.
    pub(crate) fn step_to(&self, tx: &Transaction, at: Timestamp) -> Vec<Transfer> {
        let after = Self::of(tx);
        let attempts = self.0.iter().chain(&after.0).map(|(attempt, _)| *attempt);
        let mut attempts: Vec<_> = attempts.collect();
        attempts.sort();
        attempts.dedup();
        let zero = Money::zero(tx.quote.cost.currency());
        let booked = attempts.into_iter().filter_map(|attempt| {
            let (before, after) = (self.get(attempt), after.get(attempt));
            let more = after.unwrap_or(zero).checked_sub(before.unwrap_or(zero))?;
            transfer((tx, attempt), more, at)
        });
        booked.collect()
    }
}

/// What a provider takes for an attempt: what it reported, where that can be booked, else what was
/// quoted.
pub fn actual_cost(quoted: Money, reported: Option<Money>) -> Money {
    let is_usable = |cost: &Money| cost.currency() == quoted.currency() && cost.minor() >= 0;
    reported.filter(is_usable).unwrap_or(quoted)
}

/// By how much the cost of a delivery differs from the quote.
fn difference(tx: &Transaction, attempt: AttemptNumber) -> Option<Money> {
    let quoted = sold_at(tx, attempt);
    let cost = actual_cost(quoted, tx.reported.of(attempt).cost);
    let more = cost.checked_sub(quoted)?;
    (is_delivered(tx, attempt) && more.minor() != 0).then_some(more)
}

/// What the books leave a provider with for an attempt: the cost of what was charged where it is
/// sold, and the whole one where it is a loss.
fn sold_at(tx: &Transaction, attempt: AttemptNumber) -> Money {
    let is_sold = matches!(&tx.state, State::Successful(it) if it.attempt == attempt);
    if is_sold {
        tx.charged().cost
    } else {
        tx.quote.cost
    }
}

/// Whether the provider keeps what it took for an attempt: it is sold, or borne as a loss.
fn is_delivered(tx: &Transaction, attempt: AttemptNumber) -> bool {
    let lost = |ended: &crate::transaction::Disproven| ended.attempt == attempt && ended.is_loss();
    let now = match &tx.state {
        State::Successful(delivered) => delivered.attempt == attempt,
        State::Failed(ended) => lost(ended),
        State::Queued(_)
        | State::Sending(_)
        | State::InDoubt(_)
        | State::Review(_)
        | State::Reversed(_)
        | State::Cancelled(_)
        | State::Booked(_) => false,
    };
    now || tx.earlier.iter().any(lost)
}

fn transfer(
    (tx, attempt): (&Transaction, AttemptNumber),
    more: Money,
    at: Timestamp,
) -> Option<Transfer> {
    let float = LedgerAccount::Float(tx.provider_of(attempt).clone());
    let (debit, credit, amount) = if more.is_positive() {
        (LedgerAccount::CostVariance, float, more)
    } else {
        let less = Money::zero(more.currency()).checked_sub(more)?;
        (float, LedgerAccount::CostVariance, less)
    };
    amount.is_positive().then_some(Transfer {
        transaction: Some(tx.number),
        kind: TransferKind::CostDifference,
        debit,
        credit,
        amount,
        narration: None,
        at,
    })
}
