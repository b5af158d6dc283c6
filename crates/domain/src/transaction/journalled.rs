//! What a journal shows that the store has forgotten. An attempt that was recorded must be asked
//! about, whatever the store that was set back believes of the one before it.

use super::Transaction;
use super::apply::Transition;
use super::attempt::{AttemptNumber, Disproven, Proof};
use super::prepared::PreparedAttempt;
use super::state::{Sending, State};
use crate::event::EventKind;
use crate::time::Timestamp;

impl Transaction {
    /// A later attempt was recorded at `started_at`, which happens only once the one before it is
    /// proven not to have happened. It counts as in flight: recovery takes it over and queries it.
    pub(super) fn journalled(
        mut self,
        (attempt, started_at): (AttemptNumber, Timestamp),
        (prepared, proof): (&PreparedAttempt, &Proof),
        now: Timestamp,
    ) -> Transition {
        let before = match &self.state {
            State::Sending(sending) => sending.attempt,
            State::InDoubt(in_doubt) => in_doubt.attempt,
            State::Review(review) => review.attempt,
            State::Successful(_) | State::Failed(_) | State::Reversed(_) => {
                return self.unchanged();
            }
        };
        if before.next() != Some(attempt) {
            return self.unchanged();
        }
        let ended = Disproven::new(before, proof.clone(), started_at);
        self.earlier.push(ended);
        self.prepared = self.prepared.followed_by(prepared.clone());
        let state = State::Sending(Sending {
            attempt,
            started_at,
        });
        self.step(state, (EventKind::Resent, Vec::new()), now)
    }
}
