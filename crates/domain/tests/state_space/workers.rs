//! What the two workers do: the one that serves the request, and the one that takes over, queries,
//! receives reports or rules. They must behave like the gateway's: read, act, apply, compare and
//! set, and on a conflict apply the same observation to what was stored. A broken rule changes what
//! they do here.

use crate::behaviour::Quirk;
use crate::checks::{Violation, check_step};
use crate::machine::{Kind, Machine};
use crate::network;
use crate::rules::Rule;
use crate::search::{Luck, Move, Setup};
use crate::world::{Filling, LAST_BEGINNING, Observed, RecoveryWorker, Role, SearchedWorld, Truth};
use domain::transaction::Age;
use std::time::Duration;

/// Everything one of the workers may do.
pub(crate) fn moves(
    setup: &Setup,
    machine: &mut Machine,
    (world, who): (&SearchedWorld, usize),
    out: &mut Vec<Move>,
) {
    let step = Step { setup, world, who };
    match world.workers[who].role {
        Role::Idle => return step.idle(machine, out),
        Role::Opening => step.open(machine, out),
        Role::Sending => step.send(machine, out),
        Role::Waiting => step.wait(machine, out),
        Role::Asking => step.ask(machine, out),
        Role::Reporting(received, attempt) => step.learn(machine, (received, attempt), out),
    }
    out.push(Move::new(
        "a worker dies",
        Luck::Bad,
        step.with(RecoveryWorker::IDLE),
    ));
}

/// One worker's turn.
struct Step<'a> {
    setup: &'a Setup,
    world: &'a SearchedWorld,
    who: usize,
}

impl Step<'_> {
    /// The world with this worker changed.
    fn with(&self, worker: RecoveryWorker) -> SearchedWorld {
        let mut next = *self.world;
        next.workers[self.who] = worker;
        next
    }

    /// The world with this worker in another role, holding the copy it had.
    fn then(&self, role: Role) -> SearchedWorld {
        let worker = self.world.workers[self.who];
        self.with(RecoveryWorker { role, ..worker })
    }

    /// The world with this worker in a role on a fresh copy of what is stored.
    fn fresh(&self, machine: &Machine, role: Role) -> SearchedWorld {
        let copy = machine.read(self.world.stored);
        self.with(RecoveryWorker {
            role,
            copy,
            stale: false,
        })
    }

    /// A worker that is free looks at what is open, rules what waits for a person, and listens.
    fn idle(&self, machine: &mut Machine, out: &mut Vec<Move>) {
        let Some(stored) = machine.stored(self.world.stored) else {
            return;
        };
        if stored.kind == Kind::Queued {
            return self.queued(out, machine);
        }
        if !stored.kind.is_final() {
            let next = self.fresh(machine, Role::Asking);
            out.push(Move::new(
                "a worker looks at what is open",
                Luck::Good,
                next,
            ));
        }
        if stored.kind == Kind::Review
            && let Some((ruled, world)) = network::ruling(machine, self.world)
        {
            let ruling = Step {
                world: &world,
                ..*self
            };
            let next = ruling.fresh(machine, Role::Reporting(ruled, stored.attempt));
            out.push(Move::new("persons rule", Luck::Good, next));
        }
        if stored.kind == Kind::Successful && self.setup.refunds {
            let next = self.fresh(machine, Role::Reporting(Observed::Refunded, stored.attempt));
            out.push(Move::new("the gateway refunds it", Luck::Bad, next));
        }
        let copy = machine.read(self.world.stored);
        for attempt in 0..2 {
            let number = usize::from(attempt);
            for received in network::said(self.setup.at(number), self.world.attempts[number]) {
                let received = self.misread(received);
                let ignored =
                    self.setup.is_broken(Rule::LateYesIsBooked) && stored.kind == Kind::Failed;
                let observation = machine.learn(copy, (received, attempt), self.world.moment);
                let counts = observation.is_some()
                    || self.acknowledges(machine, (received, attempt)) && !self.world.acknowledged;
                if counts && !ignored {
                    let next = self.fresh(machine, Role::Reporting(received, attempt));
                    out.push(Move::new("the provider reports", Luck::Good, next));
                }
            }
        }
    }

    /// What is queued leaves the queue by a step of its own: with an attempt while one may begin,
    /// or because its merchant cancels it.
    fn queued(&self, out: &mut Vec<Move>, machine: &Machine) {
        if self.setup.is_broken(Rule::RecordBeforeSending)
            && self.world.attempts[0] == Truth::Nothing
        {
            let mut next = *self.world;
            next.attempts[0] = Truth::OnTheWay;
            out.push(Move::new("it is sent", Luck::Good, next));
        }
        if self.world.moment <= LAST_BEGINNING {
            let next = self.fresh(machine, Role::Reporting(Observed::Due, 0));
            out.push(Move::new("its moment has come", Luck::Good, next));
        }
        let next = self.fresh(machine, Role::Reporting(Observed::Cancelled, 0));
        out.push(Move::new("its merchant cancels it", Luck::Good, next));
        if self.setup.awaits_approval {
            let next = self.fresh(machine, Role::Reporting(Observed::Approved, 0));
            out.push(Move::new("another user approves it", Luck::Good, next));
            let next = self.fresh(machine, Role::Reporting(Observed::Refused, 0));
            out.push(Move::new("another user refuses it", Luck::Good, next));
        }
    }

    fn open(&self, machine: &mut Machine, out: &mut Vec<Move>) {
        let sent = self.world.attempts[0] != Truth::Nothing;
        if self.setup.is_broken(Rule::RecordBeforeSending) && !sent {
            let mut next = *self.world;
            next.attempts[0] = Truth::OnTheWay;
            out.push(Move::new("it is sent", Luck::Good, next));
            return;
        }
        let stored = machine.open(self.setup.is_queued, self.setup.awaits_approval);
        let opened = Step {
            world: &SearchedWorld {
                stored,
                ..*self.world
            },
            ..*self
        };
        let role = if sent { Role::Waiting } else { Role::Sending };
        let next = if self.setup.is_queued {
            opened.with(RecoveryWorker::IDLE)
        } else {
            opened.fresh(machine, role)
        };
        out.push(Move::new("the payment is recorded", Luck::Good, next));
        let unsure = opened.with(RecoveryWorker::IDLE);
        out.push(Move::new(
            "it is recorded, unknown to the worker",
            Luck::Bad,
            unsure,
        ));
    }

    fn send(&self, machine: &Machine, out: &mut Vec<Move>) {
        let attempt = machine.copy(self.world.workers[self.who].copy).attempt;
        let refused = Role::Reporting(Observed::NotSent, attempt);
        let behaviour = self.setup.at(attempt.into());
        if behaviour.has(Quirk::Unreachable) {
            out.push(Move::new("no connection", Luck::Good, self.then(refused)));
            return;
        }
        out.push(Move::new("no connection", Luck::Bad, self.then(refused)));
        let next = self.sent(attempt, Role::Waiting);
        out.push(Move::new("it is sent", Luck::Good, next));
        if behaviour.has(Quirk::LiesAboutConnections) {
            let next = self.sent(attempt, refused);
            out.push(Move::new("no connection, they say", Luck::Bad, next));
        }
    }

    /// The world with the attempt on the way. One that the provider has already is there at once.
    fn sent(&self, attempt: u8, role: Role) -> SearchedWorld {
        let mut next = self.then(role);
        let truth = &mut next.attempts[usize::from(attempt)];
        if *truth == Truth::Nothing {
            *truth = match self.world.moment {
                0 => Truth::OnTheWay,
                _ => Truth::OnTheWayLater,
            };
        }
        next
    }

    fn wait(&self, machine: &Machine, out: &mut Vec<Move>) {
        let attempt = machine.copy(self.world.workers[self.who].copy).attempt;
        let truth = self.world.attempts[usize::from(attempt)];
        let receive = |received| self.then(Role::Reporting(self.misread(received), attempt));
        let behaviour = self.setup.at(attempt.into());
        let mute = behaviour.has(Quirk::LosesAnswers);
        let mut luck = Luck::Good;
        if !mute {
            for received in network::said(behaviour, truth) {
                out.push(Move::new("the answer comes", Luck::Good, receive(received)));
                luck = Luck::Bad;
            }
        }
        out.push(Move::new(
            "no answer comes",
            luck,
            receive(Observed::Nothing),
        ));
        if self.setup.is_broken(Rule::OneOpenAttempt) && attempt == 0 {
            let next = self.then(Role::Reporting(Observed::NotSent, attempt));
            out.push(Move::new(
                "a second attempt is begun meanwhile",
                Luck::Good,
                next,
            ));
        }
    }

    /// Takes over what another worker was sending; queries what is in doubt or under review.
    fn ask(&self, machine: &Machine, out: &mut Vec<Move>) {
        let copy = machine.copy(self.world.workers[self.who].copy);
        let attempt = copy.attempt;
        if copy.kind == Kind::Sending {
            self.ask_meanwhile(machine, out);
            let takeover = Role::Reporting(Observed::Takeover, attempt);
            if self.setup.is_broken(Rule::TakeoverNeverSends) {
                self.send_again(attempt, takeover, out);
            } else {
                out.push(Move::new(
                    "a worker takes over",
                    Luck::Good,
                    self.then(takeover),
                ));
            }
            return;
        }
        for (found, luck) in network::found(self.setup, self.world, (copy, attempt)) {
            let mut received = self.misread(found);
            if self.setup.is_broken(Rule::ReferencesAreDerived) {
                received = Observed::FoundNoTrace;
            }
            let age = Duration::from_mins(copy.age.into()) + Age::STEP_MAX;
            let old = copy.kind == Kind::Review || age >= self.setup.profile.review_after;
            let open = matches!(
                received,
                Observed::FoundPending | Observed::FoundNoTrace | Observed::FoundNothing
            );
            if self.setup.is_broken(Rule::AgeIsNoEvidence) && old && open {
                received = Observed::FoundNo;
            }
            let next = self.then(Role::Reporting(received, attempt));
            out.push(Move::new("a worker asks", luck, next));
        }
    }

    /// A question that overtakes what is being sent: only what the provider has says anything.
    fn ask_meanwhile(&self, machine: &Machine, out: &mut Vec<Move>) {
        let copy = machine.copy(self.world.workers[self.who].copy);
        let attempt = copy.attempt;
        for (found, luck) in network::found(self.setup, self.world, (copy, attempt)) {
            let broken = self.setup.is_broken(Rule::OvertakingQueriesProveNothing);
            let received = if broken && found == Observed::FoundNoTrace {
                Observed::FoundNo
            } else {
                self.misread(found)
            };
            let next = self.then(Role::Reporting(received, attempt));
            out.push(Move::new(
                "a worker asks while it is being sent",
                luck,
                next,
            ));
        }
    }

    /// A takeover that sends: what the provider has delivered already is delivered again.
    fn send_again(&self, attempt: u8, takeover: Role, out: &mut Vec<Move>) {
        let next = self.sent(attempt, takeover);
        let delivered = self.world.attempts[usize::from(attempt)].had_effect();
        out.push(Move {
            broken: delivered.then_some(Violation::DeliveredTwice),
            ..Move::new("a worker takes over and sends again", Luck::Good, next)
        });
    }

    /// Applies and stores, if no other version was stored since the copy was read.
    fn learn(&self, machine: &mut Machine, reported: (Observed, u8), out: &mut Vec<Move>) {
        let RecoveryWorker { copy, stale, .. } = self.world.workers[self.who];
        let world = SearchedWorld {
            acknowledged: self.world.acknowledged || self.acknowledges(machine, reported),
            ..*self.world
        };
        let learned = (self.remembered(reported.0), reported.1);
        let copy = if self.setup.is_broken(Rule::ContradictionsStay) {
            machine.without_contradiction(copy)
        } else {
            copy
        };
        let Some(step) = machine.learn(copy, learned, self.world.moment) else {
            let step = Step {
                world: &world,
                ..*self
            };
            let next = step.with(RecoveryWorker::IDLE);
            out.push(Move::new("a worker learns nothing new", Luck::Good, next));
            return;
        };
        if stale && !self.setup.is_broken(Rule::CompareAndSet) {
            let next = self.fresh(machine, Role::Reporting(reported.0, reported.1));
            out.push(Move::new("a worker meets a conflict", Luck::Good, next));
            return;
        }
        let Some(stored) = self.store(machine, step) else {
            let step = Step {
                world: &world,
                ..*self
            };
            let next = step.with(RecoveryWorker::IDLE);
            out.push(Move::new("the wallet cannot take it", Luck::Bad, next));
            return;
        };
        let before = machine.stored(self.world.stored);
        let after = machine.stored(stored);
        let (Some(before), Some(after)) = (before, after) else {
            unreachable!("a worker has a copy of nothing");
        };
        // Another attempt, which its provider has not acknowledged yet.
        let begins = before.attempt != after.attempt;
        let mut world = SearchedWorld {
            stored,
            acknowledged: world.acknowledged && !begins,
            ..world
        };
        let other = &mut world.workers[1 - self.who];
        other.stale = !matches!(other.role, Role::Idle | Role::Opening);
        let committed = Step {
            world: &world,
            ..*self
        };
        let broken = check_step(before, after);
        let done = |next| Move {
            broken,
            ..Move::new("a worker stores what it learned", Luck::Good, next)
        };
        if after.kind == Kind::Sending {
            out.push(done(committed.fresh(machine, Role::Sending)));
            let unsure = committed.with(RecoveryWorker::IDLE);
            out.push(Move::new(
                "it is stored, unknown to the worker",
                Luck::Bad,
                unsure,
            ));
        } else {
            out.push(done(committed.with(RecoveryWorker::IDLE)));
        }
    }

    /// What is stored after a step; nothing where the wallet cannot take its money.
    fn store(&self, machine: &mut Machine, step: u16) -> Option<u16> {
        let stored = self.world.stored;
        let full = self.world.filling == Filling::Full;
        if !full || machine.fits_when_full(stored, step) {
            return Some(machine.commit(stored, step));
        }
        let alone = self.setup.is_broken(Rule::MoneyMovesWithTheState);
        alone.then(|| machine.commit_without_money(stored, step))
    }

    /// Whether the provider may forget the current attempt once this is taken in.
    fn acknowledges(&self, machine: &Machine, (received, attempt): (Observed, u8)) -> bool {
        let current = machine.stored(self.world.stored).map(|facts| facts.attempt);
        received.acknowledges()
            && current == Some(attempt)
            && self.setup.has(Quirk::ForgetsWhatItAcknowledged)
    }

    /// What of a word enters the record.
    fn remembered(&self, received: Observed) -> Observed {
        if self.setup.is_broken(Rule::AcknowledgementsCount) && received.acknowledges() {
            Observed::Nothing
        } else {
            received
        }
    }

    /// What a worker takes a report for when a rule is broken.
    fn misread(&self, received: Observed) -> Observed {
        let broken = |rule| self.setup.is_broken(rule);
        match received {
            Observed::Nothing if broken(Rule::UnknownIsNoFailure) => Observed::No,
            Observed::Nothing if broken(Rule::NextOnlyAfterProof) => Observed::NotSent,
            Observed::Pending | Observed::WithoutToken if broken(Rule::AcceptedIsNotDelivered) => {
                Observed::Yes
            }
            Observed::FoundPending | Observed::FoundWithoutToken
                if broken(Rule::AcceptedIsNotDelivered) =>
            {
                Observed::FoundYes
            }
            Observed::OtherAmount if broken(Rule::EchoIsChecked) => Observed::Yes,
            Observed::FoundOtherAmount if broken(Rule::EchoIsChecked) => Observed::FoundYes,
            Observed::Yes
            | Observed::OtherAmount
            | Observed::WithoutToken
            | Observed::No
            | Observed::NotSent
            | Observed::Pending
            | Observed::Nothing
            | Observed::FoundYes
            | Observed::FoundFirstPart
            | Observed::FoundSecondPart
            | Observed::FoundOtherAmount
            | Observed::FoundWithoutToken
            | Observed::FoundNo
            | Observed::FoundPending
            | Observed::FoundNoTrace
            | Observed::FoundNoTraceBefore
            | Observed::FoundTakenBack
            | Observed::FoundNothing
            | Observed::Takeover
            | Observed::RuledYes
            | Observed::RuledNo
            | Observed::Due
            | Observed::Cancelled
            | Observed::Approved
            | Observed::Refused
            | Observed::Refunded => received,
        }
    }
}
