//! The search itself: breadth first through every world, and back again from every settled one. It
//! must leave no reachable world out, and give the shortest way to a broken one.

use crate::behaviour::{Behaviour, Quirk};
use crate::checks::{self, Violation};
use crate::machine::Machine;
use crate::network;
use crate::rules::Rule;
use crate::workers;
use crate::world::SearchedWorld;
use domain::provider::AbsencePolicy;
use domain::transaction::Age;
use std::time::Duration;

/// What is searched.
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent choices, each made where its name says"
)]
#[derive(Debug, Clone)]
pub(crate) struct Setup {
    pub(crate) behaviour: Behaviour,
    /// The provider of the second attempt, where another route leads to another one. It gets what
    /// the first refuses for the fault of the account.
    pub(crate) second: Option<Behaviour>,
    /// How the gateway reads silence.
    pub(crate) profile: AbsencePolicy,
    /// The rule that is not kept.
    pub(crate) broken: Option<Rule>,
    /// The one damage to look for; whatever comes first, where there is none.
    pub(crate) wanted: Option<Violation>,
    /// How often the wall clock may be set, forwards or back.
    pub(crate) clock_steps: u8,
    /// Whether the store may be set back to a copy of before.
    pub(crate) restores: Restores,
    /// Whether other payments into the wallet may fill it to the largest amount there is.
    pub(crate) wallet_fills: bool,
    /// Whether the payment is opened in the queue.
    pub(crate) is_queued: bool,
    /// Whether it waits there for another user to approve it.
    pub(crate) awaits_approval: bool,
    /// Whether what was delivered may be refunded, by either worker, again and again.
    pub(crate) refunds: bool,
}

/// Whether the store may be set back once to what it held at an earlier step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Restores {
    Never,
    Once,
}

/// How silence is read in the search: as cautiously as by the gateway's own profile, in fewer
/// minutes, so that every age can be a world of its own.
pub(crate) const CAUTIOUS: AbsencePolicy = AbsencePolicy {
    quarantine: Duration::from_mins(4),
    review_after: Duration::from_mins(10),
    ..AbsencePolicy::CAUTIOUS
};

impl Setup {
    /// All rules kept, with a cautious profile.
    pub(crate) fn sound(behaviour: Behaviour) -> Self {
        Self {
            behaviour,
            second: None,
            profile: CAUTIOUS,
            broken: None,
            wanted: None,
            clock_steps: 0,
            restores: Restores::Never,
            wallet_fills: false,
            is_queued: false,
            awaits_approval: false,
            refunds: false,
        }
    }

    /// All rules kept, and two providers.
    pub(crate) fn pair(first: Behaviour, second: Behaviour) -> Self {
        Self {
            second: Some(second),
            ..Self::sound(first)
        }
    }

    /// How it is called.
    pub(crate) fn name(&self) -> String {
        match &self.second {
            None => self.behaviour.name.to_owned(),
            Some(second) => format!("{}, then {}", self.behaviour.name, second.name),
        }
    }

    /// The provider of an attempt.
    pub(crate) fn at(&self, attempt: usize) -> &Behaviour {
        let second = self.second.as_ref().filter(|_| attempt == 1);
        second.unwrap_or(&self.behaviour)
    }

    /// Whether a provider has a quirk.
    pub(crate) fn has(&self, quirk: Quirk) -> bool {
        self.at(0).has(quirk) || self.at(1).has(quirk)
    }

    pub(crate) fn keeps_its_word(&self) -> bool {
        self.at(0).keeps_its_word() && self.at(1).keeps_its_word()
    }

    pub(crate) fn is_broken(&self, rule: Rule) -> bool {
        self.broken == Some(rule)
    }

    /// For how long at most a request is on the way and an index lags. A quarantine is longer than
    /// that by what each step of the clock may add to an age.
    pub(crate) fn delay_max(&self) -> Duration {
        let added = Age::STEP_MAX * u32::from(self.clock_steps);
        CAUTIOUS.quarantine.checked_sub(added).unwrap()
    }

    /// Whether a violation is what is looked for.
    fn is_wanted(&self, violation: Violation) -> bool {
        self.wanted.is_none_or(|wanted| wanted == violation)
    }
}

/// Whether a move needs something to go wrong. What must be possible in the end must be possible
/// without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Luck {
    Good,
    Bad,
}

/// One thing that may happen next.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Move {
    pub(crate) name: &'static str,
    pub(crate) luck: Luck,
    pub(crate) to: SearchedWorld,
    /// An invariant broken by the move itself.
    pub(crate) broken: Option<Violation>,
}

impl Move {
    pub(crate) fn new(name: &'static str, luck: Luck, to: SearchedWorld) -> Self {
        Self {
            name,
            luck,
            to,
            broken: None,
        }
    }
}

/// What a search found.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) worlds: usize,
    pub(crate) moves: usize,
    pub(crate) finding: Option<Counterexample>,
}

/// A broken invariant and the shortest way there.
#[derive(Debug)]
pub(crate) struct Counterexample {
    pub(crate) violation: Violation,
    pub(crate) trace: Vec<&'static str>,
}

/// Searches everything that may happen, up to the first broken invariant.
pub(crate) fn search(setup: &Setup) -> Report {
    let mut machine = Machine::new(setup);
    let mut seen = Seen::new();
    let mut healthy = Edges::default();
    let mut moves = Vec::new();
    let mut count = 0;
    seen.insert(SearchedWorld::START.pack(), 0);
    let mut next = 0;
    while next < seen.worlds.len() {
        let world = SearchedWorld::unpack(seen.worlds[next]);
        all_moves(setup, &mut machine, &world, &mut moves);
        count += moves.len();
        for step in &moves {
            let (target, is_new) = seen.insert(step.to.pack(), next);
            if step.luck == Luck::Good {
                healthy.push(next, target);
            }
            let met = || checks::check(setup, &machine, &step.to);
            let broken = [step.broken, is_new.then(met).flatten()];
            let broken = broken
                .into_iter()
                .flatten()
                .find(|broken| setup.is_wanted(*broken));
            if let Some(violation) = broken {
                let mut trace = trace(setup, &mut machine, (&seen, next));
                trace.push(step.name);
                return seen.report(count, Some(Counterexample { violation, trace }));
            }
        }
        next += 1;
    }
    let settled = |world| checks::is_settled(setup, &machine, &SearchedWorld::unpack(world));
    let stuck = healthy.first_stuck(&seen.worlds, settled);
    let finding = stuck.map(|stuck| Counterexample {
        violation: Violation::NeverSettles,
        trace: trace(setup, &mut machine, (&seen, stuck)),
    });
    seen.report(count, finding)
}

fn all_moves(setup: &Setup, machine: &mut Machine, world: &SearchedWorld, out: &mut Vec<Move>) {
    out.clear();
    network::moves(setup, machine, world, out);
    for who in 0..2 {
        workers::moves(setup, machine, (world, who), out);
    }
}

/// The names of the moves from the start to a world.
fn trace(setup: &Setup, machine: &mut Machine, (seen, end): (&Seen, usize)) -> Vec<&'static str> {
    let mut names = Vec::new();
    let mut moves = Vec::new();
    let mut at = end;
    while at != 0 {
        let from = seen.parents[at] as usize;
        all_moves(
            setup,
            machine,
            &SearchedWorld::unpack(seen.worlds[from]),
            &mut moves,
        );
        let step = moves.iter().find(|step| step.to.pack() == seen.worlds[at]);
        names.push(step.unwrap().name);
        at = from;
    }
    names.reverse();
    names
}

/// Every world met, in the order it was met, with the world it was met from; and a table to find it
/// by: open addressing over their numbers, kept at most half full.
struct Seen {
    worlds: Vec<u128>,
    parents: Vec<u32>,
    slots: Vec<u32>,
}

const EMPTY: u32 = u32::MAX;
const SLOTS_FIRST: usize = 1 << 16;

impl Seen {
    fn new() -> Self {
        Self {
            worlds: Vec::new(),
            parents: Vec::new(),
            slots: vec![EMPTY; SLOTS_FIRST],
        }
    }

    /// The number of a world, and whether it is met for the first time.
    fn insert(&mut self, world: u128, parent: usize) -> (usize, bool) {
        let slot = self.slot(world);
        let known = self.slots[slot];
        if known != EMPTY {
            return (known as usize, false);
        }
        let number = self.worlds.len();
        self.slots[slot] = u32::try_from(number).unwrap();
        self.worlds.push(world);
        self.parents.push(u32::try_from(parent).unwrap());
        if self.worlds.len() * 2 > self.slots.len() {
            self.grow();
        }
        (number, true)
    }

    /// Where a world is, or would be.
    fn slot(&self, world: u128) -> usize {
        let mask = self.slots.len() - 1;
        // Fibonacci hashing: the high half of the product depends on every bit of the world.
        let low = u64::try_from(world & u128::from(u64::MAX)).unwrap();
        let high = u64::try_from(world >> 64).unwrap();
        let folded = low ^ high.rotate_left(23);
        let mixed = (folded ^ folded >> 29).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        let mut slot = usize::try_from(mixed).unwrap() & mask;
        loop {
            let number = self.slots[slot];
            if number == EMPTY || self.worlds[number as usize] == world {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    fn grow(&mut self) {
        self.slots = vec![EMPTY; self.slots.len() * 4];
        for number in 0..self.worlds.len() {
            let slot = self.slot(self.worlds[number]);
            self.slots[slot] = u32::try_from(number).unwrap();
        }
    }

    fn report(&self, moves: usize, finding: Option<Counterexample>) -> Report {
        Report {
            worlds: self.worlds.len(),
            moves,
            finding,
        }
    }
}

/// The moves that need no bad luck, as pairs of world numbers.
#[derive(Default)]
struct Edges {
    from: Vec<u32>,
    to: Vec<u32>,
}

impl Edges {
    fn push(&mut self, from: usize, to: usize) {
        self.from.push(u32::try_from(from).unwrap());
        self.to.push(u32::try_from(to).unwrap());
    }

    /// The world met first from which no settled one can be reached without bad luck.
    fn first_stuck(&self, worlds: &[u128], settled: impl Fn(u128) -> bool) -> Option<usize> {
        // The sources of the moves into each world, next to one another: those into world `n` begin
        // at `begin[n]`.
        let mut begin = vec![0_u32; worlds.len() + 1];
        for to in &self.to {
            begin[*to as usize + 1] += 1;
        }
        for number in 0..worlds.len() {
            begin[number + 1] += begin[number];
        }
        let mut sources = vec![0_u32; self.to.len()];
        let mut filled = begin.clone();
        for (from, to) in self.from.iter().zip(&self.to) {
            let place = &mut filled[*to as usize];
            sources[*place as usize] = *from;
            *place += 1;
        }
        let mut settles: Vec<bool> = worlds.iter().map(|world| settled(*world)).collect();
        let mut open: Vec<usize> = (0..worlds.len())
            .filter(|number| settles[*number])
            .collect();
        while let Some(number) = open.pop() {
            for place in begin[number]..begin[number + 1] {
                let source = sources[place as usize] as usize;
                if !settles[source] {
                    settles[source] = true;
                    open.push(source);
                }
            }
        }
        settles.iter().position(|settles| !settles)
    }
}
