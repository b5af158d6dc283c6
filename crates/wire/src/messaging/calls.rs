//! How long a call may take, and what became of it, as a merchant is shown it. It must be Answered
//! only where the provider said so and the call is over: then it is charged.

use crate::attribute::{CALL_MINUTES, CALL_WINDOW};
use crate::reader::{FieldReader, InvalidField};
use crate::tree::Object;
use crate::zone::Zone;
use domain::transaction::{Disproven, Doubt, Proof, State, Transaction};
use domain::voice::{Call, CallMinutes, CallWindow, UnansweredCall};

/// Reads how long a call may take.
pub(crate) fn minutes(reader: &mut FieldReader<'_>) -> Result<CallMinutes, InvalidField> {
    let minutes = reader.count(&CALL_MINUTES, (1, u64::from(CallMinutes::MAX)))?;
    let minutes = minutes.map_or(Ok(CallMinutes::DEFAULT), CallMinutes::try_new);
    // It was read within its range.
    minutes.map_err(|wrong| reader.fault(&CALL_MINUTES, &wrong.to_string()))
}

/// Reads for how long the person may be called.
pub(crate) fn window(reader: &mut FieldReader<'_>) -> Result<CallWindow, InvalidField> {
    let window = reader.count(&CALL_WINDOW, (1, u64::from(CallWindow::MAX)))?;
    let window = window.map_or(Ok(CallWindow::DEFAULT), CallWindow::try_new);
    window.map_err(|wrong| reader.fault(&CALL_WINDOW, &wrong.to_string()))
}

/// What became of a call, as an answer shows it.
pub(crate) fn view(transaction: &Transaction, zone: &Zone) -> Object {
    let (word, description) = words(of(transaction));
    let call = answered(transaction);
    let answered_at = call.and_then(|it| it.answered_at);
    let seconds = call.and_then(|it| it.seconds).map(u64::from);
    Object::new()
        .with("dlvStatus", word)
        .with("dlvDescription", description)
        .with("callAnswered", answered_at.map(|at| zone.date_time(at)))
        .with("callDuration", seconds)
}

/// What a merchant is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ShownCall {
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
fn of(transaction: &Transaction) -> ShownCall {
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
pub(crate) fn answered(transaction: &Transaction) -> Option<&Call> {
    let fulfilment = &transaction.state.delivered()?.fulfilment;
    let run = || fulfilment.flow_run().map(|run| &run.call);
    fulfilment.call().or_else(run)
}

/// `dlvStatus` and `dlvDescription`.
const fn words(shown: ShownCall) -> (&'static str, &'static str) {
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
