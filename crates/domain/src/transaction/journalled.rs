//! What a journal shows that the store has forgotten. An attempt that was recorded must be asked
//! about, whatever the store that was set back believes of the one before it.

use super::Transaction;
use super::apply::Transition;
use super::attempt::{AttemptNumber, Disproven, Proof};
use super::prepared::{PreparedAttempt, PreparedAttempts};
use super::state::{Sending, State};
use crate::event::EventKind;
use crate::time::Timestamp;

impl Transaction {
    /// A later attempt was recorded at `started_at`, which happens only once the one before it is
    /// proven not to have happened; or the first of a transaction that the store has in the queue.
    /// It counts as in flight: recovery takes it over and queries it.
    pub(super) fn journalled(
        mut self,
        (attempt, started_at): (AttemptNumber, Timestamp),
        (prepared, proof): (&PreparedAttempt, &Proof),
        now: Timestamp,
    ) -> Transition {
        let before = match &self.state {
            State::Queued(_) if attempt == AttemptNumber::FIRST => {
                let route = self.prepared.route_of(attempt).cloned();
                let prepared = PreparedAttempts::new(prepared.clone());
                self.prepared = prepared.routed(attempt, route);
                return self.in_flight((attempt, started_at), EventKind::Reopened, now);
            }
            State::Sending(sending) => sending.attempt,
            State::InDoubt(in_doubt) => in_doubt.attempt,
            State::Review(review) => review.attempt,
            State::Queued(_)
            | State::Successful(_)
            | State::Failed(_)
            | State::Reversed(_)
            | State::Cancelled(_)
            | State::Booked(_) => {
                return self.unchanged();
            }
        };
        if before.next() != Some(attempt) {
            return self.unchanged();
        }
        let ended = Disproven::new(before, proof.clone(), started_at);
        self.earlier.push(ended);
        self.prepared = self.prepared.followed_by(prepared.clone());
        self.in_flight((attempt, started_at), EventKind::Resent, now)
    }

    fn in_flight(
        self,
        (attempt, started_at): (AttemptNumber, Timestamp),
        event: EventKind,
        now: Timestamp,
    ) -> Transition {
        let state = State::Sending(Sending {
            attempt,
            started_at,
        });
        self.step(state, (event, Vec::new()), now)
    }
}
