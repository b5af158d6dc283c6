//! What is queued: sent once its moment has come, by one of those that could, and never where that
//! is not stored.

use super::support::process::{Process, outside};
use super::support::request::Worker;
use super::support::{BALANCE, World, attempt, minutes, seconds};
use application::QueueWorker;
use application::journals::Journals;
use application::providers::Providers;
use application::recovery::Recovery;
use domain::change_set::ChangeSet;
use domain::event::EventKind;
use domain::ledger::TransferKind;
use domain::provider::{RefusalKind, UnknownCause};
use domain::time::Timestamp;
use domain::transaction::{
    AttemptNumber, CancelCause, Observation, Proof, State, Status, Transaction,
};
use ports::PortErrorKind;
use ports::fault_point::FaultStep;
use ports::journal::JournalReader as _;
use ports::reconciliation::{Clearance, Reconciliation};
use testkit::builders::{START, advance, airtime};
use testkit::faults::Fault;
use testkit::provider::ScriptedReply;
use tokio_util::sync::CancellationToken;

/// A minute after the start, and for an hour.
const SEND_FROM: Timestamp = Timestamp::from_millis(START.as_millis() + 60_000);
const EXPIRES_AT: Timestamp = Timestamp::from_millis(START.as_millis() + 3_660_000);

/// What the queued purchase costs.
const PRICE: i64 = 100_000;

async fn queued(world: &World) -> Transaction {
    let purchase = airtime().priced("1,000.00").queued(SEND_FROM, EXPIRES_AT);
    world.stores.has_opened(&purchase).await
}

async fn sweep(world: &World) -> usize {
    let worker = QueueWorker::new(&world.gateway());
    worker.sweep().await.unwrap()
}

fn sent(world: &World) -> usize {
    world.provider.submissions().len()
}

#[tokio::test]
async fn it_is_sent_once_its_moment_has_come() {
    let world = World::new().await;
    let tx = queued(&world).await;
    world.pass(seconds(59)).await;
    assert_eq!((sweep(&world).await, sent(&world)), (0, 0));
    world.pass(seconds(1)).await;
    assert_eq!(sweep(&world).await, 1);
    let paid = world.stored("order-1").await;
    assert_eq!(paid.status(), Status::Successful);
    assert_eq!(world.provider.deliveries(&attempt("order-1", 1)), 1);
    assert_eq!(world.wallet().await, (BALANCE - PRICE, 0));
    let events = [EventKind::Opened, EventKind::Begun, EventKind::Successful];
    assert_eq!(world.events(&tx).await, events);
    assert_eq!(world.journal.attempts().len(), 1);
    world.pass(minutes(30)).await;
    assert_eq!((sweep(&world).await, sent(&world)), (0, 1));
    world.is_right().await;
}

#[tokio::test]
async fn it_is_sent_after_its_merchant_would_have_stopped_waiting_and_goes_on_as_any_other() {
    let world = World::new().await;
    queued(&world).await;
    world.pass(minutes(10)).await;
    let busy = RefusalKind::Moment { retry_after: None };
    world.provider.on_submit(ScriptedReply::decline_for(busy));
    assert_eq!(sweep(&world).await, 1);
    let failed = world.stored("order-1").await;
    let State::Failed(ended) = &failed.state else {
        panic!("{failed:?}");
    };
    assert!(ended.was_unavailable());
    assert_eq!(world.wallet().await, (BALANCE, 0));
    world.is_right().await;
}

#[tokio::test]
async fn one_that_never_left_is_tried_once_more() {
    let world = World::new().await;
    queued(&world).await;
    world.pass(minutes(10)).await;
    world.provider.on_submit(ScriptedReply::not_sent());
    assert_eq!(sweep(&world).await, 1);
    let paid = world.stored("order-1").await;
    assert_eq!(paid.status(), Status::Successful);
    assert_eq!(world.provider.deliveries(&attempt("order-1", 2)), 1);
    world.is_right().await;
}

#[tokio::test]
async fn one_whose_answer_is_lost_is_asked_about_and_never_sent_again() {
    let world = World::new().await;
    queued(&world).await;
    world.pass(minutes(1)).await;
    let lost = ScriptedReply::answer_lost(UnknownCause::Timeout);
    world.provider.on_submit(lost);
    assert_eq!(sweep(&world).await, 1);
    assert!(matches!(
        world.stored("order-1").await.state,
        State::InDoubt(_)
    ));
    let mut recovery = Recovery::new(&world.gateway());
    world.follow_up_for(&mut recovery, 5).await;
    assert_eq!(world.stored("order-1").await.status(), Status::Successful);
    assert_eq!((sweep(&world).await, sent(&world)), (0, 1));
    world.is_right().await;
}

#[tokio::test]
async fn after_its_time_it_is_cancelled_and_its_price_given_back() {
    let world = World::new().await;
    let tx = queued(&world).await;
    world.pass(minutes(61)).await;
    assert_eq!(sweep(&world).await, 1);
    let State::Cancelled(cancelled) = world.stored("order-1").await.state else {
        panic!("not cancelled");
    };
    assert_eq!(cancelled.cause, CancelCause::Expired);
    assert_eq!((sent(&world), world.wallet().await), (0, (BALANCE, 0)));
    let moved = [TransferKind::Hold, TransferKind::Release];
    assert_eq!(world.transfers(&tx).await, moved);
    assert_eq!(world.journal.attempts().len(), 0);
    world.is_right().await;
}

#[tokio::test]
async fn while_payments_are_suspended_it_stays_where_it_is() {
    let world = World::new().await;
    queued(&world).await;
    world.pass(minutes(1)).await;
    let store = &world.exposed.store;
    store.suspend("a test", Clearance::Person).await.unwrap();
    for _ in 0..2 {
        assert_eq!((sweep(&world).await, sent(&world)), (0, 0));
        let stored = world.stored("order-1").await;
        assert!(matches!(stored.state, State::Queued(_)), "{stored:?}");
        // After its time it may have been delivered all the same.
        world.pass(minutes(61)).await;
    }
    assert_eq!(world.journal.attempts().len(), 0);
    world.is_right().await;
}

#[tokio::test]
async fn one_whose_provider_is_not_configured_waits_until_its_time_is_over() {
    let world = World::new().await;
    queued(&world).await;
    let gateway = world.gateway_with(|parts| parts.providers = Providers::new(Vec::new()));
    let worker = QueueWorker::new(&gateway);
    world.pass(minutes(1)).await;
    assert_eq!(worker.sweep().await.unwrap(), 1);
    assert_eq!(world.stored("order-1").await.attempt(), None);
    world.pass(minutes(61)).await;
    assert_eq!(worker.sweep().await.unwrap(), 1);
    assert_eq!(world.stored("order-1").await.status(), Status::Failed);
    assert_eq!(world.wallet().await, (BALANCE, 0));
    world.is_right().await;
}

/// A store that was set back unnoticed has it in the queue; its provider knows better.
#[tokio::test]
async fn what_its_provider_reports_of_it_is_applied_and_it_is_never_sent_again() {
    let world = World::new().await;
    queued(&world).await;
    let backup = world.exposed.store.backup();
    world.pass(minutes(1)).await;
    assert_eq!((sweep(&world).await, sent(&world)), (1, 1));
    world.provider.take_back(&attempt("order-1", 1));
    world.exposed.store.restore(&backup);
    let mut recovery = Recovery::new(&world.gateway());
    recovery.sweep().await.unwrap();
    let State::Failed(failed) = world.stored("order-1").await.state else {
        panic!("not failed");
    };
    assert_eq!(failed.proof, Proof::TakenBack);
    assert_eq!((sweep(&world).await, sent(&world)), (0, 1));
    assert_eq!(world.wallet().await, (BALANCE, 0));
    world.is_right().await;
}

#[tokio::test]
async fn two_that_send_it_at_once_deliver_it_once() {
    let world = World::new().await;
    let tx = queued(&world).await;
    world.pass(minutes(1)).await;
    // The first claims it and is slow; its lease ends, and the second claims it as well.
    world.ledger.on_commit(1, Fault::Delayed(minutes(2)));
    let (slow, quick) = (world.gateway(), world.gateway());
    let (slow, quick) = (QueueWorker::new(&slow), QueueWorker::new(&quick));
    let later = async {
        world.pass(seconds(90)).await;
        let claimed = quick.sweep().await.unwrap();
        world.pass(minutes(2)).await;
        claimed
    };
    let (first, second) = tokio::join!(slow.sweep(), later);
    assert_eq!((first.unwrap(), second), (1, 1));
    assert_eq!(world.stored("order-1").await.status(), Status::Successful);
    assert_eq!(
        (sent(&world), world.wallet().await),
        (1, (BALANCE - PRICE, 0))
    );
    assert_eq!(world.transfers(&tx).await[0], TransferKind::Hold);
    world.is_right().await;
}

#[tokio::test]
async fn one_that_was_cancelled_meanwhile_is_not_sent() {
    let world = World::new().await;
    let tx = queued(&world).await;
    world.pass(minutes(1)).await;
    let cancelled = Observation::Cancellation(CancelCause::Requested);
    let cancelled = advance(&tx, &cancelled, world.now());
    let overtaken = domain::change_set::ChangeSet::Advance(Box::new(cancelled));
    world
        .ledger
        .on_commit(1, Fault::Overtaken(Box::new(overtaken)));
    assert_eq!((sweep(&world).await, sent(&world)), (1, 0));
    assert_eq!(world.stored("order-1").await.status(), Status::Failed);
    assert_eq!(world.wallet().await, (BALANCE, 0));
    world.is_right().await;
}

#[tokio::test]
async fn where_the_answer_of_the_store_is_lost_nothing_is_sent_and_recovery_asks() {
    for fault in [Fault::RequestLost, Fault::ResponseLost] {
        let world = World::new().await;
        queued(&world).await;
        world.pass(minutes(1)).await;
        let is_stored = matches!(fault, Fault::ResponseLost);
        world.ledger.on_commit(1, fault);
        assert_eq!((sweep(&world).await, sent(&world)), (1, 0));
        let stored = world.stored("order-1").await;
        assert_eq!(stored.attempt().is_some(), is_stored);
        let mut recovery = Recovery::new(&world.gateway());
        world.follow_up_for(&mut recovery, 20).await;
        sweep(&world).await;
        let after = world.stored("order-1").await;
        if is_stored {
            let State::Failed(failed) = &after.state else {
                panic!("{after:?}");
            };
            assert!(matches!(failed.proof, Proof::Absent(_)));
            assert_eq!((sent(&world), world.wallet().await), (0, (BALANCE, 0)));
        } else {
            assert_eq!((after.status(), sent(&world)), (Status::Successful, 1));
        }
        world.is_right().await;
    }
}

#[tokio::test]
async fn without_room_in_the_journal_nothing_is_sent_and_nothing_is_charged() {
    let world = World::new().await;
    queued(&world).await;
    world.pass(minutes(1)).await;
    world.journal.fills_up();
    assert_eq!((sweep(&world).await, sent(&world)), (1, 0));
    let failed = world.stored("order-1").await;
    assert_eq!(failed.status(), Status::Failed);
    assert_eq!(world.wallet().await, (BALANCE, 0));
    world.is_right().await;
}

#[tokio::test]
async fn where_the_store_did_nothing_its_journal_entry_says_nothing() {
    let world = World::new().await;
    queued(&world).await;
    world.pass(minutes(1)).await;
    world
        .ledger
        .on_commit(1, Fault::Refused(PortErrorKind::Record));
    assert_eq!((sweep(&world).await, sent(&world)), (1, 0));
    assert_eq!(world.stored("order-1").await.attempt(), None);
    let journals = world.journal.journals().await.unwrap();
    let page = world.journal.page(&journals[0], None, 10).await.unwrap();
    assert_eq!(page, []);
    world.is_right().await;
}

#[tokio::test]
async fn the_worker_sends_it_by_itself_and_ends_when_it_is_stopped() {
    let world = World::new().await;
    queued(&world).await;
    let stop = CancellationToken::new();
    let until_sent = async {
        world.pass(seconds(65)).await;
        stop.cancel();
    };
    let worker = QueueWorker::new(&world.gateway());
    tokio::join!(worker.run(stop.clone()), until_sent);
    assert_eq!(world.stored("order-1").await.status(), Status::Successful);
    assert_eq!(sent(&world), 1);
    world.is_right().await;
}

/// The store that was set back has it in the queue again; the journal knows better.
#[tokio::test]
async fn a_restored_store_sends_nothing_again_that_left_the_queue() {
    for second in [false, true] {
        let world = World::new().await;
        queued(&world).await;
        let backup = world.exposed.store.backup();
        world.pass(minutes(1)).await;
        if second {
            world.provider.on_submit(ScriptedReply::not_sent());
        }
        sweep(&world).await;
        let sent_before = sent(&world);
        world.exposed.store.restore(&backup);
        assert_eq!(world.stored("order-1").await.attempt(), None);

        Journals::start(&world.gateway()).await.unwrap();
        assert_eq!(sweep(&world).await, 0);
        let reopened = world.stored("order-1").await;
        let last = AttemptNumber::try_new(1 + u8::from(second)).unwrap();
        assert_eq!(reopened.attempt(), Some(last));
        let worker = Worker::start(&world.gateway());
        world.pass(minutes(2)).await;
        worker.stop().await;
        assert_eq!(world.stored("order-1").await.status(), Status::Successful);
        assert_eq!(sent(&world), sent_before);
        assert_eq!(world.wallet().await, (BALANCE - PRICE, 0));
        world.is_right().await;
    }
}

/// A crash at any moment of sending it is recovered from.
#[test]
fn a_process_that_dies_while_it_sends_leaves_one_delivery_at_most() {
    for moment in [FaultStep::AfterSubmit, FaultStep::AfterSettle] {
        let world = outside(World::new());
        outside(queued(&world));
        let process = Process::start(&world);
        world.halt.at(moment);
        let reached = process.run(async {
            world.pass(minutes(1)).await;
            let worker = QueueWorker::new(&process.gateway);
            tokio::select! {
                biased;
                () = world.halt.reached() => true,
                _ = worker.sweep() => false,
            }
        });
        assert!(reached, "{}", moment.code());
        process.crash();
        world.halt.nowhere();
        let process = Process::start(&world);
        process.run(async {
            let worker = Worker::start(&process.gateway);
            world.pass(minutes(20)).await;
            worker.stop().await;
        });
        let after = outside(world.stored("order-1"));
        assert_eq!(after.status(), Status::Successful, "{}", moment.code());
        assert_eq!(outside(sweep(&world)), 0);
        assert_eq!(world.provider.deliveries(&attempt("order-1", 1)), 1);
        outside(world.is_right());
    }
}

/// Another process cancels it in between: nothing is asked about then.
#[tokio::test]
async fn what_is_cancelled_before_its_attempt_is_recorded_again_is_not_reopened() {
    let world = World::new().await;
    let tx = queued(&world).await;
    let cancelled = Observation::Cancellation(CancelCause::Requested);
    let step = advance(&tx, &cancelled, world.now());
    let winner = ChangeSet::Advance(Box::new(step));
    world.ledger.on_next(Fault::Overtaken(Box::new(winner)));
    let reference = attempt("order-1", 1);
    let parts = reference.parts().unwrap();
    let reopened = world
        .gateway()
        .reopen_reference((&reference, tx.provider()), &parts)
        .await
        .unwrap();
    assert!(!reopened);
    assert_eq!(world.stored("order-1").await.status(), Status::Failed);
    world.is_right().await;
}
