//! How long after it was recorded an attempt may still leave.

use super::support::request::{Request, Worker};
use super::support::{BALANCE, World, attempt, seconds};
use async_trait::async_trait;
use domain::change_set::ChangeSet;
use domain::transaction::{Proof, State, Status, Transaction};
use ports::PortError;
use ports::ledger_store::{CommitOutcome, LedgerStore};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use testkit::faults::Fault;
use testkit::provider::ScriptedReply;

/// Books that answer the result of a second attempt with the transaction as it was opened.
#[derive(Debug)]
struct GoneBack {
    ledger: Arc<dyn LedgerStore>,
    opened: Mutex<Option<Box<Transaction>>>,
}

#[async_trait]
impl LedgerStore for GoneBack {
    async fn commit(&self, change: ChangeSet) -> Result<CommitOutcome, PortError> {
        match &change {
            ChangeSet::Open(opening) => {
                let opened = Box::new(opening.transaction.clone());
                *self.opened.lock().unwrap() = Some(opened);
            }
            ChangeSet::Advance(advance) if advance.transaction.version == 3 => {
                let opened = self.opened.lock().unwrap().clone();
                return Ok(CommitOutcome::VersionConflict(opened.unwrap()));
            }
            ChangeSet::Fund(_)
            | ChangeSet::OpenBatch(_)
            | ChangeSet::Advance(_)
            | ChangeSet::Settle(_)
            | ChangeSet::Collect(_)
            | ChangeSet::Voucher(_) => {}
        }
        self.ledger.commit(change).await
    }
}

#[tokio::test]
async fn an_attempt_leaves_once_whatever_the_store_answers() {
    let world = World::new().await;
    world.provider.on_submit(ScriptedReply::not_sent());
    let gateway = world.gateway_with(|parts| {
        parts.ledger = Arc::new(GoneBack {
            ledger: parts.ledger.clone(),
            opened: Mutex::default(),
        });
    });
    let request = Request::buy(&gateway, "order-1");
    world.pass(seconds(1)).await;
    let sent = world.provider.submissions();
    let sent: Vec<_> = sent.into_iter().map(|sent| sent.reference).collect();
    assert_eq!(sent, [attempt("order-1", 1), attempt("order-1", 2)]);
    request.hang_up();
}

#[tokio::test]
async fn an_attempt_at_the_edge_of_its_time_still_leaves() {
    let world = World::new().await;
    let edge = Duration::from_millis(4_999);
    world.ledger.on_commit(1, Fault::AnsweredLate(edge));
    let gateway = world.gateway();
    let request = Request::buy(&gateway, "order-1");
    world.pass(seconds(5)).await;
    let paid = request.answer().await.unwrap();
    assert_eq!(paid.transaction.status(), Status::Successful);
    assert_eq!(world.provider.deliveries(&attempt("order-1", 1)), 1);
    world.is_right().await;
}

#[tokio::test]
async fn an_attempt_that_waited_too_long_never_leaves_and_another_takes_its_place() {
    let world = World::new().await;
    let late = seconds(5);
    world.ledger.on_commit(1, Fault::AnsweredLate(late));
    let gateway = world.gateway();
    let request = Request::buy(&gateway, "order-1");
    world.pass(seconds(6)).await;
    let paid = request.answer().await.unwrap();
    assert_eq!(paid.transaction.status(), Status::Successful);
    assert_eq!(paid.transaction.earlier[0].proof, Proof::NotSent);
    let sent = world.provider.submissions();
    assert_eq!(sent.len(), 1);
    assert_eq!(sent[0].reference, attempt("order-1", 2));
    world.is_right().await;
}

#[tokio::test]
async fn a_store_that_is_always_too_slow_fails_the_payment_and_sends_nothing() {
    let world = World::new().await;
    world.ledger.on_commit(1, Fault::AnsweredLate(seconds(6)));
    world.ledger.on_commit(2, Fault::AnsweredLate(seconds(6)));
    let gateway = world.gateway();
    let request = Request::buy(&gateway, "order-1");
    world.pass(seconds(12)).await;
    let paid = request.answer().await.unwrap();
    assert_eq!(paid.transaction.status(), Status::Failed);
    assert_eq!(world.provider.submissions(), []);
    assert_eq!(world.wallet().await, (BALANCE, 0));
    world.is_right().await;
}

#[tokio::test]
async fn an_attempt_that_was_taken_over_before_it_left_never_leaves() {
    let world = World::new().await;
    world.ledger.on_commit(1, Fault::AnsweredLate(seconds(90)));
    let gateway = world.gateway();
    let request = Request::buy(&gateway, "order-1");
    world.pass(seconds(61)).await;
    let worker = Worker::start(&gateway);
    world.pass(seconds(1)).await;
    let tx = world.stored("order-1").await;
    assert!(matches!(tx.state, State::InDoubt(_)), "{:?}", tx.state);
    world.pass(seconds(28)).await;
    let paid = request.answer().await.unwrap();
    assert_eq!(paid.transaction.status(), Status::Pending);
    assert_eq!(world.stored("order-1").await.status(), Status::Failed);
    assert_eq!(world.provider.submissions(), []);
    assert_eq!(world.wallet().await, (BALANCE, 0));
    worker.stop().await;
    world.is_right().await;
}
