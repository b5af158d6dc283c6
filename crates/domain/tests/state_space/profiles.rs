//! The search of every provider's world with all rules kept. It must find nothing.

use crate::behaviour::{self, Behaviour};
use crate::sample::Product;
use crate::search::{Report, Setup, search};

/// Fewest worlds the search must have seen in all; fewer means that it lost its reach.
const WORLDS_MIN: usize = 1_000_000;

#[test]
fn nothing_that_can_happen_loses_or_doubles_money() {
    let reports: Vec<(Behaviour, Report)> = std::thread::scope(|scope| {
        let searches = behaviour::ALL.map(|behaviour| {
            let search = scope.spawn(move || search(&Setup::sound(behaviour)));
            (behaviour, search)
        });
        searches
            .into_iter()
            .map(|(behaviour, search)| (behaviour, search.join().unwrap()))
            .collect()
    });
    let mut worlds = 0;
    for (behaviour, report) in &reports {
        println!(
            "{:>28}: {:>9} worlds, {:>10} moves",
            behaviour.name, report.worlds, report.moves
        );
        worlds += report.worlds;
    }
    println!("{:>28}: {worlds:>9} worlds", "in all");
    for (behaviour, report) in &reports {
        if let Some(finding) = &report.finding {
            let trace = finding.trace.join("\n  ");
            panic!("{}: {}\n  {trace}", behaviour.name, finding.violation);
        }
    }
    assert!(worlds >= WORLDS_MIN, "only {worlds} worlds were seen");
}

#[test]
fn every_family_is_sold_in_some_world() {
    for product in Product::ALL {
        let sold = behaviour::ALL.iter().any(|it| it.product == product);
        assert!(sold, "{product:?} is sold nowhere");
    }
}
