//! The attempt journal: nothing is sent without an entry, and a store that was set back is found
//! out, suspended and completed from it without anything being sent again.

use super::support::request::{Request, Worker, buy, once};
use super::support::{BALANCE, World, attempt, merchant, minutes, seconds};
use application::RequestError;
use application::journals::Journals;
use domain::bank::Narration;
use domain::transaction::{AttemptNumber, Proof, State, Status};
use domain::wallet::WalletTransfer;
use ports::journal::{JournalReader, JournalStanding};
use ports::reconciliation::{AcknowledgeOutcome, Clearance, Reconciliation};
use testkit::builders::{funding, naira, vouched};
use testkit::faults::Fault;
use testkit::journal::MemoryJournal;
use testkit::provider::ScriptedReply;

/// Compares the journal with the store, as a start does.
pub(crate) async fn start(world: &World) -> Journals {
    Journals::start(&world.gateway()).await.unwrap()
}

async fn clearance(world: &World) -> Option<Clearance> {
    let suspension = world.exposed.store.suspension().await.unwrap();
    suspension.map(|it| it.clearance)
}

pub(crate) async fn is_acknowledged(world: &World) {
    let acknowledged = world.exposed.store.acknowledge(&vouched([])).await;
    assert_eq!(acknowledged.unwrap(), AcknowledgeOutcome::Resumed);
}

#[tokio::test]
async fn every_attempt_is_journalled_and_confirmed_before_it_is_sent() {
    let world = World::new().await;
    world.provider.on_submit(ScriptedReply::not_sent());
    let paid = buy(&world.gateway(), "order-1").await.unwrap();
    assert_eq!(paid.transaction.status(), Status::Successful);
    let sent: Vec<_> = world
        .provider
        .submissions()
        .iter()
        .map(|it| it.reference.clone())
        .collect();
    assert_eq!(sent, [attempt("order-1", 1), attempt("order-1", 2)]);
    let journals = world.journal.journals().await.unwrap();
    let page = world.journal.page(&journals[0], None, 10).await.unwrap();
    let page: Vec<_> = page
        .iter()
        .map(|it| (it.provider_reference.clone(), it.standing))
        .collect();
    let expected = [attempt("order-1", 2), attempt("order-1", 1)];
    assert_eq!(page, expected.map(|it| (it, JournalStanding::Confirmed)));
}

#[tokio::test]
async fn without_room_in_the_journal_nothing_is_sent_and_nothing_is_charged() {
    let world = World::new().await;
    world.journal.fills_up();
    let paid = buy(&world.gateway(), "order-1").await.unwrap();
    let State::Failed(failed) = &paid.transaction.state else {
        panic!("{:?}", paid.transaction.state);
    };
    assert_eq!(failed.proof, Proof::NotSent);
    assert_eq!(world.provider.submissions(), []);
    assert_eq!(world.wallet().await, (BALANCE, 0));
    world.is_right().await;
}

#[tokio::test]
async fn what_the_store_refuses_leaves_no_question() {
    let world = World::new().await;
    let gateway = world.gateway();
    buy(&gateway, "order-1").await.unwrap();
    let again = buy(&gateway, "order-1").await;
    assert!(
        matches!(again, Err(RequestError::ReferenceTaken { .. })),
        "{again:?}"
    );
    assert_eq!(world.journal.attempts().len(), 1);
}

#[tokio::test]
async fn a_store_that_lost_nothing_is_served_at_once() {
    let world = World::new().await;
    let gateway = world.gateway();
    buy(&gateway, "order-1").await.unwrap();
    start(&world).await;
    assert_eq!(clearance(&world).await, None);
    buy(&gateway, "order-2").await.unwrap();
}

#[tokio::test]
async fn an_entry_whose_commit_was_never_confirmed_asks_nothing() {
    let world = World::new().await;
    world.ledger.on_commit(1, Fault::RequestLost);
    let request = Request::buy(&world.gateway(), "order-1");
    world.pass(seconds(21)).await;
    assert!(request.answer().await.is_err());
    start(&world).await;
    assert_eq!(clearance(&world).await, None);
    assert_eq!(world.stores.read("shop", "order-1").await, None);
    world.is_right().await;
}

#[tokio::test]
async fn a_payment_that_the_store_forgot_is_asked_about_and_never_bought_twice() {
    let world = World::new().await;
    let gateway = world.gateway();
    buy(&gateway, "order-1").await.unwrap();
    let backup = world.exposed.store.backup();
    let before = buy(&gateway, "order-2").await.unwrap().transaction;
    world.exposed.store.restore(&backup);

    start(&world).await;
    assert_eq!(clearance(&world).await, Some(Clearance::Person));
    let stored = world.stored("order-2").await;
    assert_eq!(
        (stored.number, stored.status()),
        (before.number, Status::Pending)
    );
    let again = buy(&gateway, "order-2").await;
    assert!(
        matches!(again, Err(RequestError::ReferenceTaken { .. })),
        "{again:?}"
    );
    let other = buy(&gateway, "order-3").await;
    assert!(
        matches!(other, Err(RequestError::ReconciliationRequired)),
        "{other:?}"
    );

    let worker = Worker::start(&gateway);
    world.pass(minutes(2)).await;
    worker.stop().await;
    assert_eq!(world.stored("order-2").await.status(), Status::Successful);
    assert_eq!(world.wallet().await, (BALANCE - 2 * 97_000, 0));
    assert_eq!(world.provider.deliveries(&attempt("order-2", 1)), 1);
    is_acknowledged(&world).await;
    buy(&gateway, "order-3").await.unwrap();
    world.is_right().await;
}

#[tokio::test]
async fn a_second_attempt_that_the_store_forgot_is_asked_about_under_its_own_reference() {
    for opened in [false, true] {
        let world = World::new().await;
        let gateway = world.gateway();
        let empty = world.exposed.store.backup();
        world
            .provider
            .on_submit(ScriptedReply::not_sent().after(seconds(1)));
        let request = Request::buy(&gateway, "order-1");
        let first = world.exposed.store.backup();
        world.pass(seconds(2)).await;
        request.answer().await.unwrap();
        world
            .exposed
            .store
            .restore(if opened { &first } else { &empty });

        start(&world).await;
        let stored = world.stored("order-1").await;
        assert_eq!(stored.attempt(), AttemptNumber::try_new(2).ok());
        let worker = Worker::start(&gateway);
        world.pass(minutes(2)).await;
        worker.stop().await;
        assert_eq!(world.stored("order-1").await.status(), Status::Successful);
        assert_eq!(world.provider.deliveries(&attempt("order-1", 2)), 1);
        world.is_right().await;
    }
}

#[tokio::test]
async fn what_cannot_be_opened_again_is_tried_until_it_can() {
    let world = World::new().await;
    let gateway = world.gateway();
    let backup = world.exposed.store.backup();
    let credit = domain::change_set::ChangeSet::Fund(funding("shop", "credit-1", "5,000.00"));
    world.stores.commit(credit.clone()).await;
    for n in 1..=11 {
        buy(&gateway, &format!("order-{n}")).await.unwrap();
    }
    world.exposed.store.restore(&backup);
    let mut journals = start(&world).await;
    let missing = |world: &World| {
        let store = world.exposed.store.clone();
        async move { store.journals().await.unwrap()[0].missing }
    };
    assert_eq!(missing(&world).await, 1, "ten of 970.00 leave 300.00");
    world.stores.commit(credit).await;
    world.pass(seconds(6)).await;
    journals.round().await.unwrap();
    assert_eq!(missing(&world).await, 0);
    world.is_right().await;
}

#[tokio::test]
async fn a_new_journal_over_a_store_with_payments_starts_suspended() {
    let world = World::new().await;
    buy(&world.gateway(), "order-1").await.unwrap();
    let forgetful = World {
        journal: MemoryJournal::new(),
        ..world
    };
    start(&forgetful).await;
    assert_eq!(clearance(&forgetful).await, Some(Clearance::Records));
    is_acknowledged(&forgetful).await;
    buy(&forgetful.gateway(), "order-2").await.unwrap();
}

#[tokio::test]
async fn a_new_journal_over_an_empty_store_is_served_at_once() {
    let world = World::new().await;
    start(&world).await;
    assert_eq!(clearance(&world).await, None);
    buy(&world.gateway(), "order-1").await.unwrap();
}

fn exchange(reference: &str) -> WalletTransfer {
    WalletTransfer {
        reference: testkit::builders::reference(reference),
        amount: naira("1,000.00"),
        narration: Narration::parse("Messages").unwrap(),
    }
}

#[tokio::test]
async fn an_exchange_that_the_store_forgot_is_booked_again_once() {
    let world = World::new().await;
    let (gateway, shop) = (world.gateway(), merchant("shop"));
    let backup = world.exposed.store.backup();
    let before = gateway
        .transfer_to_wallet(&shop, once(exchange("order-1")))
        .await;
    let before = before.unwrap().transaction;
    let after = world.wallet().await;
    world.exposed.store.restore(&backup);
    assert_eq!(world.wallet().await, (BALANCE, 0));

    start(&world).await;
    assert_eq!(clearance(&world).await, Some(Clearance::Person));
    assert_eq!(world.stored("order-1").await, before);
    assert_eq!(world.wallet().await, after);
    start(&world).await;
    assert_eq!(world.wallet().await, after);
    is_acknowledged(&world).await;
    let again = gateway
        .transfer_to_wallet(&shop, once(exchange("order-1")))
        .await;
    assert!(
        matches!(again, Err(RequestError::ReferenceTaken { .. })),
        "{again:?}"
    );
    assert_eq!(world.wallet().await, after);
    world.is_right().await;
}

#[tokio::test]
async fn an_exchange_that_is_stored_is_not_missed() {
    let world = World::new().await;
    let shop = merchant("shop");
    let gateway = world.gateway();
    gateway
        .transfer_to_wallet(&shop, once(exchange("order-1")))
        .await
        .unwrap();
    start(&world).await;
    assert_eq!(clearance(&world).await, None);
    buy(&gateway, "order-2").await.unwrap();
}

#[tokio::test]
async fn an_exchange_whose_commit_was_never_confirmed_is_not_made_by_a_start() {
    let world = World::new().await;
    let shop = merchant("shop");
    world.ledger.on_commit(1, Fault::RequestLost);
    let gateway = world.gateway();
    let asked = async {
        gateway
            .transfer_to_wallet(&shop, once(exchange("order-1")))
            .await
    };
    let passed = world.pass(seconds(21));
    let (answer, ()) = tokio::join!(asked, passed);
    assert!(answer.is_err(), "{answer:?}");
    start(&world).await;
    assert_eq!(clearance(&world).await, None);
    assert_eq!(world.stores.read("shop", "order-1").await, None);
    assert_eq!(world.wallet().await, (BALANCE, 0));
    world.is_right().await;
}
