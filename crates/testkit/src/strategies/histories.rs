//! Whole histories of transactions: an opening and the steps that observations made of it. Every
//! step must be one that `learn` made.

use super::observations::{ArbitraryObservation, elapsed, observations};
use crate::builders::{PurchaseBuilder, START, apply_by};
use domain::change_set::{Opening, StateChange};
use domain::opening::Draft;
use domain::provider::AbsencePolicy;
use domain::time::Timestamp;
use domain::transaction::{Observation, State, Transaction};
use proptest::prelude::*;
use std::time::Duration;

/// Most observations of a random history: enough for two attempts, four absences and a
/// contradiction.
const OBSERVATIONS_MAX: usize = 10;

/// The absence policy of histories: short enough that a few steps end a quarantine and lead to a
/// review.
const HASTY: AbsencePolicy = AbsencePolicy {
    quarantine: Duration::from_mins(1),
    review_after: Duration::from_mins(6),
    ..AbsencePolicy::CAUTIOUS
};

/// How long after it was opened a history may be taken over.
const TAKEOVER_AFTER: Duration = Duration::from_mins(1);

/// The history of a transaction, step by step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArbitraryHistory {
    /// How it began.
    pub opening: Opening,
    /// What became of it.
    pub steps: Vec<StateChange>,
}

impl ArbitraryHistory {
    /// The history of a purchase without observations yet.
    pub fn of(purchase: PurchaseBuilder) -> Self {
        Self {
            opening: purchase.opening(),
            steps: Vec::new(),
        }
    }

    /// Adds an observation, so many seconds after [`START`]; it must change something.
    #[must_use]
    pub fn observed(
        mut self,
        second: u64,
        observation: impl Fn(&Transaction) -> Observation,
    ) -> Self {
        let now = START.plus(Duration::from_secs(second));
        let (tx, observation) = (self.last(), observation(self.last()));
        let step = apply_by(&HASTY, tx, &observation, now);
        let step =
            step.unwrap_or_else(|| panic!("{observation:?} changes nothing of {:?}", tx.state));
        self.steps.push(step);
        self
    }

    /// The transaction as it is at the end.
    pub fn last(&self) -> &Transaction {
        let last = self.steps.last().map(|step| &step.transaction);
        last.unwrap_or(&self.opening.transaction)
    }

    /// Applies observations in order; those that change nothing are skipped.
    fn lived(draft: Draft, received: &[(Duration, ArbitraryObservation)]) -> Self {
        let opening = draft.open(START, START.plus(TAKEOVER_AFTER));
        let steps = Vec::new();
        let mut history = Self { opening, steps };
        let mut now: Timestamp = START;
        for (elapsed, observation) in received {
            now = now.plus(*elapsed);
            let observation = observation.about(history.last());
            let step = apply_by(&HASTY, history.last(), &observation, now);
            history.steps.extend(step);
        }
        history
    }
}

/// Random histories of random drafts.
pub fn histories(drafts: impl Strategy<Value = Draft>) -> impl Strategy<Value = ArbitraryHistory> {
    let received = proptest::collection::vec((elapsed(), observations()), 0..=OBSERVATIONS_MAX);
    (drafts, received).prop_map(|(draft, received)| ArbitraryHistory::lived(draft, &received))
}

/// Any transaction that random observations can make of random drafts.
pub fn transactions(drafts: impl Strategy<Value = Draft>) -> impl Strategy<Value = Transaction> {
    histories(drafts).prop_map(|history| history.last().clone())
}

/// Any state that random observations can lead to.
pub fn states(drafts: impl Strategy<Value = Draft>) -> impl Strategy<Value = State> {
    transactions(drafts).prop_map(|tx| tx.state)
}
