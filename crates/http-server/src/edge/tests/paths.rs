//! Tests paths and verbs: existing, reserved and unknown ones. The answer must not depend on the
//! account, and without one nothing about paths is disclosed.

use super::BALANCE;
use crate::routes::row::RouteKind;
use crate::routes::table::endpoints;
use crate::routes::verb::Verb;
use crate::testing::{RouteTestWorld, bare, get, post, request_of};
use http::Request;
use std::time::Duration;

#[tokio::test]
async fn an_unknown_path_is_not_found() {
    let world = RouteTestWorld::new().await;
    for path in [
        "/nothing",
        "/payment/airtime/",
        "/payment//airtime",
        "/PAYMENT/airtime",
    ] {
        let known = world.send(get(path)).await;
        known.assert_error(404, None, "/request");
    }
    let posted = world.send(post("/nothing", "{}")).await;
    posted.assert_error(404, None, "/request");
}

#[tokio::test]
async fn a_named_family_without_an_operation_is_not_implemented() {
    let world = RouteTestWorld::new().await;
    for path in ["/booking/rooms", "/payment/tolls/plans", "/operation/x?y=z"] {
        let answer = world.send(get(path)).await;
        answer.assert_error(501, None, "/system");
    }
    let posted = world.send(post("/voucher/gift", "{}")).await;
    posted.assert_error(501, None, "/system");
    // A verb the family does not have will not be added later either.
    let wrong = world.send(post("/reporting/sales/daily", "{}")).await;
    wrong.assert_error(405, None, "/request");
    assert_eq!(wrong.header("allow"), "GET, HEAD, OPTIONS");
}

#[tokio::test]
async fn a_wrong_verb_is_answered_with_the_allowed_ones() {
    let world = RouteTestWorld::new().await;
    for endpoint in endpoints() {
        // The limit is for fewer requests than all paths take at once.
        world.clock.advance(Duration::from_secs(1)).await;
        let here = endpoints().iter().filter(|it| it.path == endpoint.path);
        let verbs: Vec<_> = here.map(|it| it.verb.method()).collect();
        let allowed = match (endpoint.verb, endpoint.kind) {
            (_, _) if verbs.len() == 2 => "GET, HEAD, POST, OPTIONS",
            (Verb::Get, RouteKind::PaidLookup) => "GET, OPTIONS",
            (Verb::Get, _) => "GET, HEAD, OPTIONS",
            (Verb::Post, _) => "POST, OPTIONS",
        };
        for verb in ["GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"] {
            if verbs.iter().any(|taken| verb == taken) {
                continue;
            }
            let answer = world
                .send(bare(request_of("shop", verb, endpoint.path)))
                .await;
            answer.assert_error(405, None, "/request");
            assert_eq!(answer.header("allow"), allowed, "{verb} {endpoint:?}");
        }
        let options = world
            .send(bare(request_of("shop", "OPTIONS", endpoint.path)))
            .await;
        assert_eq!((options.status, options.header("allow")), (204, allowed));
    }
}

#[tokio::test]
async fn without_credentials_it_is_only_said_that_they_are_needed() {
    let world = RouteTestWorld::new().await;
    for (verb, path, header) in [
        ("GET", "/payment/tolls", ("accept", "*/*")),
        ("GET", "/nowhere", ("accept", "*/*")),
        ("DELETE", BALANCE, ("accept", "*/*")),
        ("BREW", "/nowhere", ("accept", "*/*")),
        ("POST", "/reporting/sales/daily", ("accept", "*/*")),
        // Without an Origin header it is not a preflight.
        ("OPTIONS", BALANCE, ("accept", "*/*")),
        ("GET", BALANCE, ("accept", "text/html")),
        ("GET", BALANCE, ("api-version", "2020-01-01")),
        ("GET", "/docs/nothing", ("accept", "*/*")),
    ] {
        let asked = Request::builder().method(verb).uri(path);
        let answer = world.send(bare(asked.header(header.0, header.1))).await;
        answer.assert_error(401, None, "/request");
        assert!(answer.headers.contains_key("www-authenticate"));
        assert!(!answer.headers.contains_key("allow"), "{verb} {path}");
    }
}

#[tokio::test]
async fn what_leads_to_no_operation_says_what_is_left_of_the_limit() {
    let world = RouteTestWorld::new().await;
    for (verb, path, header, status) in [
        ("GET", "/payment/tolls", ("accept", "*/*"), 501),
        ("GET", "/nowhere", ("accept", "*/*"), 404),
        ("DELETE", BALANCE, ("accept", "*/*"), 405),
        ("OPTIONS", BALANCE, ("accept", "*/*"), 204),
        ("GET", BALANCE, ("accept", "text/html"), 406),
        ("GET", BALANCE, ("api-version", "2020-01-01"), 400),
    ] {
        let asked = request_of("shop", verb, path).header(header.0, header.1);
        let answer = world.send(bare(asked)).await;
        assert_eq!(answer.status, status, "{verb} {path}");
        for name in ["limit", "remaining", "reset"] {
            let name = format!("ratelimit-{name}");
            assert!(answer.headers.contains_key(&name), "{name}: {verb} {path}");
        }
    }
}

#[tokio::test]
async fn public_paths_need_no_credentials_for_any_verb() {
    let world = RouteTestWorld::new().await;
    let public = endpoints()
        .iter()
        .filter(|it| matches!(it.kind, RouteKind::Health | RouteKind::Documentation));
    for endpoint in public {
        let posted = Request::builder().method("POST").uri(endpoint.path);
        let answer = world.send(bare(posted)).await;
        answer.assert_error(405, None, "/request");
        assert!(!answer.headers.contains_key("ratelimit-limit"));
    }
}

#[tokio::test]
async fn the_root_leads_to_the_documentation() {
    let world = RouteTestWorld::new().await;
    let asked = Request::builder().uri("/").header("accept", "text/html");
    let answer = world.send(bare(asked)).await;
    answer.assert_success(307);
    assert_eq!(answer.header("location"), "/docs");
}

#[tokio::test]
async fn head_answers_as_get_does() {
    let world = RouteTestWorld::new().await;
    let answer = world.send(bare(request_of("shop", "HEAD", BALANCE))).await;
    answer.assert_success(200);
    let answer = world
        .send(bare(Request::builder().method("HEAD").uri(BALANCE)))
        .await;
    assert_eq!(answer.status, 401);
}
