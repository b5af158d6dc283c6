//! While an attempt is on its way. An answer that is not definite must lead into doubt, never to a
//! guess.

use super::Transaction;
use super::age::Age;
use super::apply::{ApplyContext, Observation, Transition};
use super::attempt::{AttemptNumber, Disproven, Proof};
use super::prepared::PreparedAttempt;
use super::state::{Doubt, Evidence, InDoubt, Sending, State};
use crate::event::EventKind;
use crate::provider::{QueryOutcome, Receipt, Refusal, SubmitOutcome, UnknownCause};
use crate::time::Timestamp;

impl Transaction {
    pub(super) fn while_sending(
        self,
        sending: Sending,
        observation: &Observation,
        context: ApplyContext<'_>,
    ) -> Transition {
        match observation {
            Observation::Answer { attempt, outcome } if *attempt == sending.attempt => {
                self.answered(&sending, outcome, context)
            }
            Observation::Finding { attempt, finding } if *attempt == sending.attempt => {
                self.found_while_sending(&sending, finding, context.now)
            }
            Observation::Takeover { attempt } if *attempt == sending.attempt => {
                self.doubt(&sending, unanswered(UnknownCause::Abandoned), context.now)
            }
            Observation::Answer { .. }
            | Observation::Finding { .. }
            | Observation::Takeover { .. }
            | Observation::Due
            | Observation::Cancellation(_)
            | Observation::Decision(_)
            | Observation::Claimed(_)
            | Observation::Ruling(_)
            | Observation::Refund(_)
            | Observation::Journalled { .. } => self.unchanged(),
        }
    }

    fn answered(
        self,
        sending: &Sending,
        outcome: &SubmitOutcome,
        context: ApplyContext<'_>,
    ) -> Transition {
        let now = context.now;
        match outcome {
            SubmitOutcome::Delivered(receipt) => {
                self.observed_delivered(sending, (receipt, Evidence::Answered), now)
            }
            SubmitOutcome::Declined(refusal) => {
                let next = context.next.filter(|next| self.may_follow(refusal, next));
                let context = ApplyContext { next, ..context };
                self.next_or_fail(sending.attempt, Proof::Refused(refusal.clone()), context)
            }
            SubmitOutcome::NotSent => self.next_or_fail(sending.attempt, Proof::NotSent, context),
            SubmitOutcome::Pending => self.doubt(sending, Doubt::Acknowledged, now),
            SubmitOutcome::Reversed => self.fail(sending.attempt, Proof::TakenBack, now),
            SubmitOutcome::Unknown(cause) => self.doubt(sending, unanswered(*cause), now),
        }
    }

    /// A query overtook the answer. "Not found" says nothing about what is still on its way; that
    /// the provider has it must be remembered, for it may show no trace of it later.
    fn found_while_sending(
        self,
        sending: &Sending,
        finding: &QueryOutcome,
        now: Timestamp,
    ) -> Transition {
        match finding {
            QueryOutcome::Delivered(receipt) => {
                self.observed_delivered(sending, (receipt, Evidence::Found), now)
            }
            QueryOutcome::Declined(refusal) => {
                self.fail(sending.attempt, Proof::Refused(refusal.clone()), now)
            }
            QueryOutcome::Reversed => self.fail(sending.attempt, Proof::TakenBack, now),
            QueryOutcome::Pending => self.doubt(sending, Doubt::Acknowledged, now),
            QueryOutcome::NotFound | QueryOutcome::Unknown => self.unchanged(),
        }
    }

    fn observed_delivered(
        self,
        sending: &Sending,
        (receipt, evidence): (&Receipt, Evidence),
        now: Timestamp,
    ) -> Transition {
        if self.is_unfinished(sending.attempt, receipt) {
            return self.doubt(sending, Doubt::Acknowledged, now);
        }
        self.delivered(
            (sending.attempt, sending.started_at),
            (receipt, evidence),
            now,
        )
    }

    /// Whether an attempt may follow a refusal: another provider's, where neither the order is at
    /// fault nor an earlier one may be the customer's.
    fn may_follow(&self, refusal: &Refusal, next: &PreparedAttempt) -> bool {
        refusal.kind.allows_another_route() && next.provider != *self.provider()
    }

    /// The attempt is disproven on the spot. The next is made where there is one; there are never
    /// more than [`AttemptNumber::MAX`].
    fn next_or_fail(
        mut self,
        attempt: AttemptNumber,
        proof: Proof,
        context: ApplyContext<'_>,
    ) -> Transition {
        let now = context.now;
        let (Some(number), Some(next)) = (attempt.next(), context.next) else {
            return self.fail(attempt, proof, now);
        };
        self.earlier.push(Disproven::new(attempt, proof, now));
        let prepared = self.prepared.followed_by(next.clone());
        self.prepared = prepared.routed(number, context.next_route.cloned());
        let state = State::Sending(Sending {
            attempt: number,
            started_at: now,
        });
        self.step(state, (EventKind::Resent, Vec::new()), now)
    }

    fn doubt(self, sending: &Sending, doubt: Doubt, now: Timestamp) -> Transition {
        let Sending {
            attempt,
            started_at,
        } = *sending;
        let state = State::InDoubt(InDoubt {
            attempt,
            started_at,
            age: Age::zero_at(started_at).until(now),
            doubt,
            checks: 0,
        });
        self.step(state, (EventKind::Pending, Vec::new()), now)
    }
}

const fn unanswered(cause: UnknownCause) -> Doubt {
    Doubt::Unanswered {
        cause,
        absence: None,
    }
}
