//! While an attempt is on its way. An answer that is not definite must lead into doubt, never to a
//! guess.

use super::Transaction;
use super::age::Age;
use super::apply::{Context, Observation, Transition};
use super::attempt::{Disproven, Proof};
use super::state::{Doubt, Evidence, InDoubt, Sending, State};
use crate::event::EventKind;
use crate::provider::{QueryOutcome, Receipt, SubmitOutcome, UnknownCause};
use crate::time::Timestamp;

impl Transaction {
    pub(super) fn while_sending(
        self,
        sending: Sending,
        observation: &Observation,
        context: Context<'_>,
    ) -> Transition {
        match observation {
            Observation::Answer { attempt, outcome } if *attempt == sending.attempt => {
                self.answered(&sending, outcome, context.now)
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
            | Observation::Ruling(_)
            | Observation::Journalled { .. } => self.unchanged(),
        }
    }

    fn answered(self, sending: &Sending, outcome: &SubmitOutcome, now: Timestamp) -> Transition {
        match outcome {
            SubmitOutcome::Delivered(receipt) => {
                self.observed_delivered(sending, (receipt, Evidence::Answered), now)
            }
            SubmitOutcome::Declined(refusal) => {
                self.fail(sending.attempt, Proof::Refused(refusal.clone()), now)
            }
            SubmitOutcome::NotSent => self.not_sent(sending, now),
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

    /// No byte left: the attempt is disproven on the spot, and tried once more.
    fn not_sent(mut self, sending: &Sending, now: Timestamp) -> Transition {
        let attempt = sending.attempt;
        let Some(next) = attempt.next() else {
            return self.fail(attempt, Proof::NotSent, now);
        };
        self.earlier
            .push(Disproven::new(attempt, Proof::NotSent, now));
        let state = State::Sending(Sending {
            attempt: next,
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
