//! Freezes over the interface: what they stop, and what lets it go on.

use crate::layers::bucket::Quota;
use crate::testing::{RouteTestWorld, TestAnswer, bare, body, get, post};
use base64::prelude::{BASE64_STANDARD, Engine};
use domain::freeze::UNFREEZES_PER_DAY_MAX;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{Request, request};
use std::num::NonZeroU32;

const FREEZE: &str = "/security/freeze";
const UNFREEZE: &str = "/security/unfreeze";

async fn set(world: &RouteTestWorld, path: &str, what: &str) -> TestAnswer {
    let text = format!(r#"{{{what},"reason":"The laptop was stolen."}}"#);
    world.send(post(path, text)).await
}

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

fn airtime(reference: &str) -> http::Request<crate::layers::body::Body> {
    let body = format!(
        r#"{{"mrcReference":"{reference}","countryCode":566,"number":2348031234567,
            "amount":1000,"billing":"Prepaid"}}"#
    );
    post("/payment/airtime", body)
}

#[tokio::test]
async fn a_frozen_account_pays_nothing_and_reads_on() {
    let world = RouteTestWorld::new().await;
    let before = world.send(airtime("before")).await;
    assert_eq!(before.json["txnStatus"], "Successful");
    let frozen = set(&world, FREEZE, r#""scope":"account""#).await;
    frozen.assert_success(200);
    assert_eq!(frozen.json["frzStatus"], "Frozen");
    assert_eq!(frozen.json["frzSince"], "15-01-2026 10:00:00");
    let refused = world.send(airtime("after")).await;
    refused.assert_error(403, Some(801), "/request");
    // What was opened before is answered, and everything is read.
    assert_eq!(world.send(airtime("before")).await.status, 422);
    world
        .send(get("/account/balance"))
        .await
        .assert_success(200);
    let again = set(&world, FREEZE, r#""scope":"Account""#).await;
    assert_eq!(again.header("idempotency-replayed"), "true");
    let listed = world.send(get(FREEZE)).await;
    listed.assert_success(200);
    assert_eq!(listed.json["freezes"][0]["scope"], "account");
    assert_eq!(listed.json["query"]["found"], 1);
    let active = set(&world, UNFREEZE, r#""scope":"account""#).await;
    assert_eq!(active.json["frzStatus"], "Active");
    assert_eq!(world.send(get(FREEZE)).await.json["query"]["found"], 0);
    assert_eq!(
        world.send(airtime("after")).await.json["txnStatus"],
        "Successful"
    );
}

#[tokio::test]
async fn a_frozen_service_is_the_only_one_that_is_refused() {
    let world = RouteTestWorld::new().await;
    let never = set(&world, UNFREEZE, r#""scope":"service","service":"airtime""#).await;
    assert_eq!(never.json["frzSince"], serde_json::Value::Null);
    set(&world, FREEZE, r#""scope":"service","service":"bank""#)
        .await
        .assert_success(200);
    assert_eq!(
        world.send(airtime("one")).await.json["txnStatus"],
        "Successful"
    );
    set(&world, FREEZE, r#""scope":"service","service":"airtime""#)
        .await
        .assert_success(200);
    let refused = world.send(airtime("two")).await;
    refused.assert_error(403, Some(801), "/request");
    assert!(refused.text.contains("airtime"), "{}", refused.text);
}

#[tokio::test]
async fn a_frozen_key_is_refused_whatever_it_asks_for_and_cannot_lift_its_freeze() {
    let world = RouteTestWorld::new().await;
    let (id, secret) = key(&world, "read,admin").await;
    let own = format!(r#""scope":"key","keyIdentifier":"{id}""#);
    let text = format!(r#"{{{own},"reason":"lost"}}"#);
    let request = |path: &str| {
        let posting = with_key(&secret, "POST", path).header(CONTENT_TYPE, "application/json");
        posting.body(body(text.clone())).unwrap()
    };
    // A key may be frozen with itself.
    world.send(request(FREEZE)).await.assert_success(200);
    let read = world
        .send(bare(with_key(&secret, "GET", "/account/balance")))
        .await;
    read.assert_error(403, Some(803), "/request");
    world
        .send(request(UNFREEZE))
        .await
        .assert_error(403, Some(803), "/request");
    set(&world, UNFREEZE, &own).await.assert_success(200);
    let read = world
        .send(bare(with_key(&secret, "GET", "/account/balance")))
        .await;
    read.assert_success(200);
    let unknown = r#""scope":"key","keyIdentifier":"0000000000000000""#;
    let unknown = set(&world, FREEZE, unknown).await;
    unknown.assert_error(404, None, "/params/keyIdentifier");
}

#[tokio::test]
async fn freezes_are_for_keys_with_the_scope_admin() {
    let world = RouteTestWorld::new().await;
    let (_, secret) = key(&world, "read,lookup,pay,manage").await;
    for path in [FREEZE, UNFREEZE] {
        let text = r#"{"scope":"account","reason":"x"}"#.to_owned();
        let posting = with_key(&secret, "POST", path).header(CONTENT_TYPE, "application/json");
        let refused = world.send(posting.body(body(text)).unwrap()).await;
        refused.assert_error(403, Some(803), "/request");
    }
    world
        .send(bare(with_key(&secret, "GET", FREEZE)))
        .await
        .assert_success(200);
}

#[tokio::test]
async fn freezes_are_lifted_so_often_in_a_day() {
    let many = Quota::per_minute(NonZeroU32::new(1_000_000).unwrap());
    let world = RouteTestWorld::with(|settings| settings.limits.lookups = many).await;
    let account = r#""scope":"account""#;
    for _ in 0..UNFREEZES_PER_DAY_MAX {
        set(&world, FREEZE, account).await.assert_success(200);
        set(&world, UNFREEZE, account).await.assert_success(200);
    }
    set(&world, FREEZE, account).await.assert_success(200);
    let refused = set(&world, UNFREEZE, account).await;
    refused.assert_error(409, None, "/request");
}
