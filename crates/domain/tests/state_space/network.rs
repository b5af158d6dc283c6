//! What happens without a worker: time passes, requests arrive or are lost, providers decide and
//! report. It must stay within what the behaviour allows.

use crate::behaviour::{Behaviour, Quirk};
use crate::copy::Passing;
use crate::machine::{Facts, Machine};
use crate::rules::Rule;
use crate::search::{Luck, Move, Restores, Setup};
use crate::world::{
    Backup, Filling, Index, LAST_BEGINNING, LAST_PAUSE, MOMENTS, Observed, RecoveryWorker, Role,
    SearchedWorld, Truth,
};
use std::time::Duration;

/// Everything that may happen without a worker.
pub(crate) fn moves(
    setup: &Setup,
    machine: &mut Machine,
    world: &SearchedWorld,
    out: &mut Vec<Move>,
) {
    if world.stored != 0 {
        pass_time(setup, machine, world, out);
        set_clock(setup, machine, world, out);
        set_back(setup, machine, world, out);
        fill_wallet(setup, world, out);
    }
    for attempt in 0..2 {
        provider(setup, world, attempt, out);
    }
    let lapses = setup.has(Quirk::Lags) && world.index == Index::Sound;
    if lapses && world.moment > LAST_BEGINNING {
        let index = Index::Missing;
        out.push(Move::new(
            "the index misses everything",
            Luck::Bad,
            SearchedWorld { index, ..*world },
        ));
    }
}

/// The next moment comes. A request stays on the way for less than the quarantine, and no attempt
/// begins long after it was recorded.
fn pass_time(setup: &Setup, machine: &mut Machine, world: &SearchedWorld, out: &mut Vec<Move>) {
    let next = world.moment + 1;
    let (moment, pause) = match MOMENTS.get(usize::from(next)) {
        Some(minutes) => (next, minutes - world.minutes()),
        None => (world.moment, LAST_PAUSE),
    };
    let minutes = world.minutes() + pause;
    let late = |truth: Truth| {
        truth.sent_at().is_some_and(|sent| {
            let age = u64::from(minutes - MOMENTS[usize::from(sent)]);
            Duration::from_mins(age) >= setup.delay_max()
        })
    };
    if !setup.has(Quirk::DeliversAtAnyTime) && world.attempts.into_iter().any(late) {
        return;
    }
    let stored = machine.changed(world.stored, Passing::Minutes(pause));
    let mut next = SearchedWorld {
        stored,
        moment,
        ..*world
    };
    if next.index == Index::Missing {
        next.index = Index::Recovered;
    }
    for worker in &mut next.workers {
        worker.role = grown_old(worker.role, moment);
        if worker.role == Role::Idle {
            *worker = RecoveryWorker::IDLE;
        } else {
            worker.copy = machine.copy_changed(worker.copy, Passing::Minutes(pause));
        }
    }
    out.push(Move::new("time passes", Luck::Good, next));
}

/// The wall clock is set, by more than any step counts.
fn set_clock(setup: &Setup, machine: &mut Machine, world: &SearchedWorld, out: &mut Vec<Move>) {
    if world.clock_steps >= setup.clock_steps {
        return;
    }
    let forwards = if setup.is_broken(Rule::AgesGrowInSteps) {
        Passing::Leap
    } else {
        Passing::Forwards
    };
    let settings = [
        ("the clock is set forwards", forwards),
        ("the clock is set back", Passing::Back),
    ];
    for (name, passing) in settings {
        let mut next = SearchedWorld {
            clock_steps: world.clock_steps + 1,
            stored: machine.changed(world.stored, passing),
            ..*world
        };
        for worker in &mut next.workers {
            if !matches!(worker.role, Role::Idle | Role::Opening) {
                worker.copy = machine.copy_changed(worker.copy, passing);
            }
        }
        out.push(Move::new(name, Luck::Bad, next));
    }
}

/// A copy of the store is taken, and later the store is set back to it: every process ends, and the
/// provider keeps what it has. Copies of what is in doubt are taken while it is young: older ones
/// differ in how long they still count. An attempt of which the copy knows nothing is left out: it
/// is opened again from a journal before anything goes on (ADR 18).
fn set_back(setup: &Setup, machine: &mut Machine, world: &SearchedWorld, out: &mut Vec<Move>) {
    if setup.restores == Restores::Never {
        return;
    }
    match world.backup {
        Backup::None => {
            let young = |facts: Facts| facts.age == 0;
            if !machine.stored(world.stored).is_some_and(young) {
                return;
            }
            let backup = Backup::Taken(world.stored);
            out.push(Move::new(
                "a backup is taken",
                Luck::Bad,
                SearchedWorld { backup, ..*world },
            ));
        }
        Backup::Taken(taken) => {
            let made = |facts: Facts| (facts.attempt, facts.kind.is_unsent());
            let knows = machine.stored(taken).map(made);
            let now = machine.stored(world.stored).map(made);
            if knows != now {
                return;
            }
            let next = SearchedWorld {
                // However long ago it was taken: a step counts no more than this.
                stored: machine.changed(taken, Passing::Forwards),
                workers: [RecoveryWorker::IDLE; 2],
                backup: Backup::PutBack,
                ..*world
            };
            out.push(Move::new("the backup is put back", Luck::Bad, next));
        }
        Backup::PutBack => {}
    }
}

/// Others pay into the wallet until it can take no more, and the merchant spends it again.
fn fill_wallet(setup: &Setup, world: &SearchedWorld, out: &mut Vec<Move>) {
    let (name, luck, filling) = match world.filling {
        Filling::Before if setup.wallet_fills => ("the wallet fills up", Luck::Bad, Filling::Full),
        Filling::Full => ("the wallet is spent", Luck::Good, Filling::Spent),
        Filling::Before | Filling::Spent => return,
    };
    out.push(Move::new(name, luck, SearchedWorld { filling, ..*world }));
}

/// What a worker is about to do once the next moment has come. An answer to a question is learned
/// within the deadline of the call, which is shorter than any two moments are apart: so "no trace"
/// is learned at the moment it was said or at the next.
fn grown_old(role: Role, moment: u8) -> Role {
    match role {
        Role::Reporting(Observed::NotSent | Observed::Due, _) if moment > LAST_BEGINNING => {
            Role::Idle
        }
        Role::Reporting(Observed::FoundNoTrace, attempt) => {
            Role::Reporting(Observed::FoundNoTraceBefore, attempt)
        }
        Role::Sending | Role::Reporting(Observed::FoundNoTraceBefore, _) => Role::Idle,
        Role::Idle | Role::Opening | Role::Waiting | Role::Asking | Role::Reporting(..) => role,
    }
}

fn provider(setup: &Setup, world: &SearchedWorld, attempt: usize, out: &mut Vec<Move>) {
    let truth = world.attempts[attempt];
    let with = |truth| {
        let mut next = *world;
        next.attempts[attempt] = truth;
        next
    };
    if truth.sent_at().is_some() {
        for arrived in setup.at(attempt).arrival {
            out.push(Move::new("a request arrives", Luck::Good, with(*arrived)));
        }
        out.push(Move::new(
            "a request is lost",
            Luck::Bad,
            with(Truth::Nothing),
        ));
    }
    for (from, to) in setup.at(attempt).changes {
        if *from == truth {
            out.push(Move::new("the provider moves on", Luck::Good, with(*to)));
        }
    }
}

/// Everything the provider has reported of an attempt so far: each report may arrive now, again and
/// in any order.
pub(crate) fn said(behaviour: &Behaviour, truth: Truth) -> Vec<Observed> {
    let words: &[Observed] = match truth {
        Truth::Nothing | Truth::OnTheWay | Truth::OnTheWayLater | Truth::Processing => &[],
        Truth::Delivered if behaviour.has(Quirk::DeliversWhatItRefused) => {
            &[Observed::No, Observed::Yes]
        }
        Truth::Delivered => &[Observed::Yes],
        Truth::OtherAmount => &[Observed::OtherAmount],
        Truth::Refused => &[Observed::No],
        Truth::TakenBack if behaviour.has(Quirk::DeliversWhatItRefused) => {
            &[Observed::No, Observed::Yes, Observed::FoundTakenBack]
        }
        Truth::TakenBack => &[Observed::Yes, Observed::FoundTakenBack],
    };
    let way: &[Observed] = if behaviour.has(Quirk::ReportsSteps) && truth.had_effect() {
        &[Observed::FoundFirstPart, Observed::FoundSecondPart]
    } else {
        &[]
    };
    let arrived = truth != Truth::Nothing && truth.sent_at().is_none();
    let acknowledgement = behaviour.acknowledgement.filter(|_| arrived);
    acknowledgement
        .into_iter()
        .chain(words.iter().chain(way).copied())
        .collect()
}

/// What the provider may answer to a question about an attempt, asked by who holds this copy.
pub(crate) fn found(
    setup: &Setup,
    world: &SearchedWorld,
    (copy, attempt): (Facts, u8),
) -> Vec<(Observed, Luck)> {
    let behaviour = setup.at(attempt.into());
    if behaviour.has(Quirk::Unreachable) {
        return vec![(Observed::FoundNothing, Luck::Good)];
    }
    let truth = world.attempts[usize::from(attempt)];
    let honest = match truth {
        Truth::Nothing | Truth::OnTheWay | Truth::OnTheWayLater => Observed::FoundNoTrace,
        Truth::Processing if behaviour.acknowledgement == Some(Observed::WithoutToken) => {
            Observed::FoundWithoutToken
        }
        Truth::Processing => Observed::FoundPending,
        Truth::Delivered => Observed::FoundYes,
        Truth::OtherAmount => Observed::FoundOtherAmount,
        Truth::Refused => Observed::FoundNo,
        Truth::TakenBack => Observed::FoundTakenBack,
    };
    let mut answers = vec![(honest, Luck::Good), (Observed::FoundNothing, Luck::Bad)];
    let age = Duration::from_mins(world.minutes().saturating_sub(copy.began).into());
    let lags =
        behaviour.has(Quirk::Lags) && (world.index == Index::Missing || age < setup.delay_max());
    let forgets = behaviour.has(Quirk::ForgetsWhatItAcknowledged)
        && world.acknowledged
        && truth == Truth::Processing;
    let loses = behaviour.has(Quirk::LosesTrack);
    if (lags || forgets || loses) && honest != Observed::FoundNoTrace {
        answers.push((Observed::FoundNoTrace, Luck::Bad));
    }
    answers
}

/// What persons may rule of an attempt, with the provider's own statement in hand; a provider that
/// is still at it withdraws the attempt for good. That it was taken back is an observation.
pub(crate) fn ruling(
    machine: &Machine,
    world: &SearchedWorld,
) -> Option<(Observed, SearchedWorld)> {
    let facts = machine.stored(world.stored)?;
    let attempt = usize::from(facts.attempt);
    let mut next = *world;
    let ruled = match world.attempts[attempt] {
        Truth::Delivered | Truth::OtherAmount => Observed::RuledYes,
        Truth::Nothing | Truth::Refused => Observed::RuledNo,
        Truth::TakenBack => return None,
        Truth::OnTheWay | Truth::OnTheWayLater | Truth::Processing => {
            next.attempts[attempt] = Truth::Refused;
            Observed::RuledNo
        }
    };
    Some((ruled, next))
}
