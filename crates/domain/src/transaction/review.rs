//! While a person must decide. A ruling must name its evidence and who stands for it, and never be
//! made by the passing of time.

use super::Transaction;
use super::apply::{ApplyContext, Observation, Transition};
use super::attempt::Proof;
use super::ruling::{Ruling, Verdict};
use super::state::{Delivered, Evidence, Review, ReviewCause};
use crate::provider::{QueryOutcome, Receipt, SubmitOutcome};

impl Transaction {
    pub(super) fn while_in_review(
        self,
        review: &Review,
        observation: &Observation,
        context: ApplyContext<'_>,
    ) -> Transition {
        match observation {
            Observation::Ruling(ruling) => self.ruled(review, ruling, context),
            Observation::Answer { attempt, outcome } if *attempt == review.attempt => match outcome
            {
                SubmitOutcome::Delivered(receipt) => {
                    self.truth(review, Truth::Yes(receipt, Evidence::Answered), context)
                }
                SubmitOutcome::Declined(refusal) => {
                    self.truth(review, Truth::No(Proof::Refused(refusal.clone())), context)
                }
                SubmitOutcome::NotSent => self.truth(review, Truth::No(Proof::NotSent), context),
                SubmitOutcome::Reversed => self.truth(review, Truth::No(Proof::TakenBack), context),
                SubmitOutcome::Pending | SubmitOutcome::Unknown(_) => self.unchanged(),
            },
            Observation::Finding { attempt, finding } if *attempt == review.attempt => {
                match finding {
                    QueryOutcome::Delivered(receipt) => {
                        self.truth(review, Truth::Yes(receipt, Evidence::Found), context)
                    }
                    QueryOutcome::Declined(refusal) => {
                        self.truth(review, Truth::No(Proof::Refused(refusal.clone())), context)
                    }
                    QueryOutcome::Reversed => {
                        self.truth(review, Truth::No(Proof::TakenBack), context)
                    }
                    QueryOutcome::Pending | QueryOutcome::NotFound | QueryOutcome::Unknown => {
                        self.unchanged()
                    }
                }
            }
            Observation::Answer { .. }
            | Observation::Finding { .. }
            | Observation::Takeover { .. }
            | Observation::Due
            | Observation::Cancellation(_)
            | Observation::Decision(_)
            | Observation::Claimed(_)
            | Observation::Refund(_)
            | Observation::Journalled { .. } => self.unchanged(),
        }
    }

    fn ruled(self, review: &Review, ruling: &Ruling, context: ApplyContext<'_>) -> Transition {
        let attempt = review.attempt;
        match &ruling.verdict {
            Verdict::NotDelivered => self.fail(attempt, Proof::Ruled(ruling.clone()), context.now),
            Verdict::Delivered(fulfilment) if fulfilment.completes(&self.order) => {
                let evidence = Evidence::Ruled(ruling.clone());
                let fulfilment = fulfilment.clone();
                self.succeed(Delivered {
                    attempt,
                    fulfilment,
                    evidence,
                    at: context.now,
                    refund: None,
                })
            }
            Verdict::Delivered(_) => self.unchanged(),
        }
    }

    /// A definite word that came while a person was asked. It settles what was merely unresolved; a
    /// contradiction stays with the person, for the provider has already said two things.
    fn truth(self, review: &Review, truth: Truth<'_>, context: ApplyContext<'_>) -> Transition {
        match (&review.cause, truth) {
            (ReviewCause::Mismatch { .. }, _) => self.unchanged(),
            (ReviewCause::Unresolved, Truth::No(proof)) => {
                self.fail(review.attempt, proof, context.now)
            }
            (ReviewCause::Unresolved, Truth::Yes(receipt, evidence)) => {
                if self.is_unfinished(review.attempt, receipt) {
                    return self.unchanged();
                }
                let attempt = (review.attempt, review.started_at);
                self.delivered(attempt, (receipt, evidence), context.now)
            }
        }
    }
}

enum Truth<'a> {
    Yes(&'a Receipt, Evidence),
    No(Proof),
}
