//! The ways into a final state and the one way out. Money must move exactly once on each: captured,
//! released, or returned.

use super::Transaction;
use super::apply::{Observation, Transition};
use super::attempt::{AttemptNumber, Disproven, Proof};
use super::state::{Delivered, Evidence, Reversed, Review, ReviewCause, State};
use crate::event::EventKind;
use crate::ledger;
use crate::money::Money;
use crate::provider::{QueryOutcome, Receipt, SubmitOutcome};
use crate::refund::GrantedRefund;
use crate::time::Timestamp;

impl Transaction {
    /// Whether a yes is only that the payment was accepted: the echo is right, but what would
    /// complete the order, such as a prepaid token, is still to come.
    pub(super) fn is_unfinished(&self, attempt: AttemptNumber, receipt: &Receipt) -> bool {
        receipt.matches(&self.provider_reference(attempt), &self.order)
            && !receipt.fulfilment.completes(&self.order)
    }

    /// A yes about the current attempt, with its echo checked: another amount, currency or
    /// reference never changes what the merchant pays.
    pub(super) fn delivered(
        self,
        (attempt, started_at): (AttemptNumber, Timestamp),
        (receipt, evidence): (&Receipt, Evidence),
        now: Timestamp,
    ) -> Transition {
        if !receipt.matches(&self.provider_reference(attempt), &self.order) {
            let cause = ReviewCause::Mismatch {
                reference: receipt.reference.to_string(),
                amount: format!("{} {}", receipt.amount.currency().code(), receipt.amount),
                fulfilment: receipt.fulfilment.clone(),
            };
            let review = Review {
                attempt,
                started_at,
                cause,
                since: now,
            };
            return self.step(State::Review(review), (EventKind::Review, Vec::new()), now);
        }
        let fulfilment = receipt.fulfilment.clone();
        self.succeed(Delivered {
            attempt,
            fulfilment,
            evidence,
            at: now,
            refund: None,
        })
    }

    /// What is charged of the price is captured, and the rest of the hold is given back.
    pub(super) fn succeed(self, delivered: Delivered) -> Transition {
        let now = delivered.at;
        let charged = self.charged_for(&delivered.fulfilment);
        let transfers = ledger::capture((&self, &charged), now);
        self.step(
            State::Successful(delivered),
            (EventKind::Successful, transfers),
            now,
        )
    }

    /// The price is released.
    pub(super) fn fail(self, attempt: AttemptNumber, proof: Proof, now: Timestamp) -> Transition {
        let transfers = vec![ledger::release(&self, now)];
        let failed = Disproven::new(attempt, proof, now);
        self.step(State::Failed(failed), (EventKind::Failed, transfers), now)
    }

    /// Only a reversal by the provider leaves the state of success; a later report may add details
    /// of what was delivered.
    pub(super) fn when_successful(
        self,
        delivered: Delivered,
        observation: &Observation,
        now: Timestamp,
    ) -> Transition {
        if observation.reversal() == Some(delivered.attempt) {
            let mut transfers = ledger::reverse(&self, now);
            transfers.extend(ledger::reverse_refund(&self, delivered.refund, now));
            let reversed = State::Reversed(Reversed { delivered, at: now });
            return self.step(reversed, (EventKind::Reversed, transfers), now);
        }
        match observation {
            Observation::Finding {
                attempt,
                finding: QueryOutcome::Delivered(receipt),
            }
            | Observation::Answer {
                attempt,
                outcome: SubmitOutcome::Delivered(receipt),
            } if *attempt == delivered.attempt => self.observed_again(delivered, receipt, now),
            Observation::Refund(refund) => self.refunded(delivered, *refund, now),
            Observation::Answer { .. }
            | Observation::Finding { .. }
            | Observation::Takeover { .. }
            | Observation::Due
            | Observation::Cancellation(_)
            | Observation::Decision(_)
            | Observation::Claimed(_)
            | Observation::Ruling(_)
            | Observation::Journalled { .. } => self.unchanged(),
        }
    }

    /// A part of the price, or all of it, is given back, once.
    fn refunded(self, delivered: Delivered, refund: GrantedRefund, now: Timestamp) -> Transition {
        if delivered.refund.is_some() || !self.may_give_back(refund.amount) {
            return self.unchanged();
        }
        let transfers = vec![ledger::refund(&self, refund.amount, now)];
        let state = State::Successful(Delivered {
            refund: Some(refund),
            ..delivered
        });
        self.step(state, (EventKind::Refunded, transfers), now)
    }

    fn may_give_back(&self, amount: Money) -> bool {
        let price = self.charged().price;
        amount.is_positive()
            && amount.currency() == price.currency()
            && amount.minor() <= price.minor()
    }

    /// What the provider adds to what it delivered. Its echo is checked as the first time: a word
    /// about something else changes nothing.
    fn observed_again(self, delivered: Delivered, receipt: &Receipt, now: Timestamp) -> Transition {
        let reference = self.provider_reference(delivered.attempt);
        let added = delivered
            .fulfilment
            .after(&receipt.fulfilment)
            .filter(|_| receipt.matches(&reference, &self.order));
        let Some(fulfilment) = added else {
            return self.unchanged();
        };
        let state = State::Successful(Delivered {
            fulfilment,
            ..delivered
        });
        self.step(state, (EventKind::MessageStatus, Vec::new()), now)
    }
}
