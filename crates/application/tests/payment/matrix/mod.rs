//! Every fault with every kind of provider and every product, in virtual time. Each world buys one
//! of every product behind one fault, with a second provider that would deliver at once whatever is
//! wrongly taken for not delivered; then the fault ends, and everything must be settled as the
//! providers' own records say. `MANILLA_MATRIX_SEEDS=1..6` says which seeds are gone through.

mod count;
mod faulty_provider;
mod model_book;
mod products;
mod world;

use super::support::process::outside;
use count::MatrixCount;
use std::fmt::Write as _;
use std::ops::Range;
use testkit::matrix::{ProviderKind, WireFault};
use world::MatrixWorld;

/// Which seeds are gone through unless the environment says otherwise. A seed says among other
/// things when the process dies, in a cycle of five.
const SEEDS: Range<u64> = 1..6;

/// Goes through every kind and product behind one fault.
fn goes_through(fault: WireFault) {
    let mut counted = MatrixCount::default();
    let seeds = seeds();
    for kind in ProviderKind::ALL {
        for seed in seeds.clone() {
            let mut world = MatrixWorld::new((fault, kind), seed);
            world.live();
            outside(world.count(&mut counted));
        }
    }
    println!(
        "{}: {} cells, {} successful, {} failed, {} reversed, {} ruled, {} elsewhere, {} met the \
         fault",
        fault.code(),
        counted.cells,
        counted.successful,
        counted.failed,
        counted.reversed,
        counted.ruled,
        counted.elsewhere,
        counted.strikes,
    );
    let mut report = String::new();
    for violation in counted.violations.iter().take(20) {
        let _ = writeln!(report, "{violation}");
    }
    let count = counted.violations.len();
    assert_eq!(count, 0, "{count} violations, such as\n{report}");
    // A search in which an order passed its fault by, or all ended alike, would prove nothing.
    assert!(counted.strikes >= counted.to_strike, "{counted:?}");
    let arrives = !matches!(fault, WireFault::CutBefore | WireFault::Redirect);
    let delivered = counted.successful + counted.reversed;
    assert_eq!(arrives, delivered > 0, "{counted:?}");
    assert!(counted.failed > 0, "{counted:?}");
}

fn seeds() -> Range<u64> {
    let Ok(asked) = std::env::var("MANILLA_MATRIX_SEEDS") else {
        return SEEDS;
    };
    let expected = "MANILLA_MATRIX_SEEDS=from..to";
    let (from, to) = asked.split_once("..").expect(expected);
    let seed = |text: &str| text.parse().expect(expected);
    seed(from)..seed(to)
}

/// One test for each fault, named after it.
macro_rules! every_fault {
    ($($test:ident $fault:ident)*) => {
        $(
            #[test]
            fn $test() {
                goes_through(WireFault::$fault);
            }
        )*

        #[test]
        fn every_fault_has_a_test() {
            let tested = [$(WireFault::$fault),*];
            assert_eq!(tested, WireFault::ALL);
        }
    };
}

every_fault! {
    no_connection_is_made Unreachable
    the_connection_breaks_before_the_request CutBefore
    the_connection_breaks_after_the_request CutAfter
    the_answer_breaks_off CutBody
    no_answer_ever_comes Silent
    the_request_arrives_late LateRequest
    the_answer_comes_after_the_deadline SlowAnswer
    a_page_comes_instead Html
    a_server_error_comes_instead ServerError
    the_answer_is_empty EmptyBody
    the_answer_is_a_redirect Redirect
    the_request_arrives_twice Duplicated
    the_answer_is_anothers Crossed
    the_clocks_differ StaleClock
}
