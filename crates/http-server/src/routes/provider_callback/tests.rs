//! Tests of the path of callbacks. They must not depend on what an adapter accepts.

use super::*;
use crate::layers::callback_limits::{AT_ONCE, PAUSED_MAX};
use crate::testing::{RouteTestWorld, TestAnswer, bare, body};
use std::time::Duration;

const PATH: &str = "/provider/stubs/callback";

async fn posted(world: &RouteTestWorld, path: &str, signature: &str, text: Vec<u8>) -> TestAnswer {
    let builder = Request::builder().method("POST").uri(path);
    let builder = builder.header("x-signature", signature);
    world.send(builder.body(body(text)).unwrap()).await
}

#[tokio::test]
async fn a_callback_is_answered_as_its_provider_expects_whatever_it_names() {
    let world = RouteTestWorld::new().await;
    for reference in ["shop.order-1.1", "mn2026wire", "\u{0}"] {
        let answer = posted(&world, PATH, "right", reference.into()).await;
        assert_eq!((answer.status, answer.text.as_str()), (200, "{}"));
        assert_eq!(answer.headers["content-type"], "application/json");
    }
}

#[tokio::test]
async fn what_is_not_authentic_or_not_readable_is_refused() {
    let world = RouteTestWorld::new().await;
    for (signature, text, status) in [("wrong", "x", 401), ("right", "", 400)] {
        let answer = posted(&world, PATH, signature, text.into()).await;
        answer.assert_error(status, None, "/request");
    }
    let largest = posted(&world, PATH, "right", vec![b'x'; CALLBACK_BYTES_MAX]).await;
    assert_eq!(largest.status, 200);
    let larger = posted(&world, PATH, "right", vec![b'x'; CALLBACK_BYTES_MAX + 1]).await;
    larger.assert_error(413, None, "/request");
}

#[tokio::test]
async fn a_provider_that_is_not_configured_is_as_any_unknown_path() {
    let world = RouteTestWorld::new().await;
    let nowhere = posted(&world, "/nowhere", "right", "x".into()).await;
    for path in [
        "/provider/other/callback",
        "/provider/STUBS/callback",
        "/provider//callback",
        "/provider/stubs",
        "/provider/stubs/callback/",
    ] {
        let answer = posted(&world, path, "right", "x".into()).await;
        let errors = (answer.status, &answer.json["errors"]);
        assert_eq!(errors, (401, &nowhere.json["errors"]), "{path}");
    }
}

#[tokio::test]
async fn a_callback_is_posted() {
    let world = RouteTestWorld::new().await;
    for (method, status) in [("GET", 405), ("DELETE", 405), ("OPTIONS", 204)] {
        let builder = Request::builder().method(method).uri(PATH);
        let answer = world.send(bare(builder)).await;
        assert_eq!(answer.status, status, "{method}");
        assert_eq!(answer.headers["allow"], "POST, OPTIONS");
    }
}

#[tokio::test]
async fn a_flood_of_callbacks_is_turned_away() {
    let world = RouteTestWorld::new().await;
    for _ in 0..AT_ONCE.get() {
        let answer = posted(&world, PATH, "wrong", "x".into()).await;
        assert_eq!(answer.status, 401);
    }
    let mut slow = Box::pin(posted(&world, PATH, "right", "x".into()));
    let early = tokio::time::timeout(Duration::from_millis(50), slow.as_mut()).await;
    assert!(early.is_err(), "it was refused at once");
    let (answer, ()) = tokio::join!(slow, world.clock.advance(REFUSAL_PAUSE));
    answer.assert_error(503, None, "/system");
    assert_eq!(answer.headers["retry-after"], "5");
    assert_eq!(posted(&world, PATH, "right", "x".into()).await.status, 200);
}

#[tokio::test]
async fn refusals_that_wait_do_not_pile_up() {
    let world = RouteTestWorld::new().await;
    for _ in 0..AT_ONCE.get() {
        posted(&world, PATH, "wrong", "x".into()).await;
    }
    let mut waiting = Vec::new();
    for _ in 0..PAUSED_MAX {
        let mut slow = Box::pin(posted(&world, PATH, "right", "x".into()));
        let early = tokio::time::timeout(Duration::ZERO, slow.as_mut()).await;
        assert!(early.is_err(), "it was refused at once");
        waiting.push(slow);
    }
    let answer = posted(&world, PATH, "right", "x".into()).await;
    answer.assert_error(503, None, "/system");
    drop(waiting);
    let mut slow = Box::pin(posted(&world, PATH, "right", "x".into()));
    let early = tokio::time::timeout(Duration::from_millis(50), slow.as_mut()).await;
    assert!(
        early.is_err(),
        "a place of one that hung up is not given back"
    );
}
