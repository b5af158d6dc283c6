//! Random interleavings of requests to two sandboxes over one journal, compared with the same
//! requests to one sandbox. The answers and the journal must be identical.

use crate::support::{
    SandboxWorld, airtime_to, leave_torn, message_to, query, runtime, submit, vend_for,
};
use domain::provider::{QueryOutcome, SubmitOutcome};
use ports::provider::{Changes, Provider};
use proptest::prelude::*;
use provider_sim::Simulator;
use std::fs;
use std::sync::Arc;
use std::time::Duration;

/// Something done to a provider.
#[derive(Debug, Clone)]
enum SandboxAction {
    Submit {
        n: u8,
        what: u8,
    },
    Query {
        n: u8,
    },
    Listen,
    Wait {
        millis: u64,
    },
    /// Reopens the journal.
    Restart,
    /// A writer dies within a line.
    Die {
        after: usize,
    },
}

/// What came of it.
#[derive(Debug, PartialEq)]
enum Answer {
    Outcome(SubmitOutcome),
    Finding(QueryOutcome),
    Changes(Changes),
    Nothing,
}

fn action() -> impl Strategy<Value = SandboxAction> {
    prop_oneof![
        6 => (0..12_u8, 0..6_u8).prop_map(|(n, what)| SandboxAction::Submit { n, what }),
        3 => (0..12_u8).prop_map(|n| SandboxAction::Query { n }),
        2 => Just(SandboxAction::Listen),
        2 => (0..6_000_u64).prop_map(|millis| SandboxAction::Wait { millis }),
        1 => Just(SandboxAction::Restart),
        1 => (1..180_usize).prop_map(|after| SandboxAction::Die { after }),
    ]
}

/// A world with a journal, and some who hold it.
struct World {
    bench: SandboxWorld,
    simulators: Vec<Arc<Simulator>>,
    /// The cursor of the last read of changes; all sandboxes share one sequence.
    cursor: u64,
}

impl World {
    fn of(count: usize) -> Self {
        let mut bench = SandboxWorld::new();
        bench.close();
        let simulators = (0..count).map(|_| bench.another()).collect();
        Self {
            bench,
            simulators,
            cursor: 0,
        }
    }

    async fn take(&mut self, who: usize, action: &SandboxAction) -> Answer {
        let who = who % self.simulators.len();
        let simulator = &self.simulators[who];
        match action {
            SandboxAction::Submit { n, what } => {
                let order = match what {
                    0 => airtime_to("0002"),
                    1 => airtime_to("0009"),
                    2 => message_to("4567", 3),
                    3 => vend_for("0013"),
                    4 => vend_for("0001"),
                    _ => airtime_to("4567"),
                };
                Answer::Outcome(submit(simulator, &format!("a.{n}.1"), order).await)
            }
            SandboxAction::Query { n } => {
                Answer::Finding(query(simulator, &format!("a.{n}.1")).await)
            }
            SandboxAction::Listen => {
                let changes = simulator.changes_since(self.cursor).await.unwrap();
                self.cursor = changes.next;
                Answer::Changes(changes)
            }
            SandboxAction::Wait { millis } => {
                self.bench.clock.jump(Duration::from_millis(*millis));
                Answer::Nothing
            }
            SandboxAction::Restart => {
                self.simulators[who] = self.bench.another();
                Answer::Nothing
            }
            SandboxAction::Die { after } => {
                let torn = b"0a1b2c3d 1768467600000\tshop.1.1\tair".repeat(6);
                leave_torn(&self.bench.path(), &torn[..*after]);
                Answer::Nothing
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_interleaving_distinguishes_two_from_one(
        actions in prop::collection::vec((0..2_usize, action()), 1..60)
    ) {
        let runtime = runtime();
        let (mut one, mut two) = (World::of(1), World::of(2));
        for (who, action) in &actions {
            let alone = runtime.block_on(one.take(*who, action));
            let together = runtime.block_on(two.take(*who, action));
            prop_assert_eq!(alone, together, "{:?} by {}", action, who);
        }
        for world in [&mut one, &mut two] {
            let last = SandboxAction::Submit { n: 99, what: 5 };
            runtime.block_on(world.take(0, &last));
        }
        let [one, two] = [one, two].map(|world| fs::read(world.bench.path()).unwrap());
        prop_assert_eq!(one, two);
    }
}
