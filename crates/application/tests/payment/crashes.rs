//! Processes that die at every named moment. Whatever the provider did by then, the next process
//! settles it: at most one delivery, the right balance, nothing left open.

use super::support::process::{Process, outside};
use super::support::request::{Request, Worker, buy};
use super::support::{BALANCE, World, attempt, minutes, seconds};
use application::recovery::Recovery;
use domain::provider::UnknownCause;
use domain::transaction::{State, Status, Transaction};
use ports::fault_point::FaultStep;
use testkit::builders::current_attempt;
use testkit::faults::Fault;
use testkit::provider::{JournalledState, ScriptedReply};

/// What a provider may do with what it is sent.
fn replies() -> [(&'static str, ScriptedReply); 7] {
    [
        ("delivers", ScriptedReply::deliver()),
        ("refuses", ScriptedReply::decline()),
        ("accepts", ScriptedReply::accept()),
        ("cannot be reached", ScriptedReply::not_sent()),
        (
            "loses the answer",
            ScriptedReply::answer_lost(UnknownCause::ServerError),
        ),
        (
            "loses the request",
            ScriptedReply::request_lost(UnknownCause::Timeout),
        ),
        (
            "delivers another amount",
            ScriptedReply::deliver_other_amount(),
        ),
    ]
}

/// Lives until a moment of a payment and dies there; whether the moment came.
fn dies_at(world: &World, moment: FaultStep) -> bool {
    let process = Process::start(world);
    world.halt.at(moment);
    let reached = process.run(async {
        let request = Request::buy(&process.gateway, "order-1");
        let reached = tokio::select! {
            biased;
            () = world.halt.reached() => true,
            () = world.pass(seconds(40)) => false,
        };
        request.hang_up();
        reached
    });
    process.crash();
    world.halt.nowhere();
    reached
}

/// Lives until nothing is left to find out.
fn recovers(world: &World) -> Option<Transaction> {
    let process = Process::start_with(world, |parts| {
        parts.settings.recovery_interval = seconds(20);
        parts.settings.changes_interval = seconds(20);
    });
    process.run(async {
        let worker = Worker::start(&process.gateway);
        world.pass(seconds(10)).await;
        let accepted = world
            .provider
            .journal()
            .into_iter()
            .find(|line| matches!(line.standing, JournalledState::Accepted(_)));
        if let Some(line) = accepted {
            world.provider.finish(&line.reference);
        }
        world.pass(minutes(20)).await;
        worker.stop().await;
        world.stores.read("shop", "order-1").await
    })
}

async fn everything_is_right(world: &World, tx: Option<&Transaction>, case: &str) {
    world.is_right().await;
    let deliveries: u32 = [1, 2]
        .map(|n| world.provider.deliveries(&attempt("order-1", n)))
        .iter()
        .sum();
    assert!(deliveries <= 1, "{case}");
    let Some(tx) = tx else {
        assert_eq!(world.wallet().await, (BALANCE, 0), "{case}");
        assert_eq!(world.provider.submissions(), [], "{case}");
        return;
    };
    let charged = (BALANCE - 97_000, 0);
    match &tx.state {
        State::Successful(_) => {
            assert_eq!((deliveries, world.wallet().await), (1, charged), "{case}");
        }
        State::Failed(_) => {
            assert_eq!(
                (deliveries, world.wallet().await),
                (0, (BALANCE, 0)),
                "{case}"
            );
        }
        State::Review(_) => {
            let held = (BALANCE - 97_000, 97_000);
            assert_eq!((deliveries, world.wallet().await), (1, held), "{case}");
        }
        State::Queued(_)
        | State::Sending(_)
        | State::InDoubt(_)
        | State::Reversed(_)
        | State::Cancelled(_)
        | State::Booked(_) => panic!("{case}: {tx:?}"),
    }
}

#[test]
fn a_crash_at_any_moment_of_a_payment_is_recovered_from() {
    let mut crashed = 0;
    for moment in FaultStep::ALL {
        for (name, reply) in replies() {
            let case = format!("{}, the provider {name}", moment.code());
            let world = outside(World::new());
            world.provider.on_submit(reply);
            crashed += usize::from(dies_at(&world, moment));
            let tx = recovers(&world);
            outside(everything_is_right(&world, tx.as_ref(), &case));
            // Once opened it stays; before that it never was.
            assert_eq!(tx.is_none(), moment == FaultStep::BeforeOpen, "{case}");
        }
    }
    // Every moment but the claim, which belongs to recovery, comes in each of the seven payments.
    assert_eq!(crashed, 4 * replies().len());
}

#[test]
fn a_crash_of_the_second_attempt_is_recovered_from_without_sending_it_again() {
    let world = outside(World::new());
    world.provider.on_submit(ScriptedReply::not_sent());
    // Commit 3 is the result of the second attempt.
    world.ledger.on_commit(3, Fault::Hung);
    let process = Process::start(&world);
    process.run(async {
        let request = Request::buy(&process.gateway, "order-1");
        world.pass(seconds(1)).await;
        request.hang_up();
    });
    process.crash();
    let tx = recovers(&world).unwrap();
    outside(everything_is_right(&world, Some(&tx), "the second attempt"));
    assert_eq!(tx.status(), Status::Successful);
    assert_eq!(current_attempt(&tx).get(), 2);
    assert_eq!(world.provider.submissions().len(), 2);
}

#[test]
fn recoveries_that_die_after_their_claims_are_recovered_from() {
    let world = outside(World::new());
    assert!(dies_at(&world, FaultStep::AfterSubmit));
    for _ in 0..3 {
        let process = Process::start(&world);
        world.halt.at(FaultStep::AfterClaim);
        process.run(async {
            let worker = Worker::start(&process.gateway);
            world.halt.reached().await;
            drop(worker);
        });
        process.crash();
        world.halt.nowhere();
    }
    assert_eq!(outside(world.stored("order-1")).status(), Status::Pending);
    let tx = recovers(&world).unwrap();
    outside(everything_is_right(&world, Some(&tx), "after three claims"));
    assert_eq!(tx.status(), Status::Successful);
}

#[test]
fn what_a_dead_process_left_is_looked_at_at_once_by_the_next() {
    let world = outside(World::new());
    assert!(dies_at(&world, FaultStep::AfterSubmit));
    let process = Process::start(&world);
    let tx = process.run(async {
        let worker = Worker::start(&process.gateway);
        testkit::clock::settle().await;
        worker.stop().await;
        world.stored("order-1").await
    });
    // Not a second has passed: no lease was waited for.
    assert_eq!(tx.status(), Status::Successful);
    assert_eq!(tx.updated_at, tx.opened_at);
}

#[test]
fn a_payment_that_was_answered_is_there_after_a_crash() {
    let world = outside(World::new());
    let process = Process::start(&world);
    let paid = process.run(buy(&process.gateway, "order-1")).unwrap();
    process.crash();
    let process = Process::start(&world);
    let followed = process.run(async {
        let mut recovery = Recovery::new(&process.gateway);
        recovery.sweep().await.unwrap()
    });
    assert_eq!(followed, 0);
    assert_eq!(outside(world.stored("order-1")), paid.transaction);
}
