//! Tests what holds for every request, whatever it asks for. No test here may depend on one
//! operation.

mod bodies;
mod credentials;
mod paths;
mod signatures;

use crate::edge::Edge;
use crate::layers::body::Body;
use crate::layers::security_headers::TransportSecurity;
use crate::routes::row::{RouteKind, RouteRow, public};
use crate::routes::table::endpoints;
use crate::routes::verb::Verb;
use crate::settings::EdgeSettings;
use crate::testing::{RouteTestWorld, TestAnswer, bare, body, client, get, post, request_of};
use http::Request;
use http::header::{AUTHORIZATION, CONTENT_TYPE, HOST};
use http_body_util::BodyExt;
use std::collections::HashSet;

const BALANCE: &str = "/account/balance";
const AIRTIME: &str = "/payment/airtime";

fn guarded() -> impl Iterator<Item = &'static RouteRow> {
    let is_guarded = |kind| match kind {
        RouteKind::Money
        | RouteKind::Bulk
        | RouteKind::Change
        | RouteKind::Quote
        | RouteKind::Read
        | RouteKind::List
        | RouteKind::Page
        | RouteKind::Lookup
        | RouteKind::PaidLookup => true,
        RouteKind::Health | RouteKind::Documentation => false,
    };
    endpoints()
        .iter()
        .filter(move |endpoint| is_guarded(endpoint.kind))
}

/// A valid request for an operation, except for what a test makes invalid.
fn request(endpoint: &RouteRow, credentials: Option<&str>) -> Request<Body> {
    let builder = Request::builder()
        .method(endpoint.verb.method())
        .uri(endpoint.path);
    let builder = match credentials {
        Some(credentials) => builder.header(AUTHORIZATION, credentials),
        None => builder,
    };
    match endpoint.verb {
        Verb::Get => bare(builder),
        Verb::Post => {
            let builder = builder.header(CONTENT_TYPE, "application/json");
            builder.body(body("{}")).unwrap()
        }
    }
}

async fn with_header(name: &str, value: &str) -> TestAnswer {
    let world = RouteTestWorld::new().await;
    let builder = request_of("shop", "GET", BALANCE).header(name, value);
    world.send(bare(builder)).await
}

#[tokio::test]
async fn a_format_that_does_not_exist_is_not_acceptable() {
    with_header("Accept", "text/html")
        .await
        .assert_error(406, None, "/request");
    with_header("Accept", "application/json;q=0, application/xml;q=0, */*")
        .await
        .assert_error(406, None, "/request");
    with_header("Accept", "application/xml;q=0, */*;q=0.1")
        .await
        .assert_success(200);
}

#[tokio::test]
async fn what_is_refused_at_the_edge_is_answered_in_the_format_that_was_asked_for() {
    let world = RouteTestWorld::new().await;
    let asked = || request_of("shop", "GET", BALANCE).header("Accept", "application/xml");
    let mut homeless = bare(asked());
    homeless.headers_mut().remove(HOST);
    for (transport, request, status) in [
        (TransportSecurity::Plain, bare(asked()), 403),
        (TransportSecurity::Tls, homeless, 400),
        (
            TransportSecurity::Tls,
            bare(asked().header("Api-Version", "2025-01-01")),
            400,
        ),
    ] {
        let response = world
            .edge
            .answer_over(client(transport), None, request)
            .await
            .response;
        assert_eq!(response.status(), status);
        assert_eq!(response.headers()[CONTENT_TYPE], "application/xml");
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        assert!(bytes.starts_with(b"<?xml "), "{bytes:?}");
    }
}

#[tokio::test]
async fn only_the_version_there_is_can_be_pinned() {
    with_header("Api-Version", "2026-11-01")
        .await
        .assert_success(200);
    let unknown = with_header("Api-Version", "2025-01-01").await;
    unknown.assert_error(400, None, "/request");
    assert_eq!(unknown.header("api-version"), "2026-11-01");
}

#[tokio::test]
async fn a_preflight_is_allowed_on_every_path_without_credentials() {
    let world = RouteTestWorld::new().await;
    for path in [AIRTIME, BALANCE, "/nothing"] {
        let builder = Request::builder().method("OPTIONS").uri(path);
        let builder = builder.header("Origin", "https://shop.example");
        let builder = builder.header("Access-Control-Request-Method", "POST");
        let builder = builder.header("Access-Control-Request-Headers", "authorization");
        let answer = world.send(bare(builder)).await;
        assert_eq!(answer.status, 204);
        assert_eq!(
            answer.header("access-control-allow-origin"),
            "https://shop.example"
        );
        assert_eq!(
            answer.header("access-control-allow-methods"),
            "GET,POST,PUT,PATCH,DELETE,OPTIONS"
        );
        assert_eq!(answer.header("access-control-max-age"), "86400");
        assert_eq!(answer.header("access-control-allow-credentials"), "true");
        assert_eq!(
            answer.header("access-control-allow-headers"),
            "authorization"
        );
        assert!(
            answer
                .header("access-control-expose-headers")
                .starts_with("RateLimit-Limit")
        );
    }
}

#[tokio::test]
async fn answers_to_other_origins_carry_the_same_headers() {
    let answer = with_header("Origin", "https://shop.example").await;
    answer.assert_success(200);
    assert_eq!(
        answer.header("access-control-allow-origin"),
        "https://shop.example"
    );
    assert!(answer.header("vary").contains("Origin"));
    let same_origin = with_header("X-Nothing", "1").await;
    assert!(
        !same_origin
            .headers
            .contains_key("access-control-allow-origin")
    );
    assert!(same_origin.header("vary").contains("Origin"));
}

#[tokio::test]
async fn every_answer_has_an_id_of_its_own_and_the_same_protection() {
    let world = RouteTestWorld::new().await;
    let requests = [
        get(BALANCE),
        get("/nothing"),
        get(AIRTIME),
        post(AIRTIME, "{"),
        bare(Request::builder().uri(BALANCE)),
        bare(request_of("shop", "OPTIONS", AIRTIME)),
        bare(request_of("shop", "GET", BALANCE).header("X-Request-Id", "mine")),
    ];
    let mut ids = HashSet::new();
    for request in requests {
        let answer = world.send(request).await;
        assert!(ids.insert(answer.header("x-request-id").to_owned()));
        assert_eq!(answer.header("api-version"), "2026-11-01");
        assert_eq!(answer.header("cache-control"), "no-store");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert!(
            answer
                .header("strict-transport-security")
                .starts_with("max-age=")
        );
    }
    assert!(!ids.contains("mine"));
}

#[tokio::test]
async fn a_request_in_the_clear_is_refused_whatever_it_asks() {
    let world = RouteTestWorld::new().await;
    for request in [get(BALANCE), get("/healthz"), post(AIRTIME, "{}")] {
        let peer = client(TransportSecurity::Plain);
        let response = world.edge.answer_over(peer, None, request).await.response;
        assert_eq!(response.status(), 403);
        assert!(!response.headers().contains_key("strict-transport-security"));
    }
}

#[tokio::test]
async fn a_panic_costs_one_request_its_answer_and_reveals_nothing() {
    let world = RouteTestWorld::new().await;
    let panicking = RouteKind::Health.at("/panics", public(|| panic!("a secret")));
    let routes: &[RouteRow] = Box::leak(Box::new([panicking]));
    let edge = Edge::over(routes, world.edge.0.app.clone(), &EdgeSettings::new(0));
    let world = RouteTestWorld { edge, ..world };
    let answer = world.send(get("/panics")).await;
    answer.assert_error(500, None, "/system");
    assert!(!answer.text.contains("secret"));
    world
        .send(get("/elsewhere"))
        .await
        .assert_error(404, None, "/request");
}
