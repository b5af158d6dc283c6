//! The fault injector: every call of every port asks it first. It must lose or delay requests and
//! answers only; what happens behind a port is the port's.

use super::seeded_rng::FlowRng;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The fault of one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InjectedFault {
    /// It never arrives.
    RequestLost,
    /// It is carried out, and its response is lost.
    ResponseLost,
}

/// How many of a hundred journeys are slow among random faults, and how slow at most.
const SLOW_PERCENT: u64 = 8;
const SLOW_MILLIS: u64 = 9_000;

/// How late, at most, a lost submission arrives.
const LATE_SECONDS: u64 = 9 * 60;

/// Injects faults into the calls of a world.
#[derive(Debug, Default)]
pub(crate) struct FaultInjector(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    calls: usize,
    phase: FaultPhase,
    reads: Reads,
}

/// Which faults are injected for the time being.
#[derive(Debug, Default)]
pub(crate) enum FaultPhase {
    #[default]
    Off,
    /// Every answer of a store takes a while.
    Slow(Duration),
    /// One call fails, the first being 1.
    Once(usize, InjectedFault),
    /// So many of a hundred calls fail.
    Random(FlowRng, u64),
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
    /// No call fails from now on.
    pub(crate) fn clear(&self) {
        let mut state = self.state();
        state.phase = FaultPhase::Off;
        state.reads = Reads::Work;
    }

    /// One fault, in the `n`th call from now on, and in no other.
    pub(crate) fn inject_at(&self, n: usize, fault: InjectedFault) {
        let mut state = self.state();
        state.calls = 0;
        state.phase = FaultPhase::Once(n, fault);
    }

    /// Calls of a store arrive at once, and their answers take a while.
    pub(crate) fn slow_answers(&self, by: Duration) {
        self.state().phase = FaultPhase::Slow(by);
    }

    /// Random faults in so many of a hundred calls.
    pub(crate) fn randomize(&self, chance: FlowRng, percent: u64) {
        self.state().phase = FaultPhase::Random(chance, percent);
    }

    /// Stops injecting, until `resume`.
    pub(crate) fn pause(&self) -> FaultPhase {
        std::mem::take(&mut self.state().phase)
    }

    /// Goes on injecting as before `pause`.
    pub(crate) fn resume(&self, phase: FaultPhase) {
        self.state().phase = phase;
    }

    /// How reading a transaction goes from now on.
    pub(crate) fn set_reads(&self, reads: Reads) {
        self.state().reads = reads;
    }

    /// How many calls were made since the last `inject_at`.
    pub(crate) fn calls(&self) -> usize {
        self.state().calls
    }

    pub(super) fn reads(&self) -> Reads {
        self.state().reads
    }

    /// Counts a call and returns its fault.
    pub(super) fn next_fault(&self) -> Option<InjectedFault> {
        let mut state = self.state();
        state.calls += 1;
        let call = state.calls;
        match &mut state.phase {
            FaultPhase::Off | FaultPhase::Slow(_) => None,
            FaultPhase::Once(n, fault) => (*n == call).then_some(*fault),
            FaultPhase::Random(chance, percent) => {
                let fails = chance.percent(*percent);
                let lost = [InjectedFault::RequestLost, InjectedFault::ResponseLost];
                fails.then(|| lost[usize::from(chance.percent(50))])
            }
        }
    }

    /// The fault of a call that is made on a count of rounds: random faults only, and the call is
    /// not counted, so that it shifts no fault of another call.
    pub(super) fn random_fault(&self) -> Option<InjectedFault> {
        let is_random = matches!(self.state().phase, FaultPhase::Random(..));
        is_random.then(|| self.next_fault()).flatten()
    }

    /// How long a call of a store takes on its way there and on its way back: among random faults,
    /// now and then, longer than a payment may wait.
    pub(super) fn journey(&self) -> [Duration; 2] {
        let mut state = self.state();
        let chance = match &mut state.phase {
            FaultPhase::Off | FaultPhase::Once(..) => return [Duration::ZERO; 2],
            FaultPhase::Slow(back) => return [Duration::ZERO, *back],
            FaultPhase::Random(chance, _) => chance,
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
        let FaultPhase::Random(chance, _) = &mut state.phase else {
            return None;
        };
        let arrives = chance.percent(50);
        arrives.then(|| Duration::from_secs(chance.below(LATE_SECONDS)))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
