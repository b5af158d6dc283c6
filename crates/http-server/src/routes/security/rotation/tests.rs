//! Rotation over the interface: what both keys open, and until when.

use crate::testing::{RouteTestWorld, TestAnswer, bare, body, post};
use base64::prelude::{BASE64_STANDARD, Engine};
use http::header::{AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue};
use http::{Request, request};
use std::time::Duration;

const PATH: &str = "/security/rotate";

fn with_key(secret: &str, method: &str, target: &str) -> request::Builder {
    let pair = BASE64_STANDARD.encode(format!("shop:{secret}"));
    let builder = Request::builder().method(method).uri(target);
    builder.header(AUTHORIZATION, format!("Basic {pair}"))
}

async fn made(world: &RouteTestWorld, scopes: &str) -> (String, String) {
    let wanted = format!(r#"{{"keyName":"Till 1","keyScopes":"{scopes}"}}"#);
    let made = world.send(post("/account/keys", wanted)).await;
    made.assert_success(201);
    (text(&made, "keyIdentifier"), text(&made, "keySecret"))
}

fn text(answer: &TestAnswer, field: &str) -> String {
    answer.json[field].as_str().unwrap().to_owned()
}

async fn status(world: &RouteTestWorld, secret: &str) -> u16 {
    let read = bare(with_key(secret, "GET", "/account/balance"));
    world.send(read).await.status
}

fn rotation(id: &str, more: &str) -> Request<crate::layers::body::Body> {
    post(PATH, format!(r#"{{"keyIdentifier":"{id}"{more}}}"#))
}

#[tokio::test]
async fn both_keys_work_for_the_overlap_and_then_the_new_one() {
    let world = RouteTestWorld::new().await;
    let (id, old) = made(&world, "read,pay").await;
    let rotated = world.send(rotation(&id, r#","overlapHours":1"#)).await;
    rotated.assert_success(201);
    assert_eq!(text(&rotated, "keyReplaced"), id);
    assert_eq!(text(&rotated, "keyExpires"), "15-01-2026 11:00:00");
    let new = text(&rotated, "keySecret");
    assert_eq!(
        (status(&world, &old).await, status(&world, &new).await),
        (200, 200)
    );
    let found = world
        .send(crate::testing::get(rotated.header("location")))
        .await;
    assert_eq!(found.json["keyScopes"], serde_json::json!(["read", "pay"]));
    assert_eq!(found.json["keyExpires"], serde_json::Value::Null);
    let again = world.send(rotation(&id, "")).await;
    again.assert_error(409, None, "/params/keyIdentifier");
    world.clock.advance(Duration::from_hours(1)).await;
    assert_eq!(
        (status(&world, &old).await, status(&world, &new).await),
        (401, 200)
    );
    // At once where there is no overlap.
    let next = world
        .send(rotation(
            &text(&rotated, "keyIdentifier"),
            r#","overlapHours":0"#,
        ))
        .await;
    next.assert_success(201);
    assert_eq!(status(&world, &new).await, 401);
    assert_eq!(status(&world, &text(&next, "keySecret")).await, 200);
}

#[tokio::test]
async fn a_retried_rotation_makes_one_key_and_shows_no_secret_twice() {
    let world = RouteTestWorld::new().await;
    let (id, _) = made(&world, "read").await;
    let retried = |id: &str| {
        let mut request = rotation(id, "");
        let name = HeaderName::from_static("idempotency-key");
        request
            .headers_mut()
            .insert(name, HeaderValue::from_static("once"));
        request
    };
    let first = world.send(retried(&id)).await;
    first.assert_success(201);
    let again = world.send(retried(&id)).await;
    again.assert_success(200);
    assert_eq!(again.header("idempotency-replayed"), "true");
    assert_eq!(again.json["keyIdentifier"], first.json["keyIdentifier"]);
    assert_eq!(again.json["keyExpires"], first.json["keyExpires"]);
    assert!(!again.text.contains("keySecret"), "{}", again.text);
    let wanted = r#"{"keyName":"Till 2","keyScopes":"read"}"#.to_owned();
    let other = world.send(post("/account/keys", wanted)).await;
    let reused = world.send(retried(&text(&other, "keyIdentifier"))).await;
    assert_eq!(reused.status, 422);
}

#[tokio::test]
async fn no_key_is_rotated_into_more_than_that_of_the_request_allows() {
    let world = RouteTestWorld::new().await;
    let (wide, _) = made(&world, "read,pay,admin").await;
    let wanted = r#"{"keyName":"Office","keyScopes":"read,admin"}"#.to_owned();
    let narrow = world.send(post("/account/keys", wanted)).await;
    let posting = with_key(&text(&narrow, "keySecret"), "POST", PATH);
    let posting = posting.header(CONTENT_TYPE, "application/json");
    let wanted = body(format!(r#"{{"keyIdentifier":"{wide}"}}"#));
    let refused = world.send(posting.body(wanted).unwrap()).await;
    refused.assert_error(403, None, "/params/keyScopes");
    let unknown = world.send(rotation("0000000000000000", "")).await;
    unknown.assert_error(404, None, "/params/keyIdentifier");
    let listed = world
        .send(crate::testing::get("/account/permissions"))
        .await;
    let operators = made_by_none(&listed);
    let refused = world.send(rotation(&operators, "")).await;
    refused.assert_error(403, None, "/params/keyIdentifier");
}

/// The key of a list that no merchant made.
fn made_by_none(answer: &TestAnswer) -> String {
    let keys = answer.json["permissions"].as_array().unwrap();
    let mut keys = keys.iter().filter(|key| key["keyMadeBy"].is_null());
    let id = &keys.next().unwrap()["keyIdentifier"];
    id.as_str().unwrap().to_owned()
}
