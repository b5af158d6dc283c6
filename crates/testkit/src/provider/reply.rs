//! What a scripted provider is told to do. An instruction keeps apart what happens and what is said
//! of it: most of what goes wrong with providers is a difference between the two.

use super::book::{BookLine, ProviderBook, Standing};
use crate::builders::{one_more, receipt_of, refusal, unfinished_fulfilment};
use domain::provider::{Finding, Outcome, Receipt, Submission, UnknownCause};
use std::time::Duration;

/// What is done with a submission.
#[derive(Debug, Clone)]
#[must_use]
pub struct Reply {
    fate: Fate,
    says: Says,
    after: Duration,
}

#[derive(Debug, Clone, Copy)]
enum Fate {
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
    Otherwise(Outcome),
    Nothing,
}

impl Reply {
    const fn new(fate: Fate, says: Says) -> Self {
        Self {
            fate,
            says,
            after: Duration::ZERO,
        }
    }

    /// Delivers as ordered and says so.
    pub const fn deliver() -> Self {
        Self::new(Fate::Delivered, Says::Truth)
    }

    /// Delivers one kobo more than ordered and says so.
    pub const fn deliver_other_amount() -> Self {
        Self::new(Fate::DeliveredOtherAmount, Says::Truth)
    }

    /// Accepts for later and says so; [`finish`](super::ScriptedProvider::finish) delivers.
    pub const fn accept() -> Self {
        Self::new(Fate::Accepted, Says::Truth)
    }

    /// Accepts, and answers a receipt that lacks what completes the order, such as a prepaid token.
    pub const fn accept_unfinished() -> Self {
        Self::new(Fate::AcceptedUnfinished, Says::Truth)
    }

    /// Refuses and says so.
    pub const fn decline() -> Self {
        Self::new(Fate::Refused, Says::Truth)
    }

    /// Cannot be reached: no byte leaves.
    pub const fn not_sent() -> Self {
        Self::new(Fate::Lost, Says::Otherwise(Outcome::NotSent))
    }

    /// The request is lost on its way; nothing happens and the cause is seen.
    pub const fn request_lost(cause: UnknownCause) -> Self {
        Self::new(Fate::Lost, Says::Otherwise(Outcome::Unknown(cause)))
    }

    /// Delivers, but the answer is lost and the cause is seen.
    pub const fn answer_lost(cause: UnknownCause) -> Self {
        Self::new(Fate::Delivered, Says::Otherwise(Outcome::Unknown(cause)))
    }

    /// Delivers and says something else.
    pub const fn deliver_but_say(outcome: Outcome) -> Self {
        Self::new(Fate::Delivered, Says::Otherwise(outcome))
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
    pub(super) fn happens(&self, submission: &Submission, book: &mut ProviderBook) -> Outcome {
        let Submission {
            reference, order, ..
        } = submission;
        let receipt = receipt_of(reference, order);
        let (standing, truth) = match self.fate {
            Fate::Lost => (None, Outcome::Unknown(UnknownCause::Timeout)),
            Fate::Delivered => delivered(receipt),
            Fate::DeliveredOtherAmount => delivered(Receipt {
                amount: one_more(receipt.amount),
                ..receipt
            }),
            Fate::Accepted => (Some(Standing::Accepted(receipt)), Outcome::Pending),
            Fate::AcceptedUnfinished => {
                let said = unfinished(receipt.clone());
                (Some(Standing::Accepted(receipt)), said)
            }
            Fate::Refused => (Some(Standing::Refused), Outcome::Declined(refusal())),
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

fn delivered(receipt: Receipt) -> (Option<Standing>, Outcome) {
    let said = Outcome::Delivered(receipt.clone());
    (Some(Standing::Delivered(receipt)), said)
}

fn unfinished(receipt: Receipt) -> Outcome {
    match unfinished_fulfilment(&receipt.fulfilment) {
        None => Outcome::Pending,
        Some(fulfilment) => Outcome::Delivered(Receipt {
            fulfilment,
            ..receipt
        }),
    }
}

/// What is done with a query. Nothing ever changes by it.
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct QueryReply {
    said: Option<Finding>,
    silent: bool,
    after: Duration,
}

impl QueryReply {
    /// Answers what the book says.
    pub fn truth() -> Self {
        Self::default()
    }

    /// Answers this, whatever the book says.
    pub fn say(finding: Finding) -> Self {
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

    pub(super) fn said(&self) -> Option<Finding> {
        self.said.clone()
    }
}
