//! Books that are older than what was promised from them: nothing new is opened, and what is open
//! is brought to its end.

use super::support::fault_injector::Reads;
use super::support::request::{Request, Worker, buy, keyed, pay, top_up};
use super::support::{BALANCE, World, attempt, merchant, minutes, seconds};
use application::{ReplayMark, RequestError};
use domain::country::CountryCode;
use domain::hlr::HlrQuery;
use domain::transaction::Status;
use ports::CommitState;
use testkit::builders::{phone, reference};
use testkit::provider::ScriptedReply;

#[tokio::test]
async fn nothing_is_opened_nor_sent_until_the_books_have_been_compared() {
    let world = World::new().await;
    let gateway = world.gateway();
    world.exposed.store.hold_openings();
    let query = HlrQuery {
        reference: Some(reference("look-1")),
        country: CountryCode::NIGERIA,
        number: phone("2348031234567"),
    };
    world.faults.set_reads(Reads::Fail);
    match buy(&gateway, "order-1").await {
        Err(RequestError::Store(error)) => assert_eq!(error.effect, CommitState::Nothing),
        other => panic!("{other:?}"),
    }
    world.faults.clear();
    let looked_up = gateway.look_up_number(&merchant("shop"), query).await;
    let answers = [
        buy(&gateway, "order-1").await.map(drop),
        pay(&gateway, "order-2").await.map(drop),
        looked_up.map(drop),
    ];
    for answer in answers {
        assert!(
            matches!(answer, Err(RequestError::ReconciliationRequired)),
            "{answer:?}"
        );
    }
    assert_eq!(world.provider.submissions(), []);
    assert_eq!(world.wallet().await, (BALANCE, 0));
    world.exposed.store.allow_openings();
    let paid = buy(&gateway, "order-1").await.unwrap();
    assert_eq!(paid.transaction.status(), Status::Successful);
}

#[tokio::test]
async fn what_is_open_is_settled_all_the_same() {
    let world = World::new().await;
    world.provider.on_submit(ScriptedReply::accept());
    let gateway = world.gateway();
    let request = Request::buy(&gateway, "order-1");
    world.pass(seconds(1)).await;
    world.exposed.store.hold_openings();
    let worker = Worker::start(&gateway);
    world.pass(minutes(1)).await;
    world.provider.finish(&attempt("order-1", 1));
    world.pass(minutes(2)).await;
    worker.stop().await;
    request.hang_up();
    assert_eq!(world.stored("order-1").await.status(), Status::Successful);
    world.is_right().await;
}

#[tokio::test]
async fn a_second_attempt_of_what_is_open_is_sent_all_the_same() {
    let world = World::new().await;
    world
        .provider
        .on_submit(ScriptedReply::not_sent().after(seconds(2)));
    let gateway = world.gateway();
    let request = Request::buy(&gateway, "order-1");
    world.pass(seconds(1)).await;
    world.exposed.store.hold_openings();
    world.pass(seconds(1)).await;
    let paid = request.answer().await.unwrap();
    assert_eq!(paid.transaction.status(), Status::Successful);
    assert_eq!(world.provider.deliveries(&attempt("order-1", 2)), 1);
}

#[tokio::test]
async fn a_repeated_request_receives_its_transaction() {
    let world = World::new().await;
    let gateway = world.gateway();
    let shop = merchant("shop");
    let purchase = || keyed(top_up("order-1"), "key-1");
    let first = gateway.buy_airtime(&shop, purchase()).await.unwrap();
    world.exposed.store.hold_openings();
    let again = gateway.buy_airtime(&shop, purchase()).await.unwrap();
    assert_eq!(again.replay, ReplayMark::Replayed);
    assert_eq!(again.transaction, first.transaction);
    let without_key = buy(&gateway, "order-1").await;
    assert!(
        matches!(without_key, Err(RequestError::ReferenceTaken { .. })),
        "{without_key:?}"
    );
    let known = gateway
        .report(
            &shop,
            domain::order::Service::Airtime,
            &reference("order-1"),
        )
        .await;
    assert_eq!(known.unwrap(), Some(first.transaction));
}
