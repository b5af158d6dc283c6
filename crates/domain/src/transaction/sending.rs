//! While an attempt is on its way. An answer that is not definite must lead into doubt, never to a
//! guess.

use super::Transaction;
use super::age::Age;
use super::attempt::{Disproven, Proof};
use super::learn::{Context, Learned, News};
use super::state::{Doubt, Evidence, InDoubt, Sending, State};
use crate::event::EventKind;
use crate::provider::{Finding, Outcome, Receipt, UnknownCause};
use crate::time::Timestamp;

impl Transaction {
    pub(super) fn while_sending(
        self,
        sending: Sending,
        news: &News,
        context: Context<'_>,
    ) -> Learned {
        match news {
            News::Answer { attempt, outcome } if *attempt == sending.attempt => {
                self.answered(&sending, outcome, context.now)
            }
            News::Finding { attempt, finding } if *attempt == sending.attempt => {
                self.found_while_sending(&sending, finding, context.now)
            }
            News::Takeover { attempt } if *attempt == sending.attempt => {
                self.doubt(&sending, unanswered(UnknownCause::Abandoned), context.now)
            }
            News::Answer { .. }
            | News::Finding { .. }
            | News::Takeover { .. }
            | News::Ruling(_)
            | News::Journalled { .. } => self.unchanged(),
        }
    }

    fn answered(self, sending: &Sending, outcome: &Outcome, now: Timestamp) -> Learned {
        match outcome {
            Outcome::Delivered(receipt) => {
                self.told_delivered(sending, (receipt, Evidence::Answered), now)
            }
            Outcome::Declined(refusal) => {
                self.fail(sending.attempt, Proof::Refused(refusal.clone()), now)
            }
            Outcome::NotSent => self.not_sent(sending, now),
            Outcome::Pending => self.doubt(sending, Doubt::Acknowledged, now),
            Outcome::Unknown(cause) => self.doubt(sending, unanswered(*cause), now),
        }
    }

    /// A query overtook the answer. "Not found" says nothing about what is still on its way; that
    /// the provider has it must be remembered, for it may show no trace of it later.
    fn found_while_sending(self, sending: &Sending, finding: &Finding, now: Timestamp) -> Learned {
        match finding {
            Finding::Delivered(receipt) => {
                self.told_delivered(sending, (receipt, Evidence::Found), now)
            }
            Finding::Declined(refusal) => {
                self.fail(sending.attempt, Proof::Refused(refusal.clone()), now)
            }
            Finding::Reversed => self.fail(sending.attempt, Proof::TakenBack, now),
            Finding::Pending => self.doubt(sending, Doubt::Acknowledged, now),
            Finding::NotFound | Finding::Unknown => self.unchanged(),
        }
    }

    fn told_delivered(
        self,
        sending: &Sending,
        (receipt, evidence): (&Receipt, Evidence),
        now: Timestamp,
    ) -> Learned {
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
    fn not_sent(mut self, sending: &Sending, now: Timestamp) -> Learned {
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

    fn doubt(self, sending: &Sending, doubt: Doubt, now: Timestamp) -> Learned {
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
