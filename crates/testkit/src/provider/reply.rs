//! Instructions for a scripted provider. An instruction separates what happens from what is
//! answered: most provider failures are a difference between the two.

use super::journal::{BookLine, JournalledState, ProviderBook};
use crate::builders::{one_more, receipt_of, refusal, refusal_of, unfinished_fulfilment};
use domain::provider::{
    QueryOutcome, Receipt, RefusalKind, Submission, SubmitOutcome, UnknownCause,
};
use std::time::Duration;

/// What is done with a submission.
#[derive(Debug, Clone)]
#[must_use]
pub struct ScriptedReply {
    fate: ReplyOutcome,
    says: Says,
    after: Duration,
}

#[derive(Debug, Clone, Copy)]
enum ReplyOutcome {
    /// It never arrives.
    Lost,
    Delivered,
    DeliveredOtherAmount,
    Accepted,
    /// Taken over; what completes it follows when it is finished.
    AcceptedUnfinished,
    Refused,
}

#[derive(Debug, Clone)]
enum Says {
    /// What happened.
    Truth,
    Otherwise(SubmitOutcome),
    Nothing,
}

impl ScriptedReply {
    const fn new(fate: ReplyOutcome, says: Says) -> Self {
        Self {
            fate,
            says,
            after: Duration::ZERO,
        }
    }

    /// Delivers as ordered and says so.
    pub const fn deliver() -> Self {
        Self::new(ReplyOutcome::Delivered, Says::Truth)
    }

    /// Delivers one kobo more than ordered and says so.
    pub const fn deliver_other_amount() -> Self {
        Self::new(ReplyOutcome::DeliveredOtherAmount, Says::Truth)
    }

    /// Accepts for later and says so; [`finish`](super::ScriptedProvider::finish) delivers.
    pub const fn accept() -> Self {
        Self::new(ReplyOutcome::Accepted, Says::Truth)
    }

    /// Accepts, and answers a receipt that lacks what completes the order, such as a prepaid token.
    pub const fn accept_unfinished() -> Self {
        Self::new(ReplyOutcome::AcceptedUnfinished, Says::Truth)
    }

    /// Refuses and says so.
    pub const fn decline() -> Self {
        Self::new(ReplyOutcome::Refused, Says::Truth)
    }

    /// Refuses, and says for whose fault.
    pub fn decline_for(kind: RefusalKind) -> Self {
        let outcome = SubmitOutcome::Declined(refusal_of(kind));
        Self::new(ReplyOutcome::Refused, Says::Otherwise(outcome))
    }

    /// Cannot be reached: no byte leaves.
    pub const fn not_sent() -> Self {
        Self::new(ReplyOutcome::Lost, Says::Otherwise(SubmitOutcome::NotSent))
    }

    /// The request is lost on its way; nothing happens and the cause is seen.
    pub const fn request_lost(cause: UnknownCause) -> Self {
        Self::new(
            ReplyOutcome::Lost,
            Says::Otherwise(SubmitOutcome::Unknown(cause)),
        )
    }

    /// Delivers, but the answer is lost and the cause is seen.
    pub const fn answer_lost(cause: UnknownCause) -> Self {
        Self::new(
            ReplyOutcome::Delivered,
            Says::Otherwise(SubmitOutcome::Unknown(cause)),
        )
    }

    /// Delivers and says something else.
    pub const fn deliver_but_say(outcome: SubmitOutcome) -> Self {
        Self::new(ReplyOutcome::Delivered, Says::Otherwise(outcome))
    }

    /// Says it after so much of the clock's time; what happens, happens at once.
    pub fn after(self, delay: Duration) -> Self {
        Self {
            after: delay,
            ..self
        }
    }

    /// Never answers.
    pub fn silently(self) -> Self {
        Self {
            says: Says::Nothing,
            ..self
        }
    }

    pub(super) const fn delay(&self) -> Duration {
        self.after
    }

    pub(super) const fn is_silent(&self) -> bool {
        matches!(self.says, Says::Nothing)
    }

    /// Makes it happen and answers what is said of it.
    pub(super) fn happens(
        &self,
        submission: &Submission,
        book: &mut ProviderBook,
    ) -> SubmitOutcome {
        let Submission {
            reference, order, ..
        } = submission;
        let receipt = receipt_of(reference, order);
        let (standing, truth) = match self.fate {
            ReplyOutcome::Lost => (None, SubmitOutcome::Unknown(UnknownCause::Timeout)),
            ReplyOutcome::Delivered => delivered(receipt),
            ReplyOutcome::DeliveredOtherAmount => delivered(Receipt {
                amount: one_more(receipt.amount),
                ..receipt
            }),
            ReplyOutcome::Accepted => (
                Some(JournalledState::Accepted(receipt)),
                SubmitOutcome::Pending,
            ),
            ReplyOutcome::AcceptedUnfinished => {
                let said = unfinished(receipt.clone());
                (Some(JournalledState::Accepted(receipt)), said)
            }
            ReplyOutcome::Refused => (
                Some(JournalledState::Refused),
                SubmitOutcome::Declined(refusal()),
            ),
        };
        if let Some(standing) = standing {
            book.add(BookLine {
                reference: reference.clone(),
                order: order.clone(),
                standing,
            });
        }
        match &self.says {
            Says::Truth | Says::Nothing => truth,
            Says::Otherwise(outcome) => outcome.clone(),
        }
    }
}

fn delivered(receipt: Receipt) -> (Option<JournalledState>, SubmitOutcome) {
    let said = SubmitOutcome::Delivered(receipt.clone());
    (Some(JournalledState::Delivered(receipt)), said)
}

fn unfinished(receipt: Receipt) -> SubmitOutcome {
    match unfinished_fulfilment(&receipt.fulfilment) {
        None => SubmitOutcome::Pending,
        Some(fulfilment) => SubmitOutcome::Delivered(Receipt {
            fulfilment,
            ..receipt
        }),
    }
}

/// What is done with a query. Nothing ever changes by it.
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct QueryReply {
    said: Option<QueryOutcome>,
    silent: bool,
    after: Duration,
}

impl QueryReply {
    /// Answers what the journal says.
    pub fn truth() -> Self {
        Self::default()
    }

    /// Answers this, whatever the journal says.
    pub fn say(finding: QueryOutcome) -> Self {
        Self {
            said: Some(finding),
            ..Self::default()
        }
    }

    /// Never answers.
    pub fn silence() -> Self {
        Self {
            silent: true,
            ..Self::default()
        }
    }

    /// Answers after so much of the clock's time.
    pub fn after(self, delay: Duration) -> Self {
        Self {
            after: delay,
            ..self
        }
    }

    pub(super) const fn delay(&self) -> Duration {
        self.after
    }

    pub(super) const fn is_silent(&self) -> bool {
        self.silent
    }

    pub(super) fn said(&self) -> Option<QueryOutcome> {
        self.said.clone()
    }
}
