//! What became of a call, as a merchant is shown it. It must be Answered only where the provider
//! said so and the call is over: then it is charged.

use domain::transaction::{Disproven, Doubt, Proof, State, Transaction};
use domain::voice::{Call, UnansweredCall};

/// What a merchant is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ShownCall {
    /// It is to be made, or under way.
    Queued,
    /// It was answered.
    Answered,
    /// It was made and not answered.
    Unanswered(UnansweredCall),
    /// It was not made.
    Failed,
    /// Whether it was made is not known.
    Unknown,
}

/// What became of it.
pub(super) fn of(transaction: &Transaction) -> ShownCall {
    match &transaction.state {
        State::Queued(_) | State::Sending(_) => ShownCall::Queued,
        State::InDoubt(in_doubt) => match in_doubt.doubt {
            Doubt::Acknowledged => ShownCall::Queued,
            Doubt::Unanswered { .. } => ShownCall::Unknown,
        },
        State::Review(_) => ShownCall::Unknown,
        State::Successful(_) | State::Reversed(_) => ShownCall::Answered,
        State::Failed(disproven) => not_made(disproven),
        State::Cancelled(_) | State::Booked(_) => ShownCall::Failed,
    }
}

/// A provider that contradicted itself, or took its charge back, said nothing reliable.
fn not_made(disproven: &Disproven) -> ShownCall {
    if disproven.contradicted_at.is_some() {
        return ShownCall::Unknown;
    }
    match &disproven.proof {
        Proof::Refused(refusal) => {
            UnansweredCall::of(refusal).map_or(ShownCall::Failed, ShownCall::Unanswered)
        }
        Proof::NotSent | Proof::Absent(_) | Proof::Ruled(_) => ShownCall::Failed,
        Proof::TakenBack => ShownCall::Unknown,
    }
}

/// The call, where it was answered.
pub(super) fn answered(transaction: &Transaction) -> Option<&Call> {
    transaction.state.delivered()?.fulfilment.call()
}

/// `dlvStatus` and `dlvDescription`.
pub(super) const fn words(shown: ShownCall) -> (&'static str, &'static str) {
    match shown {
        ShownCall::Queued => ("Queued", "The call is to be made, or is under way."),
        ShownCall::Answered => ("Answered", "The person answered the call."),
        ShownCall::Unanswered(UnansweredCall::NoAnswer) => {
            ("NoAnswer", "The person did not answer the call.")
        }
        ShownCall::Unanswered(UnansweredCall::Busy) => (
            "Busy",
            "The line was busy, or the person rejected the call.",
        ),
        ShownCall::Failed => ("Failed", "The call could not be made."),
        ShownCall::Unknown => ("Unknown", "It is not known what became of the call."),
    }
}
