//! Callbacks of providers. A callback must lead to a question and never to an outcome, and what was
//! asked must be settled before it is answered.

use super::support::request::{Request, Worker};
use super::support::{World, attempt, minutes, seconds};
use application::provider_callbacks::{CallbackRefused, CallbackResult, ProviderCallback};
use domain::provider::{QueryOutcome, UnknownCause};
use domain::transaction::{Doubt, State, Status};
use std::net::{IpAddr, Ipv4Addr};
use testkit::builders::provider_id;
use testkit::provider::{QueryReply, ScriptedReply};

const RIGHT: &[(&str, &[u8])] = &[("x-signature", b"right")];

async fn called(world: &World, headers: &[(&str, &[u8])], body: &str) -> Option<CallbackResult> {
    let callback = ProviderCallback {
        headers,
        body: body.as_bytes(),
        source: IpAddr::V4(Ipv4Addr::LOCALHOST),
        received_at: world.gateway().now(),
    };
    let provider = provider_id("sandbox");
    world.gateway().take_callback(&provider, &callback).await
}

/// A world with a payment that its provider accepted for later.
async fn accepted() -> World {
    let world = World::new().await;
    world.provider.on_submit(ScriptedReply::accept());
    let request = Request::buy(&world.gateway(), "order-1");
    world.pass(seconds(30)).await;
    request.answer().await.unwrap();
    assert_eq!(world.stored("order-1").await.status(), Status::Pending);
    world
}

#[tokio::test]
async fn a_callback_has_its_attempt_asked_about_and_settled() {
    let world = accepted().await;
    let reference = attempt("order-1", 1);
    world.provider.finish(&reference);
    let taken = called(&world, RIGHT, reference.as_str()).await;
    assert!(matches!(taken, Some(CallbackResult::Taken(_))), "{taken:?}");
    assert_eq!(world.stored("order-1").await.status(), Status::Successful);
}

#[tokio::test]
async fn a_callback_that_comes_early_or_is_forged_changes_nothing() {
    let world = accepted().await;
    let reference = attempt("order-1", 1);
    let taken = called(&world, RIGHT, reference.as_str()).await;
    assert!(matches!(taken, Some(CallbackResult::Taken(_))), "{taken:?}");
    assert_eq!(world.stored("order-1").await.status(), Status::Pending);
    world.provider.finish(&reference);
    let asked = world.provider.queries().len();
    for headers in [
        &[][..],
        &[("x-signature", b"wrong".as_slice())],
        &[
            ("x-signature", b"right".as_slice()),
            ("x-signature", b"right"),
        ],
    ] {
        let refused = called(&world, headers, reference.as_str()).await;
        let not_authentic = CallbackResult::Refused(CallbackRefused::NotAuthentic);
        assert_eq!(refused, Some(not_authentic));
    }
    assert_eq!(world.provider.queries().len(), asked);
    assert_eq!(world.stored("order-1").await.status(), Status::Pending);
}

#[tokio::test]
async fn a_reference_that_is_unknown_is_answered_alike_and_not_asked_about() {
    let world = accepted().await;
    let asked = world.provider.queries().len();
    let known = called(&world, RIGHT, attempt("order-1", 1).as_str()).await;
    for unknown in [
        "shop.order-2.1",
        "shop.order-1.2",
        "other.order-1.1",
        "wire",
    ] {
        assert_eq!(called(&world, RIGHT, unknown).await, known, "{unknown}");
    }
    assert_eq!(world.provider.queries().len(), asked + 1);
}

#[tokio::test]
async fn a_delivery_that_is_taken_back_is_learnt_from_a_callback() {
    let world = World::new().await;
    let request = Request::buy(&world.gateway(), "order-1");
    world.pass(seconds(30)).await;
    request.answer().await.unwrap();
    let reference = attempt("order-1", 1);
    world.provider.take_back(&reference);
    called(&world, RIGHT, reference.as_str()).await.unwrap();
    assert_eq!(world.stored("order-1").await.status(), Status::Reversed);
}

#[tokio::test]
async fn where_the_provider_does_not_answer_the_callback_is_to_be_repeated() {
    let world = accepted().await;
    let reference = attempt("order-1", 1);
    world.provider.finish(&reference);
    world
        .provider
        .on_query(QueryReply::say(QueryOutcome::Unknown));
    let taken = called(&world, RIGHT, reference.as_str()).await;
    assert_eq!(taken, Some(CallbackResult::Later));
    called(&world, RIGHT, reference.as_str()).await.unwrap();
    assert_eq!(world.stored("order-1").await.status(), Status::Successful);
}

#[tokio::test]
async fn more_attempts_than_a_callback_may_name_are_refused() {
    let world = accepted().await;
    let many = "wire\n".repeat(101);
    let refused = called(&world, RIGHT, &many).await;
    let unreadable = CallbackResult::Refused(CallbackRefused::Unreadable);
    assert_eq!(refused, Some(unreadable));
}

#[tokio::test]
async fn an_answer_that_says_nothing_new_is_not_stored() {
    let world = accepted().await;
    let reference = attempt("order-1", 1);
    let before = world.stored("order-1").await;
    let asked = world.provider.queries().len();
    for _ in 0..5 {
        world.pass(seconds(1)).await;
        called(&world, RIGHT, reference.as_str()).await.unwrap();
    }
    assert_eq!(world.provider.queries().len(), asked + 5);
    assert_eq!(world.stored("order-1").await, before);
}

/// An absence is counted by answers in a row, so one that begins it or breaks it off is new.
#[tokio::test]
async fn an_answer_that_begins_or_ends_an_absence_is_stored() {
    let world = World::new().await;
    let lost = ScriptedReply::request_lost(UnknownCause::Timeout);
    world.provider.on_submit(lost);
    let request = Request::buy(&world.gateway(), "order-1");
    world.pass(seconds(30)).await;
    request.answer().await.unwrap();
    // The age of the doubt is counted by what is stored.
    let worker = Worker::start(&world.gateway());
    world.pass(minutes(9)).await;
    worker.stop().await;
    let reference = attempt("order-1", 1);
    let doubt = async || {
        let State::InDoubt(in_doubt) = world.stored("order-1").await.state else {
            panic!("it is not in doubt");
        };
        in_doubt.doubt
    };
    let is_absent = |doubt| {
        matches!(
            doubt,
            Doubt::Unanswered {
                absence: Some(_),
                ..
            }
        )
    };
    assert!(!is_absent(doubt().await), "{:?}", doubt().await);
    world.pass(minutes(2)).await;
    called(&world, RIGHT, reference.as_str()).await.unwrap();
    assert!(is_absent(doubt().await), "{:?}", doubt().await);
    let pending = QueryReply::say(QueryOutcome::Pending);
    world.provider.on_query(pending);
    called(&world, RIGHT, reference.as_str()).await.unwrap();
    assert_eq!(doubt().await, Doubt::Acknowledged);
}
