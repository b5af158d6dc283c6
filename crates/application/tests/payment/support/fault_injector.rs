//! What befalls calls of ports: every call of every port asks here first. Bad weather loses or
//! delays requests and answers and does nothing else; what happens behind a port is its own doing.

use super::seeded_rng::FlowRng;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What befalls one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InjectedFault {
    /// It never arrives.
    RequestLost,
    /// It is carried out, and its response is lost.
    ResponseLost,
}

/// How many of a hundred journeys are slow in a storm, and how slow at most.
const SLOW_PERCENT: u64 = 8;
const SLOW_MILLIS: u64 = 9_000;

/// How late, at most, a lost submission arrives.
const LATE_SECONDS: u64 = 9 * 60;

/// The weather over a world.
#[derive(Debug, Default)]
pub(crate) struct FaultInjector(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    calls: usize,
    season: FaultPhase,
    reads: Reads,
}

/// What may befall calls for the time being.
#[derive(Debug, Default)]
pub(crate) enum FaultPhase {
    #[default]
    Fair,
    /// Every answer of a store takes a while.
    Slow(Duration),
    /// One call is befallen, the first being 1.
    Once(usize, InjectedFault),
    /// So many of a hundred calls are.
    Storm(FlowRng, u64),
}

/// How reading a transaction goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Reads {
    #[default]
    Work,
    Fail,
    /// They answer, after a while.
    Take(Duration),
}

impl FaultInjector {
    /// Nothing befalls anything.
    pub(crate) fn clear(&self) {
        let mut state = self.state();
        state.season = FaultPhase::Fair;
        state.reads = Reads::Work;
    }

    /// Something befalls the `n`th call from now on, and nothing else.
    pub(crate) fn befall(&self, n: usize, mishap: InjectedFault) {
        let mut state = self.state();
        state.calls = 0;
        state.season = FaultPhase::Once(n, mishap);
    }

    /// Calls of a store arrive at once, and their answers take a while.
    pub(crate) fn slow_answers(&self, by: Duration) {
        self.state().season = FaultPhase::Slow(by);
    }

    /// Something befalls so many of a hundred calls.
    pub(crate) fn storm(&self, chance: FlowRng, percent: u64) {
        self.state().season = FaultPhase::Storm(chance, percent);
    }

    /// Holds the weather off for a while.
    pub(crate) fn hold(&self) -> FaultPhase {
        std::mem::take(&mut self.state().season)
    }

    /// Lets the weather go on as it was.
    pub(crate) fn resume(&self, season: FaultPhase) {
        self.state().season = season;
    }

    /// How reading a transaction goes from now on.
    pub(crate) fn set_reads(&self, reads: Reads) {
        self.state().reads = reads;
    }

    /// How many calls were made since something was last to befall one.
    pub(crate) fn calls(&self) -> usize {
        self.state().calls
    }

    pub(super) fn reads(&self) -> Reads {
        self.state().reads
    }

    /// Counts a call and says what befalls it.
    pub(super) fn befalls(&self) -> Option<InjectedFault> {
        let mut state = self.state();
        state.calls += 1;
        let call = state.calls;
        match &mut state.season {
            FaultPhase::Fair | FaultPhase::Slow(_) => None,
            FaultPhase::Once(n, mishap) => (*n == call).then_some(*mishap),
            FaultPhase::Storm(chance, percent) => {
                let befallen = chance.percent(*percent);
                let lost = [InjectedFault::RequestLost, InjectedFault::ResponseLost];
                befallen.then(|| lost[usize::from(chance.percent(50))])
            }
        }
    }

    /// What befalls a call that is made on a count of rounds: something in storms only, and without
    /// being counted, so that it shifts no mishap of another call.
    pub(super) fn befalls_in_a_storm(&self) -> Option<InjectedFault> {
        let is_storm = matches!(self.state().season, FaultPhase::Storm(..));
        is_storm.then(|| self.befalls()).flatten()
    }

    /// How long a call of a store takes on its way there and on its way back: in a storm, now and
    /// then, longer than a payment may wait.
    pub(super) fn journey(&self) -> [Duration; 2] {
        let mut state = self.state();
        let chance = match &mut state.season {
            FaultPhase::Fair | FaultPhase::Once(..) => return [Duration::ZERO; 2],
            FaultPhase::Slow(back) => return [Duration::ZERO, *back],
            FaultPhase::Storm(chance, _) => chance,
        };
        [(); 2].map(|()| {
            let slow = chance.percent(SLOW_PERCENT);
            let millis = if slow { chance.below(SLOW_MILLIS) } else { 0 };
            Duration::from_millis(millis)
        })
    }

    /// How late a submission that seemed lost arrives after all: well within the quarantine, which
    /// is there for this.
    pub(super) fn lateness(&self) -> Option<Duration> {
        let mut state = self.state();
        let FaultPhase::Storm(chance, _) = &mut state.season else {
            return None;
        };
        let arrives = chance.percent(50);
        arrives.then(|| Duration::from_secs(chance.below(LATE_SECONDS)))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
