//! How long a merchant waits, and what goes on when he no longer does.

use super::support::request::Request;
use super::support::{BALANCE, World, attempt, seconds};
use domain::provider::UnknownCause;
use domain::transaction::{Doubt, State, Status};
use std::time::Duration;
use testkit::faults::Fault;
use testkit::provider::{QueryReply, ScriptedReply};

#[tokio::test]
async fn a_final_state_just_within_the_window_is_answered_final() {
    let world = World::new().await;
    let slow = ScriptedReply::deliver().after(Duration::from_millis(19_999));
    world.provider.on_submit(slow);
    let gateway = world.gateway();
    let mut request = Request::buy(&gateway, "order-1");
    world.pass(seconds(19)).await;
    assert!(request.answered().is_none());
    world.pass(seconds(1)).await;
    let paid = request.answer().await.unwrap();
    assert_eq!(paid.transaction.status(), Status::Successful);
    world.is_right().await;
}

#[tokio::test]
async fn after_the_window_the_answer_is_pending_and_the_flow_goes_on() {
    let world = World::new().await;
    world
        .provider
        .on_submit(ScriptedReply::deliver().after(seconds(25)));
    let gateway = world.gateway();
    let mut request = Request::buy(&gateway, "order-1");
    world.pass(Duration::from_millis(19_999)).await;
    assert!(request.answered().is_none());
    world.pass(Duration::from_millis(1)).await;
    let paid = request.answer().await.unwrap();
    assert_eq!(paid.transaction.status(), Status::Pending);
    assert_eq!(paid.transaction, world.stored("order-1").await);
    world.pass(seconds(5)).await;
    let tx = world.stored("order-1").await;
    assert_eq!(tx.status(), Status::Successful);
    // It came as the answer, without a query.
    assert_eq!(world.provider.queries(), []);
    world.is_right().await;
}

#[tokio::test]
async fn a_provider_that_hangs_is_unknown_after_the_call_deadline_and_never_sent_to_again() {
    let world = World::new().await;
    world
        .provider
        .on_submit(ScriptedReply::deliver().silently());
    let gateway = world.gateway();
    let request = Request::buy(&gateway, "order-1");
    world.pass(seconds(29)).await;
    let paid = request.answer().await.unwrap();
    assert_eq!(paid.transaction.status(), Status::Pending);
    let sending = world.stored("order-1").await;
    assert!(matches!(sending.state, State::Sending(_)));
    world.pass(seconds(1)).await;
    let tx = world.stored("order-1").await;
    let State::InDoubt(in_doubt) = tx.state else {
        panic!("{:?}", tx.state);
    };
    let cause = UnknownCause::Timeout;
    let doubt = Doubt::Unanswered {
        cause,
        absence: None,
    };
    assert_eq!(in_doubt.doubt, doubt);
    assert_eq!(world.provider.submissions().len(), 1);
    world.is_right().await;
}

#[tokio::test]
async fn the_window_runs_while_the_opening_is_being_stored() {
    let world = World::new().await;
    world.ledger.on_commit(1, Fault::AnsweredLate(seconds(4)));
    world
        .provider
        .on_submit(ScriptedReply::deliver().after(seconds(17)));
    let gateway = world.gateway();
    let mut request = Request::buy(&gateway, "order-1");
    world.pass(Duration::from_millis(19_999)).await;
    assert!(request.answered().is_none());
    world.pass(Duration::from_millis(1)).await;
    let paid = request.answered().unwrap().unwrap();
    assert_eq!(paid.transaction.status(), Status::Pending);
    world.pass(seconds(1)).await;
    let tx = world.stored("order-1").await;
    assert_eq!(tx.status(), Status::Successful);
    world.is_right().await;
}

#[tokio::test]
async fn an_opening_that_is_stored_after_the_window_is_answered_at_once() {
    let world = World::new().await;
    world.ledger.on_commit(1, Fault::AnsweredLate(seconds(30)));
    world
        .provider
        .on_submit(ScriptedReply::deliver().silently());
    let gateway = world.gateway();
    let mut request = Request::buy(&gateway, "order-1");
    world.pass(seconds(29)).await;
    assert!(request.answered().is_none());
    world.pass(seconds(1)).await;
    let paid = request.answered().unwrap().unwrap();
    assert_eq!(paid.transaction.status(), Status::Pending);
    world.is_right().await;
}

#[tokio::test]
async fn a_result_that_is_not_being_stored_is_not_answered() {
    let world = World::new().await;
    world.ledger.on_commit(2, Fault::Hung);
    let gateway = world.gateway();
    let mut request = Request::buy(&gateway, "order-1");
    world.pass(seconds(19)).await;
    assert!(request.answered().is_none());
    world.pass(seconds(1)).await;
    let paid = request.answer().await.unwrap();
    assert_eq!(paid.transaction.status(), Status::Pending);
    assert_eq!(paid.transaction, world.stored("order-1").await);
    assert_eq!(world.provider.deliveries(&attempt("order-1", 1)), 1);
}

#[tokio::test]
async fn while_the_merchant_waits_the_pauses_between_questions_grow_to_two_seconds() {
    let world = World::new().await;
    world.provider.on_submit(ScriptedReply::accept());
    let gateway = world.gateway();
    let request = Request::buy(&gateway, "order-1");
    let mut asked = Vec::new();
    for _ in 0..80 {
        world.pass(Duration::from_millis(250)).await;
        asked.push(world.provider.queries().len());
    }
    let rising = asked.iter().zip(asked.iter().skip(1));
    let moments: Vec<_> = rising.enumerate().filter(|(_, (a, b))| a < b).collect();
    let quarters: Vec<_> = moments.iter().map(|(quarter, _)| quarter + 2).collect();
    assert_eq!(asked[0], 1);
    assert_eq!(quarters, [3, 7, 15, 23, 31, 39, 47, 55, 63, 71, 79]);
    let paid = request.answer().await.unwrap();
    assert_eq!(paid.transaction.status(), Status::Pending);
    assert_eq!(world.wallet().await, (BALANCE - 97_000, 97_000));
}

#[tokio::test]
async fn a_clock_that_is_set_back_does_not_keep_the_merchant_or_the_flow() {
    let world = World::new().await;
    world.provider.on_submit(ScriptedReply::accept());
    let gateway = world.gateway();
    let mut request = Request::buy(&gateway, "order-1");
    world.pass(seconds(1)).await;
    world.wall.set_back(Duration::from_hours(1));
    world.pass(seconds(19)).await;
    let paid = request.answered().unwrap().unwrap();
    assert_eq!(paid.transaction.status(), Status::Pending);
    world.pass(seconds(20)).await;
    let asked = world.provider.queries().len();
    world.pass(seconds(600)).await;
    assert_eq!(world.provider.queries().len(), asked);
    assert_eq!(world.clock.sleepers(), 0);
    // Recovery may go on within the window, not within the hour that was set back.
    let now = world.now().minus(Duration::from_hours(1));
    let claimed = world.stores.claim(now, seconds(60), 9).await;
    assert_eq!(claimed.len(), 1);
}

#[tokio::test]
async fn a_question_that_hangs_ends_with_the_call_deadline() {
    let world = World::new().await;
    world.provider.on_submit(ScriptedReply::accept());
    world.provider.on_query(QueryReply::silence());
    let gateway = world.gateway();
    let request = Request::buy(&gateway, "order-1");
    world.pass(seconds(20)).await;
    let paid = request.answer().await.unwrap();
    assert_eq!(paid.transaction.status(), Status::Pending);
    world.pass(seconds(30)).await;
    assert_eq!(world.clock.sleepers(), 0);
    assert!(matches!(world.stored("order-1").await.state, State::InDoubt(it) if it.checks == 1));
}
