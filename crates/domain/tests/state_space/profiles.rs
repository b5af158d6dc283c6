//! The search of every provider's world with all rules kept. It must find nothing.

use crate::behaviour::{
    self, Behaviour, DELIVERING_WHAT_IT_REFUSED, LATE, LOSING_ANSWERS, OTHER_AMOUNTS, PAYING_OUT,
    PROMPT, REFUSING, REVERSING, SLOW, TAKING_BACK_WHAT_IT_REFUSED,
};
use crate::sample::Product;
use crate::search::{Report, Restores, Setup, search};

/// Fewest worlds the search must have seen in all; fewer means that it lost its reach.
const WORLDS_MIN: usize = 1_000_000;

#[test]
fn nothing_that_can_happen_loses_or_doubles_money() {
    let worlds = nothing_is_found(&behaviour::ALL.map(Setup::sound));
    assert!(worlds >= WORLDS_MIN, "only {worlds} worlds were seen");
}

/// One step of the clock. Several within one failure of a provider's index may let one failure
/// count as absence more than once; `Age::STEP_MAX` bounds each, not how many there are.
#[test]
fn one_step_of_the_clock_never_loses_or_doubles_money() {
    let providers = [LATE, SLOW];
    let set_once = providers.map(|behaviour| Setup {
        clock_steps: 1,
        ..Setup::sound(behaviour)
    });
    nothing_is_found(&set_once);
}

#[test]
fn no_restore_loses_or_doubles_money_within_an_attempt() {
    let providers = [PROMPT, OTHER_AMOUNTS, PAYING_OUT];
    let restored = providers.map(|behaviour| Setup {
        restores: Restores::Once,
        ..Setup::sound(behaviour)
    });
    nothing_is_found(&restored);
}

#[test]
fn a_wallet_that_can_take_no_more_never_loses_or_doubles_money() {
    let providers = [REFUSING, REVERSING, PAYING_OUT, TAKING_BACK_WHAT_IT_REFUSED];
    let filled = providers.map(|behaviour| Setup {
        wallet_fills: true,
        ..Setup::sound(behaviour)
    });
    nothing_is_found(&filled);
}

#[test]
fn what_is_queued_leaves_the_queue_once() {
    let queued = |behaviour| Setup {
        is_queued: true,
        ..Setup::sound(behaviour)
    };
    let mut setups = Vec::from(SIX.map(queued));
    setups.extend([PROMPT, PAYING_OUT].map(|behaviour| Setup {
        restores: Restores::Once,
        ..queued(behaviour)
    }));
    nothing_is_found(&setups);
}

#[test]
fn what_waits_for_an_approval_is_sent_once_it_is_approved_and_not_before() {
    let waiting = |behaviour| Setup {
        is_queued: true,
        awaits_approval: true,
        ..Setup::sound(behaviour)
    };
    let mut setups = Vec::from(SIX.map(waiting));
    setups.push(Setup {
        restores: Restores::Once,
        ..waiting(PROMPT)
    });
    nothing_is_found(&setups);
}

#[test]
fn what_is_refunded_is_refunded_once_also_where_its_provider_takes_it_back() {
    let refunding = |behaviour| Setup {
        refunds: true,
        ..Setup::sound(behaviour)
    };
    let mut setups = Vec::from(SIX.map(refunding));
    setups.extend([PAYING_OUT, TAKING_BACK_WHAT_IT_REFUSED].map(refunding));
    setups.push(Setup {
        restores: Restores::Once,
        ..refunding(PROMPT)
    });
    nothing_is_found(&setups);
}

/// The tempers that a pair is made of: each promises something else, and the last breaks its word
/// with a late yes.
const SIX: [Behaviour; 6] = [
    PROMPT,
    LOSING_ANSWERS,
    SLOW,
    LATE,
    REVERSING,
    DELIVERING_WHAT_IT_REFUSED,
];

/// Fewest worlds of all pairs.
const PAIR_WORLDS_MIN: usize = 10_000_000;

#[test]
fn no_pair_of_providers_loses_or_doubles_money() {
    let sells = |behaviour: Behaviour| Behaviour {
        product: Product::Airtime,
        ..behaviour
    };
    let pairs = SIX
        .into_iter()
        .flat_map(|first| SIX.map(|second| (first, second)));
    let setups: Vec<_> = pairs
        .map(|(first, second)| Setup::pair(sells(first), sells(second)))
        .collect();
    let worlds = nothing_is_found(&setups);
    assert!(worlds >= PAIR_WORLDS_MIN, "only {worlds} worlds were seen");
}

/// Searches each, two at a time; answers how many worlds were seen.
fn nothing_is_found(setups: &[Setup]) -> usize {
    let reports: Vec<(String, Report)> = setups
        .chunks(2)
        .flat_map(|setups| {
            std::thread::scope(|scope| {
                let searches: Vec<_> = setups
                    .iter()
                    .map(|setup| (setup.name(), scope.spawn(move || search(setup))))
                    .collect();
                let done = searches.into_iter();
                done.map(|(name, search)| (name, search.join().unwrap()))
                    .collect::<Vec<_>>()
            })
        })
        .collect();
    let mut worlds = 0;
    for (name, report) in &reports {
        println!(
            "{:>28}: {:>9} worlds, {:>10} moves",
            name, report.worlds, report.moves
        );
        worlds += report.worlds;
    }
    println!("{:>28}: {worlds:>9} worlds", "in all");
    for (name, report) in &reports {
        if let Some(finding) = &report.finding {
            let trace = finding.trace.join("\n  ");
            panic!("{name}: {}\n  {trace}", finding.violation);
        }
    }
    worlds
}

#[test]
fn every_family_is_sold_in_some_world() {
    for product in Product::ALL {
        let sold = behaviour::ALL.iter().any(|it| it.product == product);
        assert!(sold, "{product:?} is sold nowhere");
    }
}
