//! Commits whose outcome is lost, refused or overtaken. What is not seen to be stored is never
//! sent, and what another has learned is never overwritten.

use super::support::fault_injector::Reads;
use super::support::request::{Request, Worker, buy};
use super::support::{BALANCE, World, attempt, seconds};
use application::{ReplayMark, RequestError};
use async_trait::async_trait;
use domain::change_set::ChangeSet;
use domain::event::EventKind;
use domain::provider::{QueryOutcome, UnknownCause};
use domain::transaction::{State, Status};
use ports::PortError;
use ports::ledger_store::{CommitOutcome, LedgerStore};
use std::sync::Arc;
use testkit::builders::{airtime, declined, finding, takeover};
use testkit::faults::Fault;
use testkit::ids::ListedIds;
use testkit::provider::{JournalledState, ScriptedReply};

#[tokio::test]
async fn a_lost_opening_is_an_error_and_stores_and_sends_nothing() {
    let world = World::new().await;
    world.ledger.on_commit(1, Fault::RequestLost);
    let answer = buy(&world.gateway(), "order-1").await;
    assert!(matches!(answer, Err(RequestError::Store(_))), "{answer:?}");
    assert_eq!(world.stores.read("shop", "order-1").await, None);
    assert_eq!(world.provider.submissions(), []);
    assert_eq!(world.wallet().await, (BALANCE, 0));
    world.is_right().await;
}

#[tokio::test]
async fn an_opening_whose_verdict_is_lost_is_sent_once_it_is_seen_stored() {
    let world = World::new().await;
    world.ledger.on_commit(1, Fault::ResponseLost);
    let paid = buy(&world.gateway(), "order-1").await.unwrap();
    assert_eq!(paid.replay, ReplayMark::New);
    assert_eq!(paid.transaction.status(), Status::Successful);
    assert_eq!(world.provider.submissions().len(), 1);
    world.is_right().await;
}

#[tokio::test]
async fn an_opening_that_recovery_took_over_before_it_was_read_back_is_answered_as_our_own() {
    let world = World::new().await;
    world.ledger.on_commit(1, Fault::ResponseLost);
    world.faults.set_reads(Reads::Take(seconds(70)));
    let gateway = world.gateway();
    let mut request = Request::buy(&gateway, "order-1");
    world.pass(seconds(1)).await;
    let worker = Worker::start(&gateway);
    world.pass(seconds(70)).await;
    let paid = request.answered().unwrap().unwrap();
    assert_eq!(paid.replay, ReplayMark::New);
    assert!(matches!(paid.transaction.state, State::InDoubt(_)));
    assert_eq!(world.provider.submissions(), []);
    worker.stop().await;
    world.is_right().await;
}

/// A ledger that tries every commit twice and returns the second result.
#[derive(Debug)]
struct TryingTwice(Arc<dyn LedgerStore>);

#[async_trait]
impl LedgerStore for TryingTwice {
    async fn commit(&self, change: ChangeSet) -> Result<CommitOutcome, PortError> {
        self.0.commit(change.clone()).await?;
        self.0.commit(change).await
    }
}

#[tokio::test]
async fn a_store_that_meets_its_own_first_try_does_not_turn_the_merchant_away() {
    let world = World::new().await;
    let gateway = world.gateway_with(|parts| {
        parts.ledger = Arc::new(TryingTwice(parts.ledger.clone()));
    });
    let paid = buy(&gateway, "order-1").await.unwrap();
    assert_eq!(paid.replay, ReplayMark::New);
    assert_eq!(paid.transaction.status(), Status::Successful);
    assert_eq!(world.provider.submissions().len(), 1);
    world.is_right().await;
}

#[tokio::test]
async fn the_loser_of_a_race_answers_what_the_winner_stored() {
    let world = World::new().await;
    let gateway = world.gateway();
    world
        .provider
        .on_submit(ScriptedReply::deliver().after(seconds(2)));
    let request = Request::buy(&gateway, "order-1");
    world.pass(seconds(1)).await;
    let opened = world.stored("order-1").await;
    let step = testkit::builders::advance(&opened, &declined(&opened), world.now());
    let winner = ChangeSet::Advance(Box::new(step));
    world.ledger.on_next(Fault::Overtaken(Box::new(winner)));
    world.pass(seconds(1)).await;
    let paid = request.answer().await.unwrap();
    // The provider said no and yes: the no was first, so the yes is our loss.
    assert_eq!(paid.transaction.status(), Status::Failed);
    let reported = world.events(&paid.transaction).await;
    assert_eq!(reported.last(), Some(&EventKind::LateDelivered));
    assert_eq!(world.wallet().await, (BALANCE, 0));
    world.is_right().await;
}

#[tokio::test]
async fn an_observation_that_meets_a_takeover_is_applied_on_top_of_it() {
    let world = World::new().await;
    let gateway = world.gateway();
    world
        .provider
        .on_submit(ScriptedReply::deliver().after(seconds(2)));
    let request = Request::buy(&gateway, "order-1");
    world.pass(seconds(1)).await;
    let opened = world.stored("order-1").await;
    let step = testkit::builders::advance(&opened, &takeover(&opened), world.now());
    let winner = ChangeSet::Advance(Box::new(step));
    world.ledger.on_next(Fault::Overtaken(Box::new(winner)));
    world.pass(seconds(1)).await;
    let paid = request.answer().await.unwrap();
    assert_eq!(paid.transaction.status(), Status::Successful);
    assert_eq!(paid.transaction.version, 3);
    world.is_right().await;
}

#[tokio::test]
async fn a_store_that_answers_nothing_but_conflicts_is_given_up_on() {
    let world = World::new().await;
    for commit in 2..200 {
        world.ledger.on_commit(commit, Fault::Conflict);
    }
    let paid = buy(&world.gateway(), "order-1").await.unwrap();
    assert_eq!(paid.transaction.status(), Status::Pending);
    let tried = world.ledger.commits().len();
    assert!((3..50).contains(&tried), "{tried}");
    assert_eq!(world.provider.submissions().len(), 1);
}

#[tokio::test]
async fn a_number_that_is_in_use_is_drawn_anew() {
    let world = World::new().await;
    world.stores.has_opened(&airtime().nth(5)).await;
    let ids = Arc::new(ListedIds::new([5, 5, 6]));
    let gateway = world.gateway_with(|parts| parts.ids = ids);
    let paid = buy(&gateway, "order-1").await.unwrap();
    assert_eq!(paid.transaction.number.get(), 6);
    assert_eq!(paid.transaction.status(), Status::Successful);
}

#[tokio::test]
async fn a_source_that_draws_one_number_for_ever_is_an_error_and_sends_nothing() {
    let world = World::new().await;
    world.stores.has_opened(&airtime().nth(5)).await;
    let ids = Arc::new(ListedIds::new([5]));
    let gateway = world.gateway_with(|parts| parts.ids = ids);
    let before = world.wallet().await;
    let answer = buy(&gateway, "order-1").await;
    assert!(matches!(answer, Err(RequestError::Store(_))), "{answer:?}");
    assert_eq!(world.provider.submissions(), []);
    assert_eq!(world.wallet().await, before);
}

#[tokio::test]
async fn an_old_not_found_after_a_success_changes_nothing() {
    let world = World::new().await;
    let lost = ScriptedReply::answer_lost(UnknownCause::Timeout);
    world.provider.on_submit(lost);
    let gateway = world.gateway();
    let request = Request::buy(&gateway, "order-1");
    world.pass(seconds(1)).await;
    let tx = request.answer().await.unwrap().transaction;
    assert_eq!(tx.status(), Status::Successful);
    let first = attempt("order-1", 1);
    for said in [
        QueryOutcome::NotFound,
        QueryOutcome::Unknown,
        QueryOutcome::Pending,
    ] {
        let observation = finding(&tx, said.clone());
        assert_eq!(
            testkit::builders::apply(&tx, &observation, world.now()),
            None
        );
        world.provider.report(&first, said);
    }
    let worker = Worker::start(&gateway);
    world.pass(seconds(3)).await;
    worker.stop().await;
    assert_eq!(world.stored("order-1").await, tx);
    let book = world.provider.journal();
    assert!(matches!(book[0].standing, JournalledState::Delivered(_)));
    world.is_right().await;
}
