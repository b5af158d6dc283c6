//! Allowlists over the interface: where a key is refused, and what would lock it out.

use crate::testing::{RouteTestWorld, TestAnswer, bare, body, get, post};
use base64::prelude::{BASE64_STANDARD, Engine};
use domain::access::NETWORKS_MAX;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{Request, request};
use serde_json::Value;

const ALLOWLIST: &str = "/security/allowlist";
const REMOVE: &str = "/security/allowlist/remove";

/// The network of the client of the tests.
const HERE: &str = "192.0.2.0/24";
const ELSEWHERE: &str = "203.0.113.0/24";

/// A request of `shop` with a key of its own.
fn with_key(secret: &str, method: &str, target: &str) -> request::Builder {
    let pair = BASE64_STANDARD.encode(format!("shop:{secret}"));
    let builder = Request::builder().method(method).uri(target);
    builder.header(AUTHORIZATION, format!("Basic {pair}"))
}

async fn key(world: &RouteTestWorld, scopes: &str) -> (String, String) {
    let wanted = format!(r#"{{"keyName":"Till 1","keyScopes":"{scopes}"}}"#);
    let made = world.send(post("/account/keys", wanted)).await;
    made.assert_success(201);
    let text = |field: &str| made.json[field].as_str().unwrap().to_owned();
    (text("keyIdentifier"), text("keySecret"))
}

async fn add(world: &RouteTestWorld, network: &str, key: Option<&str>) -> TestAnswer {
    let key = key.map(|id| format!(r#","keyIdentifier":"{id}""#));
    let text = format!(r#"{{"alwNetwork":"{network}"{}}}"#, key.unwrap_or_default());
    world.send(post(ALLOWLIST, text)).await
}

async fn remove(world: &RouteTestWorld, id: &Value) -> TestAnswer {
    let text = format!(r#"{{"alwIdentifier":{id}}}"#);
    world.send(post(REMOVE, text)).await
}

async fn reads(world: &RouteTestWorld, secret: &str) -> TestAnswer {
    let request = with_key(secret, "GET", "/account/balance");
    world.send(bare(request)).await
}

#[tokio::test]
async fn a_key_is_refused_outside_the_networks_of_its_list() {
    let world = RouteTestWorld::new().await;
    let (id, secret) = key(&world, "read").await;
    reads(&world, &secret).await.assert_success(200);
    let there = add(&world, ELSEWHERE, Some(&id)).await;
    there.assert_success(200);
    assert_eq!(there.json["alwNote"], Value::Null);
    let refused = reads(&world, &secret).await;
    refused.assert_error(403, Some(803), "/request");
    assert!(refused.text.contains("192.0.2.1"), "{}", refused.text);
    // Another key is not concerned, and the same network is added once.
    world
        .send(get("/account/balance"))
        .await
        .assert_success(200);
    let again = add(&world, ELSEWHERE, Some(&id)).await;
    assert_eq!(again.header("idempotency-replayed"), "true");
    assert_eq!(again.json["alwIdentifier"], there.json["alwIdentifier"]);
    let here = add(&world, HERE, Some(&id)).await;
    reads(&world, &secret).await.assert_success(200);
    let listed = world.send(get(ALLOWLIST)).await;
    assert_eq!(listed.json["query"]["found"], 2);
    assert_eq!(listed.json["networks"][0]["alwNetwork"], ELSEWHERE);
    remove(&world, &here.json["alwIdentifier"])
        .await
        .assert_success(200);
    reads(&world, &secret)
        .await
        .assert_error(403, Some(803), "/request");
    remove(&world, &there.json["alwIdentifier"])
        .await
        .assert_success(200);
    reads(&world, &secret).await.assert_success(200);
    let gone = remove(&world, &there.json["alwIdentifier"]).await;
    gone.assert_error(404, None, "/params/alwIdentifier");
}

#[tokio::test]
async fn the_key_of_the_request_is_never_locked_out() {
    let world = RouteTestWorld::new().await;
    let refused = add(&world, ELSEWHERE, None).await;
    refused.assert_error(400, None, "/params/alwNetwork");
    assert!(refused.text.contains("192.0.2.1"), "{}", refused.text);
    let here = add(&world, HERE, None).await;
    here.assert_success(200);
    // Further ones may be any, and the one that it comes from is the last to be removed.
    let there = add(&world, ELSEWHERE, None).await;
    there.assert_success(200);
    let refused = remove(&world, &here.json["alwIdentifier"]).await;
    refused.assert_error(400, None, "/params/alwIdentifier");
    for entry in [&there, &here] {
        let removed = remove(&world, &entry.json["alwIdentifier"]).await;
        removed.assert_success(200);
    }
    world
        .send(get("/account/balance"))
        .await
        .assert_success(200);
}

#[tokio::test]
async fn a_key_has_so_many_networks_and_belongs_to_the_account() {
    let world = RouteTestWorld::new().await;
    let (id, _) = key(&world, "read").await;
    for nth in 0..NETWORKS_MAX {
        let added = add(&world, &format!("198.51.100.{nth}"), Some(&id)).await;
        added.assert_success(200);
    }
    let refused = add(&world, HERE, Some(&id)).await;
    refused.assert_error(409, None, "/params/alwNetwork");
    let unknown = add(&world, HERE, Some("0000000000000000")).await;
    unknown.assert_error(404, None, "/params/keyIdentifier");
}

#[tokio::test]
async fn a_key_that_takes_the_place_of_another_is_used_from_the_same_networks() {
    let world = RouteTestWorld::new().await;
    let (id, _) = key(&world, "read").await;
    add(&world, ELSEWHERE, Some(&id)).await.assert_success(200);
    let text = format!(r#"{{"keyIdentifier":"{id}"}}"#);
    let rotated = world.send(post("/security/rotate", text)).await;
    rotated.assert_success(201);
    let secret = rotated.json["keySecret"].as_str().unwrap();
    reads(&world, secret)
        .await
        .assert_error(403, Some(803), "/request");
    let listed = world.send(get(ALLOWLIST)).await;
    let of_new = &listed.json["networks"][1]["keyIdentifier"];
    assert_eq!(*of_new, rotated.json["keyIdentifier"]);
}

#[tokio::test]
async fn allowlists_are_changed_by_keys_with_the_scope_admin() {
    let world = RouteTestWorld::new().await;
    let (_, secret) = key(&world, "read,lookup,pay,manage").await;
    for path in [ALLOWLIST, REMOVE] {
        let text = r#"{"alwNetwork":"192.0.2.0/24"}"#;
        let posting = with_key(&secret, "POST", path).header(CONTENT_TYPE, "application/json");
        let refused = world.send(posting.body(body(text)).unwrap()).await;
        refused.assert_error(403, Some(803), "/request");
    }
    let listed = bare(with_key(&secret, "GET", ALLOWLIST));
    world.send(listed).await.assert_success(200);
}
