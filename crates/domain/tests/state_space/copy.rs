//! A transaction as a worker reads it: with how long ago things were, never when. It must forget
//! nothing about a transaction that any decision reads.

use crate::canonical::canonical;
use domain::provider::AbsencePolicy;
use domain::time::Timestamp;
use domain::transaction::{Age, State, Transaction};
use std::time::Duration;

/// What makes time go on, or seem to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Passing {
    /// Minutes pass.
    Minutes(u16),
    /// The clock is set forwards, by more than a step may count.
    Forwards,
    /// The same, and all of it is counted: the rule against that is broken.
    Leap,
    /// The clock is set back, by more than the last step is ago.
    Back,
}

/// How long ago the last step was by the clock, in minutes. More than a step may count is as good
/// as that; a step that lies ahead of the clock counts nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lag {
    Minutes(u16),
    Ahead,
}

const LAG_MAX: u16 = 2;

/// A transaction as it is read, without any moment: all that decisions read is how long ago things
/// were.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Copy {
    pub(crate) tx: Transaction,
    pub(crate) lag: Lag,
    pub(crate) began: u16,
}

/// When every step is learned, in minutes: copies know how long ago things were, not when.
pub(crate) const NOW: u16 = 10_000;

/// How far a clock is set back, in minutes.
const SET_BACK: u16 = 1_000;

impl Copy {
    /// The transaction as it is read at a moment.
    pub(crate) fn at(&self, now: Timestamp) -> Transaction {
        let last = match self.lag {
            Lag::Minutes(ago) => now.minus(Duration::from_mins(ago.into())),
            Lag::Ahead => now.plus(Duration::from_mins(SET_BACK.into())),
        };
        let mut tx = self.tx.clone();
        match &mut tx.state {
            State::Sending(sending) => sending.started_at = last,
            State::InDoubt(in_doubt) => in_doubt.age = Age::new(in_doubt.age.elapsed(), last),
            State::Queued(_)
            | State::Review(_)
            | State::Successful(_)
            | State::Failed(_)
            | State::Reversed(_)
            | State::Cancelled(_)
            | State::Booked(_) => {}
        }
        tx
    }

    pub(crate) fn pass(&mut self, passing: Passing, profile: AbsencePolicy) {
        self.lag = match (passing, self.lag) {
            (Passing::Minutes(_), Lag::Ahead) | (Passing::Back, _) => Lag::Ahead,
            (Passing::Minutes(more), Lag::Minutes(ago)) => Lag::Minutes(LAG_MAX.min(ago + more)),
            (Passing::Forwards, _) => Lag::Minutes(LAG_MAX),
            (Passing::Leap, _) => Lag::Minutes(0),
        };
        if let (Passing::Leap, State::InDoubt(in_doubt)) = (passing, &mut self.tx.state) {
            let age = in_doubt.age.elapsed().max(profile.quarantine);
            in_doubt.age = Age::new(age, in_doubt.age.counted_to());
        }
    }

    /// The copy without what no decision reads.
    pub(crate) fn canonical(self, spacing: Duration) -> Self {
        let tx = canonical(self.tx, spacing);
        match &tx.state {
            State::Sending(_) | State::InDoubt(_) => Self { tx, ..self },
            State::Review(_) => Self {
                tx,
                lag: Lag::Minutes(0),
                began: self.began,
            },
            State::Queued(_)
            | State::Successful(_)
            | State::Failed(_)
            | State::Reversed(_)
            | State::Cancelled(_)
            | State::Booked(_) => Self {
                tx,
                lag: Lag::Minutes(0),
                began: 0,
            },
        }
    }
}
