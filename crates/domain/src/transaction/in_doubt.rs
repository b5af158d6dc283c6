//! In-doubt state: the outcome at the provider is unknown. Only a definite answer of the provider,
//! or a long and often repeated absence, may end the doubt; age alone leads to a person, never to
//! failure. Time must be read off the attempt's own age, never off the clock: a clock that is set
//! ends no quarantine.

use super::Transaction;
use super::absence::Absence;
use super::apply::{ApplyContext, Observation, Transition};
use super::attempt::Proof;
use super::state::{Doubt, Evidence, InDoubt, Review, ReviewCause, State};
use crate::event::EventKind;
use crate::family::AbsenceEnds;
use crate::provider::{QueryOutcome, Receipt, SubmitOutcome};
use crate::time::Timestamp;

impl Transaction {
    pub(super) fn while_in_doubt(
        self,
        in_doubt: InDoubt,
        observation: &Observation,
        context: ApplyContext<'_>,
    ) -> Transition {
        match observation {
            Observation::Answer { attempt, outcome } if *attempt == in_doubt.attempt => {
                self.late_answer(in_doubt, outcome, context)
            }
            Observation::Finding { attempt, finding } if *attempt == in_doubt.attempt => {
                self.found(in_doubt, finding, context)
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

    /// The answer came after we stopped waiting for it; it is as good as ever.
    fn late_answer(
        self,
        in_doubt: InDoubt,
        outcome: &SubmitOutcome,
        context: ApplyContext<'_>,
    ) -> Transition {
        match outcome {
            SubmitOutcome::Delivered(receipt) => {
                self.yes(in_doubt, (receipt, Evidence::Answered), context)
            }
            SubmitOutcome::Declined(refusal) => self.fail(
                in_doubt.attempt,
                Proof::Refused(refusal.clone()),
                context.now,
            ),
            SubmitOutcome::NotSent => self.fail(in_doubt.attempt, Proof::NotSent, context.now),
            SubmitOutcome::Pending => self.acknowledged(in_doubt, context),
            SubmitOutcome::Reversed => self.fail(in_doubt.attempt, Proof::TakenBack, context.now),
            SubmitOutcome::Unknown(_) => self.unchanged(),
        }
    }

    fn found(
        self,
        in_doubt: InDoubt,
        finding: &QueryOutcome,
        context: ApplyContext<'_>,
    ) -> Transition {
        match finding {
            QueryOutcome::Delivered(receipt) => {
                self.yes(in_doubt, (receipt, Evidence::Found), context)
            }
            QueryOutcome::Declined(refusal) => self.fail(
                in_doubt.attempt,
                Proof::Refused(refusal.clone()),
                context.now,
            ),
            QueryOutcome::Reversed => self.fail(in_doubt.attempt, Proof::TakenBack, context.now),
            QueryOutcome::Pending => self.acknowledged(in_doubt, context),
            QueryOutcome::NotFound => self.not_found(in_doubt, context),
            QueryOutcome::Unknown => self.inconclusive(in_doubt, context),
        }
    }

    fn yes(
        self,
        in_doubt: InDoubt,
        (receipt, evidence): (&Receipt, Evidence),
        context: ApplyContext<'_>,
    ) -> Transition {
        if self.is_unfinished(in_doubt.attempt, receipt) {
            return self.acknowledged(in_doubt, context);
        }
        self.delivered(
            (in_doubt.attempt, in_doubt.started_at),
            (receipt, evidence),
            context.now,
        )
    }

    /// The provider has it: absence will never count again.
    fn acknowledged(self, in_doubt: InDoubt, context: ApplyContext<'_>) -> Transition {
        self.inconclusive(
            InDoubt {
                doubt: Doubt::Acknowledged,
                ..in_doubt
            },
            context,
        )
    }

    /// "Not found" counts only for what was never acknowledged, after the quarantine, and far
    /// enough from the one before; enough of them prove absence.
    fn not_found(self, in_doubt: InDoubt, context: ApplyContext<'_>) -> Transition {
        let ApplyContext { now, profile, .. } = context;
        let in_doubt = in_doubt.aged(now);
        let age = in_doubt.age.elapsed();
        let Doubt::Unanswered { cause, absence } = in_doubt.doubt else {
            return self.inconclusive(in_doubt, context);
        };
        let crowded = absence.is_some_and(|absence| {
            age.saturating_sub(absence.last_age) < profile.not_found_spacing
        });
        if age < profile.quarantine || crowded {
            return self.inconclusive(in_doubt, context);
        }
        let absence = match absence {
            None => Absence {
                sightings: 1,
                first: now,
                last: now,
                last_age: age,
            },
            Some(seen) => Absence {
                sightings: seen.sightings.saturating_add(1),
                last: now,
                last_age: age,
                ..seen
            },
        };
        if absence.sightings >= profile.not_found_min {
            return self.absent(in_doubt, absence, context);
        }
        let doubt = Doubt::Unanswered {
            cause,
            absence: Some(absence),
        };
        self.inconclusive(InDoubt { doubt, ..in_doubt }, context)
    }

    /// The provider does not have the attempt. For most families that proves enough to release the
    /// price. It does not for a payout: banks find transfers again that they reported as absent,
    /// and money that arrived in an account cannot be fetched back. A person decides about those,
    /// and wherever a provider's absence proves nothing.
    fn absent(self, in_doubt: InDoubt, absence: Absence, context: ApplyContext<'_>) -> Transition {
        let now = context.now;
        match (self.order.service().absence(), context.profile.ends) {
            (AbsenceEnds::Payment, AbsenceEnds::Payment) => {
                self.fail(in_doubt.attempt, Proof::Absent(absence), now)
            }
            (AbsenceEnds::Search, _) | (_, AbsenceEnds::Search) => self.ask_a_person(in_doubt, now),
        }
    }

    fn inconclusive(self, in_doubt: InDoubt, context: ApplyContext<'_>) -> Transition {
        let in_doubt = in_doubt.aged(context.now);
        if in_doubt.age.elapsed() >= context.profile.review_after {
            return self.ask_a_person(in_doubt, context.now);
        }
        let checks = in_doubt.checks.saturating_add(1);
        self.note(State::InDoubt(InDoubt { checks, ..in_doubt }), context.now)
    }

    fn ask_a_person(self, in_doubt: InDoubt, now: Timestamp) -> Transition {
        let review = Review {
            attempt: in_doubt.attempt,
            started_at: in_doubt.started_at,
            cause: ReviewCause::Unresolved,
            since: now,
        };
        self.step(State::Review(review), (EventKind::Review, Vec::new()), now)
    }
}

impl InDoubt {
    /// The same, with its age counted up to a moment. Counting to one moment twice adds nothing.
    fn aged(self, now: Timestamp) -> Self {
        Self {
            age: self.age.until(now),
            ..self
        }
    }
}
