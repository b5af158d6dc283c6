//! Paths and verbs: what there is, what is only named, and what is not. It must not depend on who
//! asks.

use super::BALANCE;
use crate::routes::table::{Kind, Verb, endpoints};
use crate::testing::{World, bare, get, post, request_of};
use http::Request;

#[tokio::test]
async fn an_unknown_path_is_not_found_whoever_asks() {
    let world = World::new().await;
    for path in [
        "/",
        "/nothing",
        "/payment/airtime/",
        "/payment//airtime",
        "/PAYMENT/airtime",
    ] {
        let known = world.send(get(path)).await;
        known.assert_error(404, None, "/request");
        let stranger = world.send(bare(Request::builder().uri(path))).await;
        stranger.assert_error(404, None, "/request");
    }
    let posted = world.send(post("/nothing", "{}")).await;
    posted.assert_error(404, None, "/request");
}

#[tokio::test]
async fn a_named_family_without_an_operation_is_not_implemented() {
    let world = World::new().await;
    for path in ["/booking/rooms", "/payment/gas/plans", "/operation/x?y=z"] {
        let answer = world.send(get(path)).await;
        answer.assert_error(501, None, "/system");
    }
    let posted = world.send(post("/voucher/gift", "{}")).await;
    posted.assert_error(501, None, "/system");
    // A verb the family does not have is not one that comes later.
    let wrong = world.send(post("/reporting/sales/daily", "{}")).await;
    wrong.assert_error(405, None, "/request");
    assert_eq!(wrong.header("allow"), "GET, HEAD, OPTIONS");
}

#[tokio::test]
async fn a_wrong_verb_hears_which_are_right() {
    let world = World::new().await;
    for endpoint in endpoints() {
        let here = endpoints().iter().filter(|it| it.path == endpoint.path);
        let verbs: Vec<_> = here.map(|it| it.verb.method()).collect();
        let allowed = match (endpoint.verb, endpoint.kind) {
            (_, _) if verbs.len() == 2 => "GET, HEAD, POST, OPTIONS",
            (Verb::Get, Kind::PaidLookup) => "GET, OPTIONS",
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
async fn head_answers_as_get_does() {
    let world = World::new().await;
    let answer = world.send(bare(request_of("shop", "HEAD", BALANCE))).await;
    answer.assert_success(200);
    let answer = world
        .send(bare(Request::builder().method("HEAD").uri(BALANCE)))
        .await;
    assert_eq!(answer.status, 401);
}
