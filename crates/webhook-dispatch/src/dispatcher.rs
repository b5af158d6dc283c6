//! Keeps delivering what waits: claims it, makes the attempts and has the results recorded. It must
//! never let one endpoint cost another its turn, and must never forget what it could not record.

mod attempt;
mod bounds;
mod delivery;
mod endpoint_queue;
mod limits;
mod monotonic_clock;
mod quota;
mod recorder;
mod retention;
mod round_robin;
mod scheduler;
mod totals;
mod upkeep;

use crate::transport::Transport;
use attempt::AttemptJob;
use delivery::{AttemptOutcome, QueueKey};
use limits::{CLAIM_GAP, CLOSING_MAX, LEASE, POLL, RESULTS_MAX, TROUBLE_PAUSE};
use monotonic_clock::DispatchClock;
use ports::PortError;
use ports::clock::Clock;
use ports::ids::Ids;
use ports::measurements::Measurements;
use ports::webhooks::{AttemptResult, Claimed, DeliveryClaim, Endpoints, Outbox, Secrets};
use recorder::Recorder;
use scheduler::Scheduler;
use std::collections::HashMap;
use std::num::NonZeroU32;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Notify, mpsc};
use tokio::task::{Id, JoinError, JoinSet};
use tokio_util::sync::CancellationToken;

/// What a dispatcher works with.
#[derive(Debug, Clone)]
pub struct DispatcherParts {
    /// What waits.
    pub outbox: Arc<dyn Outbox>,
    /// For whom.
    pub endpoints: Arc<dyn Endpoints>,
    /// What deliveries are signed with.
    pub secrets: Arc<dyn Secrets>,
    /// Makes the attempts.
    pub post: Arc<dyn Transport>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Numbers for events of our own.
    pub ids: Arc<dyn Ids>,
    /// Counts and times the attempts.
    pub measurements: Arc<dyn Measurements>,
    /// How long a delivery is kept once it was made.
    pub remembered: Duration,
    /// How many deliveries an account may store.
    pub deliveries_max: NonZeroU32,
}

/// Delivers what waits.
#[derive(Debug)]
pub struct Dispatcher {
    parts: DispatcherParts,
}

impl Dispatcher {
    /// A dispatcher that looks by itself whether something waits, and as soon as results were
    /// recorded.
    pub const fn new(parts: DispatcherParts) -> Self {
        Self { parts }
    }

    /// Works until it is stopped. Claimed deliveries are still attempted if that is done soon; the
    /// rest is left to its lease, and another instance takes it over.
    pub async fn run(self, stop: CancellationToken) {
        let (results, ended) = mpsc::channel(RESULTS_MAX);
        let wake = Arc::new(Notify::new());
        let recorder = Recorder::new(self.parts.clone(), Arc::clone(&wake));
        let round = Round::new(self.parts.clone(), results);
        tokio::join!(
            round.run(&wake, &stop),
            recorder.run(ended),
            upkeep::run(&self.parts, &stop, retention::forget),
            upkeep::run(&self.parts, &stop, quota::enforce),
            upkeep::run(&self.parts, &stop, bounds::bound),
        );
    }
}

type Timer = Pin<Box<dyn Future<Output = ()> + Send>>;

/// What a task brought.
enum Step {
    Claimed(Vec<(DeliveryClaim, Result<Vec<Claimed>, PortError>)>),
    Attempted(QueueKey, AttemptOutcome),
}

/// What claiming waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Results to be recorded, or its time.
    Listening,
    /// The store.
    Claiming,
    /// A moment, so that not every record is a claim of its own.
    Resting,
    /// The store to be well again.
    Troubled,
    /// Nothing more.
    Closing,
}

struct Round {
    work: Arc<AttemptJob>,
    outbox: Arc<dyn Outbox>,
    clock: Arc<dyn Clock>,
    /// What the scheduler measures by.
    steady: DispatchClock,
    scheduler: Scheduler,
    tasks: JoinSet<Step>,
    /// Whose attempt a task is, for the case that it breaks.
    attempts: HashMap<Id, QueueKey>,
    phase: Phase,
    timer: Timer,
}

impl Round {
    fn new(parts: DispatcherParts, results: mpsc::Sender<AttemptResult>) -> Self {
        let (outbox, clock) = (Arc::clone(&parts.outbox), Arc::clone(&parts.clock));
        let steady = DispatchClock::new(Arc::clone(&clock));
        let work = AttemptJob {
            parts,
            steady: steady.clone(),
            results,
        };
        Self {
            work: Arc::new(work),
            outbox,
            scheduler: Scheduler::default(),
            tasks: JoinSet::new(),
            attempts: HashMap::new(),
            phase: Phase::Listening,
            timer: Box::pin(std::future::ready(())),
            clock,
            steady,
        }
    }

    async fn run(mut self, wake: &Notify, stop: &CancellationToken) {
        loop {
            self.start_attempts();
            let listens = self.phase == Phase::Listening;
            let closes = self.phase == Phase::Closing;
            if closes && self.tasks.is_empty() {
                break;
            }
            tokio::select! {
                () = stop.cancelled(), if !closes => self.wait(Phase::Closing),
                Some(joined) = self.tasks.join_next_with_id() => self.take_all(joined),
                () = wake.notified(), if listens => self.claim(),
                () = &mut self.timer, if self.phase != Phase::Claiming => self.time_is_up(),
            }
        }
    }

    /// Starts every attempt there is a place for, and another claim where more is known to wait.
    fn start_attempts(&mut self) {
        let now = self.steady.now();
        while let Some(turn) = self.scheduler.next(now) {
            let key = turn.key.clone();
            let of = key.clone();
            let attempt = Arc::clone(&self.work).attempt(turn);
            let task = self
                .tasks
                .spawn(async move { Step::Attempted(of, attempt.await) });
            self.attempts.insert(task.id(), key);
        }
        if matches!(self.phase, Phase::Listening | Phase::Resting) && self.scheduler.runs_low(now) {
            self.claim();
        }
    }

    fn time_is_up(&mut self) {
        match self.phase {
            Phase::Listening | Phase::Troubled => self.claim(),
            Phase::Resting => self.wait(Phase::Listening),
            Phase::Claiming => {}
            Phase::Closing => {
                self.scheduler.clear();
                // Only attempts that are under way are waited for now.
                self.timer = Box::pin(std::future::pending());
            }
        }
    }

    fn wait(&mut self, phase: Phase) {
        let pause = match phase {
            Phase::Listening | Phase::Claiming => POLL,
            Phase::Resting => CLAIM_GAP,
            Phase::Troubled => TROUBLE_PAUSE,
            Phase::Closing => CLOSING_MAX,
        };
        let clock = Arc::clone(&self.clock);
        self.timer = Box::pin(async move { clock.sleep(pause).await });
        self.phase = phase;
    }

    fn claim(&mut self) {
        let claims = self.scheduler.claims(self.steady.now(), LEASE);
        if claims.is_empty() {
            return self.wait(Phase::Resting);
        }
        let (outbox, clock) = (Arc::clone(&self.outbox), Arc::clone(&self.clock));
        self.phase = Phase::Claiming;
        self.tasks.spawn(async move {
            let mut answers = Vec::new();
            for mut claim in claims {
                // The store keeps moments of the wall clock.
                let moment = std::mem::replace(&mut claim.now, clock.now());
                let answer = outbox.claim_deliveries(&claim).await;
                claim.now = moment;
                answers.push((claim, answer));
            }
            Step::Claimed(answers)
        });
    }

    /// Takes what a task brought, and what others did meanwhile.
    fn take_all(&mut self, joined: Result<(Id, Step), JoinError>) {
        self.take(joined);
        while let Some(joined) = self.tasks.try_join_next_with_id() {
            self.take(joined);
        }
    }

    fn take(&mut self, joined: Result<(Id, Step), JoinError>) {
        match joined {
            Ok((_, Step::Claimed(answers))) => self.take_claimed(answers),
            Ok((task, Step::Attempted(key, ending))) => {
                self.attempts.remove(&task);
                self.scheduler.ended(&key, ending, self.steady.now());
            }
            Err(broken) => {
                tracing::error!(%broken, "a task of the webhooks broke; a lease brings it back");
                match self.attempts.remove(&broken.id()) {
                    Some(key) => {
                        let ending = AttemptOutcome::Failed { leave_alone: None };
                        self.scheduler.ended(&key, ending, self.steady.now());
                    }
                    None => self.rest(Phase::Troubled),
                }
            }
        }
    }

    fn take_claimed(&mut self, answers: Vec<(DeliveryClaim, Result<Vec<Claimed>, PortError>)>) {
        let mut next = Phase::Resting;
        for (claim, answer) in answers {
            match answer {
                Ok(claimed) => self.scheduler.admit(&claim, claimed),
                Err(error) => {
                    tracing::error!(%error, "due deliveries could not be claimed");
                    next = Phase::Troubled;
                }
            }
        }
        self.rest(next);
    }

    /// Goes on to a phase, unless it is closing: what a last claim brought is delivered then.
    fn rest(&mut self, phase: Phase) {
        if self.phase != Phase::Closing {
            self.wait(phase);
        }
    }
}
