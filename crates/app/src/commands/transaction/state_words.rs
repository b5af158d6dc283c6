//! Where a payment stands, in the words that commands show. It must not judge anything.

use domain::transaction::State;
use ports::backlog::OpenState;

/// The word for people and scripts.
pub(super) const fn of(state: &State) -> &'static str {
    match state {
        State::Queued(_) => open(OpenState::Queued),
        State::Sending(_) => open(OpenState::Sending),
        State::InDoubt(_) => open(OpenState::InDoubt),
        State::Review(_) => open(OpenState::Review),
        State::Successful(_) => "successful",
        State::Failed(_) => "failed",
        State::Reversed(_) => "reversed",
        State::Cancelled(_) => "cancelled",
        State::Booked(_) => "booked",
    }
}

/// The word for a state that is not final.
pub(in crate::commands) const fn open(state: OpenState) -> &'static str {
    match state {
        OpenState::Queued => "queued",
        OpenState::Sending => "sending",
        OpenState::InDoubt => "in doubt",
        OpenState::Review => "in review",
    }
}
