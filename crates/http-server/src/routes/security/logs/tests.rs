//! An account's own requests, over the interface: each is there once with its answer, and nothing
//! of what it carried.

use crate::layers::body::Body;
use crate::testing::{RouteTestWorld, TestAnswer, bare, get, key_of, post, request_of};
use application::request_log::RequestLogWriter;
use base64::prelude::{BASE64_STANDARD, Engine};
use domain::request_log::RequestLogQuery;
use domain::statement::Sort;
use http::Request;
use http::header::AUTHORIZATION;
use ports::request_log::RequestLog as _;
use serde_json::{Value, json};
use std::time::Duration;
use testkit::builders::account_id;

const LOGS: &str = "/security/logs";

/// Writes what waits, as the server does in the background.
async fn written(world: &RouteTestWorld) {
    RequestLogWriter::new(&world.gateway).write_all().await;
}

/// The answer to a request, a second before the next one.
async fn sent(world: &RouteTestWorld, request: Request<Body>) -> TestAnswer {
    let answer = Box::pin(world.send(request)).await;
    world.clock.advance(Duration::from_secs(1)).await;
    answer
}

async fn logs(world: &RouteTestWorld, query: &str) -> Vec<Value> {
    written(world).await;
    let answer = sent(world, get(&format!("{LOGS}{query}"))).await;
    answer.assert_success(200);
    answer.json["logs"].as_array().unwrap().clone()
}

fn fields<'a>(logs: &'a [Value], name: &str) -> Vec<&'a Value> {
    logs.iter().map(|log| &log[name]).collect()
}

/// A request of `shop` with a key that it made.
fn with_key(secret: &str, target: &str) -> Request<Body> {
    let pair = BASE64_STANDARD.encode(format!("shop:{secret}"));
    let builder = Request::builder().uri(target);
    bare(builder.header(AUTHORIZATION, format!("Basic {pair}")))
}

async fn made(world: &RouteTestWorld, scopes: &str, more: &str) -> TestAnswer {
    let order = format!(r#"{{"keyName":"Till {scopes}","keyScopes":"{scopes}"{more}}}"#);
    let made = sent(world, post("/account/keys", order)).await;
    made.assert_success(201);
    made
}

#[tokio::test]
async fn each_request_is_shown_once_with_its_answer_the_newest_first() {
    let world = RouteTestWorld::new().await;
    let balance = sent(&world, get("/account/balance?accCurrency=NGN")).await;
    let refused = sent(&world, post("/payment/airtime", "{}")).await;
    let head = sent(&world, bare(request_of("shop", "HEAD", "/account/balance")));
    head.await;
    let unknown = sent(&world, get("/no/such/path?x=1")).await;
    let all = logs(&world, "").await;
    assert_eq!(
        fields(&all, "logPath"),
        [
            "/no/such/path",
            "/account/balance",
            "/payment/airtime",
            "/account/balance"
        ]
    );
    assert_eq!(fields(&all, "logMethod"), ["GET", "HEAD", "POST", "GET"]);
    assert_eq!(fields(&all, "logStatus"), [404, 200, 400, 200]);
    let ids = [&unknown, &refused, &balance].map(|answer| answer.header("x-request-id"));
    assert_eq!(all[0]["requestId"], ids[0]);
    assert_eq!(all[2]["requestId"], ids[1]);
    assert_eq!(all[3]["requestId"], ids[2]);
    for log in &all {
        assert_eq!(log["keyPrefix"], key_of("shop")[..12]);
        assert_eq!(log["ipAddress"], "192.0.2.1");
        assert!(log["logLatency"].is_u64() && log["logIdentifier"].is_u64());
    }
    assert_eq!(all[0]["logDate"], "15-01-2026 10:00:03");
    // The list itself is one of the next.
    let next = logs(&world, "?length=1").await;
    assert_eq!(next[0]["logPath"], LOGS);
}

#[tokio::test]
async fn a_part_of_the_requests_is_asked_for() {
    let world = RouteTestWorld::new().await;
    let balance = sent(&world, get("/account/balance")).await;
    sent(&world, get("/no/such/path")).await;
    sent(&world, post("/payment/airtime", "{}")).await;
    let found = logs(&world, "?logStatus=4xx&sort=asc").await;
    assert_eq!(fields(&found, "logStatus"), [404, 400]);
    assert_eq!(logs(&world, "?logStatus=404").await.len(), 1);
    let id = balance.header("x-request-id");
    let found = logs(&world, &format!("?requestId={id}")).await;
    assert_eq!(fields(&found, "logPath"), ["/account/balance"]);
    assert_eq!(logs(&world, "?to=14-01-2026").await, [Value::Null; 0]);
    assert_eq!(logs(&world, "?from=15-01-2026&length=3").await.len(), 3);
}

#[tokio::test]
async fn an_account_sees_its_own_requests_alone_and_needs_the_scope() {
    let world = RouteTestWorld::new().await;
    sent(&world, get("/account/balance")).await;
    written(&world).await;
    let other = sent(&world, bare(request_of("other", "GET", LOGS))).await;
    assert_eq!(other.json["query"]["total"], 0);
    let key = made(&world, "read,pay,manage", "").await;
    let secret = key.json["keySecret"].as_str().unwrap();
    let refused = sent(&world, with_key(secret, LOGS)).await;
    refused.assert_error(403, Some(803), "/request");
}

#[tokio::test]
async fn what_is_refused_for_another_reason_than_its_key_is_shown_and_strangers_are_not() {
    let world = RouteTestWorld::new().await;
    let key = made(&world, "read", "").await;
    let [secret, id, prefix] = ["keySecret", "keyIdentifier", "keyPrefix"]
        .map(|field| key.json[field].as_str().unwrap().to_owned());
    // Without the scope, and frozen.
    sent(&world, with_key(&secret, "/account/users")).await;
    let freeze = json!({"scope": "key", "keyIdentifier": id, "reason": "lost"});
    let frozen = sent(&world, post("/security/freeze", freeze.to_string()));
    frozen.await.assert_success(200);
    sent(&world, with_key(&secret, "/account/balance")).await;
    let closed = sent(
        &world,
        bare(request_of("closed", "GET", "/account/balance")),
    );
    assert_eq!(closed.await.status, 403);
    let all = logs(&world, "?logStatus=403").await;
    assert_eq!(
        fields(&all, "logPath"),
        ["/account/balance", "/account/users"]
    );
    assert_eq!(fields(&all, "keyPrefix"), [&prefix, &prefix]);
    // A wrong key, no key, and a public path.
    let before = logs(&world, "").await.len();
    let wrong = key_of("shop").replace("mk_test_", "mk_test_9");
    let strangers = [
        with_key(&wrong[..wrong.len() - 1], "/account/balance"),
        with_key(&key_of("other"), "/account/balance"),
        bare(Request::builder().uri("/account/balance")),
        bare(Request::builder().uri("/healthz")),
    ];
    for stranger in strangers {
        sent(&world, stranger).await;
    }
    assert_eq!(logs(&world, "").await.len(), before + 1);
}

#[tokio::test]
async fn no_secret_of_a_request_is_in_the_log() {
    let world = RouteTestWorld::new().await;
    let secret = "S3cret-0f-the-customer";
    let body = json!({"mrcReference": secret, "unknown": secret, "password": secret});
    sent(&world, post("/payment/airtime", body.to_string())).await;
    let target = format!("/account/balance?accCurrency=NGN&token={secret}");
    let with_header = request_of("shop", "GET", &target).header("x-token", secret);
    sent(&world, bare(with_header)).await;
    sent(&world, get(&format!("{LOGS}?requestId={secret}"))).await;
    sent(&world, bare(request_of("shop", secret, "/account/balance"))).await;
    // A key in a path, and the credentials themselves.
    let key = key_of("shop");
    sent(&world, get(&format!("/account/{key}/balance"))).await;
    written(&world).await;
    let everything = RequestLogQuery {
        from: None,
        before: None,
        status: None,
        request_id: None,
        offset: 0,
        length: 100,
        sort: Sort::Ascending,
    };
    let shop = account_id("shop");
    let kept = world.store.logged_requests(&shop, &everything);
    let kept = kept.await.unwrap();
    assert_eq!(kept.total, 5);
    assert_eq!(kept.requests[3].request.method, "OTHER");
    assert_eq!(kept.requests[4].request.path, "/account/…/balance");
    let kept = format!("{kept:?}");
    for part in [secret, &key, &key[12..], "token", "accCurrency"] {
        assert!(!kept.contains(part), "{part}");
    }
}

#[tokio::test]
async fn a_request_whose_client_hangs_up_is_shown_as_that() {
    let world = RouteTestWorld::new().await;
    // It waits for the clock, which stands still.
    let order = r#"{"mrcReference":"order-1","countryCode":566,"number":"2348031230010",
        "amount":"1000","billing":"prepaid"}"#;
    let mut under_way = Box::pin(world.send(post("/payment/airtime", order)));
    for _ in 0..100 {
        let is_over = tokio::select! {
            biased;
            _ = &mut under_way => true,
            () = tokio::task::yield_now() => false,
        };
        assert!(!is_over, "the payment waits");
    }
    drop(under_way);
    let all = logs(&world, "").await;
    assert_eq!(fields(&all, "logStatus"), [499]);
}
