//! The form in which equal transactions are equal: without what no decision reads. It must drop
//! nothing that a decision reads.

use crate::machine::at;
use domain::transaction::{Absence, Age, Disproven, Doubt, Proof, State, Transaction};
use std::time::Duration;

/// Versions and event numbers only ever rise by one, which is checked at every step; every stored
/// transaction is brought back to these two.
const VERSION: u32 = 7;
const SEQUENCE: u32 = 5;

/// The transaction without what no decision reads: counters, and when final things happened.
pub(crate) fn canonical(mut tx: Transaction, spacing: Duration) -> Transaction {
    tx.version = VERSION;
    tx.sequence = SEQUENCE;
    tx.updated_at = at(0);
    tx.earlier.iter_mut().for_each(forget_when);
    match &mut tx.state {
        State::Queued(_) => {}
        State::Cancelled(cancelled) => cancelled.at = at(0),
        State::Booked(booked) => booked.at = at(0),
        State::Sending(sending) => sending.started_at = at(0),
        State::InDoubt(in_doubt) => {
            in_doubt.checks = 0;
            in_doubt.started_at = at(0);
            let age = in_doubt.age.elapsed();
            in_doubt.age = Age::new(age, at(0));
            if let Doubt::Unanswered { absence, .. } = &mut in_doubt.doubt {
                *absence = absence.map(|seen| Absence {
                    first: at(0),
                    last: at(0),
                    // Further apart than they must be is as good as that.
                    last_age: age.saturating_sub(age.saturating_sub(seen.last_age).min(spacing)),
                    ..seen
                });
            }
        }
        State::Review(review) => (review.started_at, review.since) = (at(0), at(0)),
        State::Successful(delivered) => delivered.at = at(0),
        State::Failed(disproven) => forget_when(disproven),
        State::Reversed(reversed) => {
            reversed.at = at(0);
            reversed.delivered.at = at(0);
        }
    }
    tx
}

fn forget_when(disproven: &mut Disproven) {
    disproven.at = at(0);
    disproven.contradicted_at = disproven.contradicted_at.map(|_| at(0));
    disproven.taken_back_at = disproven.taken_back_at.map(|_| at(0));
    if let Proof::Absent(absence) = &mut disproven.proof {
        (absence.first, absence.last) = (at(0), at(0));
        absence.last_age = Duration::ZERO;
    }
}
