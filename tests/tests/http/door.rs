//! What is decided before any operation is looked at, or because there is none: paths, verbs,
//! formats, kinds of body, origins. It must find every refusal in the envelope.

use crate::case::error;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HOST, HeaderMap, ORIGIN};
use reqwest::{Method, RequestBuilder};
use std::collections::HashSet;
use tests::answer::HttpAnswer;
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::{TestMerchant, send, try_send};
use tests::orders::{self, AIRTIME};
use tests::process::GatewayProcess;
use tests::shape;

const BALANCE: &str = "/account/balance";
const PAYOUT: &str = "/transfer/bank/payout";

fn started() -> (GatewayFolder, GatewayProcess, TestMerchant) {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Door", "1000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    (folder, server, merchant)
}

/// Sends a request that must be refused for itself.
async fn refused(request: RequestBuilder, status: u16) -> HttpAnswer {
    let answer = send(request).await.with_status(status);
    shape::check(
        &error(status, None, "{\"request\":[\"<text>\"]}"),
        &answer.body,
    );
    answer
}

#[tokio::test]
async fn paths_without_an_operation_and_verbs_without_one_differ() {
    let (_folder, _server, merchant) = started();
    for path in [
        "/payment",
        "/payment/airtime/",
        "/payment/airtime/transaction/x",
        "/transfers/bank",
        "/account",
        "//",
    ] {
        refused(merchant.request(Method::GET, path), 404).await;
    }
    let system = error(501, None, "{\"system\":[\"<text>\"]}");
    for path in [
        "/payment/airtimes",
        "/payment/tolls/plans",
        "/transfer/swap",
        "/webhook/x",
    ] {
        let answer = merchant.get(path).await.with_status(501);
        shape::check(&system, &answer.body);
    }
    for (verb, path, allowed) in [
        (Method::DELETE, BALANCE, "GET, HEAD, OPTIONS"),
        (Method::POST, BALANCE, "GET, HEAD, OPTIONS"),
        (Method::GET, PAYOUT, "POST, OPTIONS"),
        (Method::PUT, PAYOUT, "POST, OPTIONS"),
        (
            Method::PATCH,
            "/payment/electricity",
            "GET, HEAD, POST, OPTIONS",
        ),
        (
            Method::from_bytes(b"BREW").unwrap(),
            AIRTIME,
            "GET, HEAD, POST, OPTIONS",
        ),
    ] {
        let answer = refused(merchant.request(verb, path), 405).await;
        assert_eq!(answer.header("allow"), Some(allowed), "{answer:?}");
    }
    let head = send(merchant.request(Method::HEAD, BALANCE))
        .await
        .with_status(200);
    assert_eq!(head.body, "");
}

#[tokio::test]
async fn a_stranger_learns_nothing_but_that_credentials_are_needed() {
    let (_folder, _server, merchant) = started();
    for (verb, path, header) in [
        (Method::GET, "/payment/tolls", None),
        (Method::GET, "/nowhere", None),
        (Method::DELETE, BALANCE, None),
        (Method::OPTIONS, BALANCE, None),
        (Method::POST, AIRTIME, None),
        (Method::GET, BALANCE, Some((ACCEPT.as_str(), "text/html"))),
        (Method::GET, BALANCE, Some(("api-version", "2020-01-01"))),
    ] {
        let asked = merchant.anonymous(verb, path);
        let asked = match header {
            Some((name, value)) => asked.header(name, value),
            None => asked,
        };
        let answer = refused(asked, 401).await;
        assert!(answer.header("www-authenticate").is_some(), "{answer:?}");
        assert_eq!(answer.header("allow"), None);
    }
    for path in ["/healthz", "/docs", "/openapi.json"] {
        send(merchant.anonymous(Method::GET, path))
            .await
            .with_status(200);
    }
    let nowhere = merchant.get("/payment/tolls").await.with_status(501);
    assert!(
        nowhere.header("ratelimit-remaining").is_some(),
        "{nowhere:?}"
    );
}

#[tokio::test]
async fn a_host_that_is_not_served_is_refused_and_the_setting_named() {
    let (_folder, _server, merchant) = started();
    for path in ["/healthz", "/docs", BALANCE] {
        for served in ["localhost", "127.0.0.1:1", "[::1]:8443"] {
            let asked = merchant.request(Method::GET, path).header(HOST, served);
            send(asked).await.with_status(200);
        }
        let asked = merchant.request(Method::GET, path);
        let asked = asked.header(HOST, "evil.test");
        let asked = asked.header("X-Forwarded-Host", "localhost");
        let answer = try_send(asked).await.unwrap().with_status(421);
        assert!(answer.body.contains("`server.tls_names`"), "{answer:?}");
    }
}

#[tokio::test]
async fn formats_kinds_of_body_and_versions_there_are_not_are_refused() {
    let (_folder, _server, merchant) = started();
    let asked = |accept: &str| {
        merchant
            .request(Method::GET, BALANCE)
            .header(ACCEPT, accept)
    };
    for accept in ["text/html", "image/*", "application/json;q=0", "*/*;q=0"] {
        refused(asked(accept), 406).await;
    }
    for accept in [
        "*/*",
        "application/*",
        "text/html, application/json;q=0.1",
        "",
    ] {
        send(asked(accept)).await.with_status(200);
    }
    let order = orders::airtime("door-1", "2348031230000", "100").to_string();
    let posted = |kind: &str| {
        let request = merchant.request(Method::POST, AIRTIME).body(order.clone());
        request.header(CONTENT_TYPE, kind)
    };
    for kind in [
        "text/plain",
        "application/xml",
        "application/x-www-form-urlencoded",
        "",
    ] {
        refused(posted(kind), 415).await;
    }
    refused(posted("application/json; charset=utf-16"), 415).await;
    refused(
        posted("application/json").header("content-encoding", "gzip"),
        415,
    )
    .await;
    refused(
        merchant.request(Method::POST, AIRTIME).body(order.clone()),
        415,
    )
    .await;
    let pinned = |date: &'static str| asked("*/*").header("api-version", date);
    refused(pinned("2020-01-01"), 400).await;
    send(pinned("2026-11-01")).await.with_status(200);
    send(posted("application/json; charset=UTF-8"))
        .await
        .with_status(200);
}

#[tokio::test]
async fn bodies_that_are_no_plain_json_object_are_refused() {
    let (_folder, _server, merchant) = started();
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(40), "]".repeat(40));
    let repeated = "{\"mrcReference\":\"twice-1\",\"mrcReference\":\"twice-2\"}";
    let nested = "{\"a\":{\"b\":1,\"b\":2}}";
    let escaped = "{\"amount\":\"1\",\"\\u0061mount\":\"2\"}";
    let many: Vec<_> = (0..1001).map(|n| format!("\"a{n}\":1")).collect();
    let many = format!("{{{}}}", many.join(","));
    let bodies: [&[u8]; 15] = [
        b"",
        b" ",
        b"{",
        b"{\"a\":1",
        b"{\"a\":1}}",
        b"{\"a\":1} x",
        b"[]",
        b"null",
        b"\"text\"",
        b"{'a':1}",
        b"{\"a\":\"\xff\"}",
        b"{\"a\":01}",
        repeated.as_bytes(),
        nested.as_bytes(),
        escaped.as_bytes(),
    ];
    let more = [deep.as_bytes(), many.as_bytes()];
    for body in bodies.into_iter().chain(more) {
        let request = merchant.request(Method::POST, AIRTIME).body(body.to_vec());
        refused(request.header(CONTENT_TYPE, "application/json"), 400).await;
    }
    assert_eq!(merchant.balance().await.0, "1,000.00");
}

#[tokio::test]
async fn a_preflight_of_another_origin_is_answered_what_it_may_do() {
    let (_folder, _server, merchant) = started();
    let origin = "https://shop.example";
    let preflight = merchant
        .anonymous(Method::OPTIONS, AIRTIME)
        .header(ORIGIN, origin)
        .header("access-control-request-method", "POST")
        .header(
            "access-control-request-headers",
            "authorization,content-type",
        );
    let answer = send(preflight).await;
    assert!(answer.status == 204 && answer.body.is_empty(), "{answer:?}");
    check_origin(&answer.headers);
    let allowed = answer.header("access-control-allow-headers");
    assert_eq!(allowed, Some("authorization,content-type"));
    let get = merchant
        .request(Method::GET, BALANCE)
        .header(ORIGIN, origin);
    check_origin(&send(get).await.with_status(200).headers);
    let denied = merchant
        .anonymous(Method::GET, BALANCE)
        .header(ORIGIN, origin);
    check_origin(&send(denied).await.with_status(401).headers);
    let without = merchant.get(BALANCE).await;
    assert_eq!(without.header("access-control-allow-origin"), None);
}

/// The five headers of interface §1, rule 9.
fn check_origin(headers: &HeaderMap) {
    let header = |name| headers.get(name).map(|value| value.to_str().unwrap());
    assert_eq!(
        header("access-control-allow-origin"),
        Some("https://shop.example")
    );
    assert_eq!(header("access-control-allow-credentials"), Some("true"));
    assert_eq!(header("access-control-max-age"), Some("86400"));
    let methods = header("access-control-allow-methods");
    assert_eq!(methods, Some("GET,POST,PUT,PATCH,DELETE,OPTIONS"));
    let exposed = header("access-control-expose-headers").unwrap_or_default();
    let exposed: Vec<_> = exposed.split(',').map(str::trim).collect();
    let expected = [
        "RateLimit-Limit",
        "RateLimit-Remaining",
        "RateLimit-Reset",
        "Total",
        "Link",
    ];
    assert_eq!(exposed, expected);
}

#[tokio::test]
async fn every_answer_has_an_id_of_its_own() {
    let (_folder, _server, merchant) = started();
    let mut ids = HashSet::new();
    for _ in 0..50 {
        let request = merchant
            .request(Method::GET, BALANCE)
            .header("x-request-id", "mine");
        let answer = send(request).await;
        let id = answer.header("x-request-id").unwrap().to_owned();
        assert!(id != "mine" && ids.insert(id), "{answer:?}");
    }
}
