//! What holds for every request, whatever it asks for. No test here may depend on one operation.

use crate::edge::Edge;
use crate::layers::security_headers::Transport;
use crate::routes::table::{Endpoint, Kind, Verb, endpoints};
use crate::settings::{BODY_BYTES_MAX, EdgeSettings};
use crate::testing::{
    Answer, CLIENT, World, authorization, bare, client, get, post, post_of, request_of,
};
use axum::body::Body;
use base64::prelude::{BASE64_STANDARD, Engine};
use http::Request;
use http::header::{AUTHORIZATION, CONTENT_TYPE, HOST};
use http_body_util::BodyExt;
use std::collections::HashSet;
use std::num::NonZeroU32;

const BALANCE: &str = "/account/balance";
const AIRTIME: &str = "/payment/airtime";

fn guarded() -> impl Iterator<Item = &'static Endpoint> {
    let is_guarded = |kind| match kind {
        Kind::Money | Kind::Read | Kind::Lookup | Kind::PaidLookup => true,
        Kind::Health | Kind::Documentation => false,
    };
    endpoints()
        .iter()
        .filter(move |endpoint| is_guarded(endpoint.kind))
}

/// A request for an operation that is right but for what a test makes wrong.
fn request(endpoint: &Endpoint, credentials: Option<&str>) -> Request<Body> {
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
            builder.body(Body::from("{}")).unwrap()
        }
    }
}

async fn with_header(name: &str, value: &str) -> Answer {
    let world = World::new().await;
    let builder = request_of("shop", "GET", BALANCE).header(name, value);
    world.send(bare(builder)).await
}

#[tokio::test]
async fn no_operation_answers_who_has_no_valid_credentials() {
    let world = World::with(|settings| {
        // Whoever goes through all operations like this fails more often than is forgiven.
        settings.limits.failed_logins_per_minute = NonZeroU32::MAX;
    })
    .await;
    let encode = |pair: &str| format!("Basic {}", BASE64_STANDARD.encode(pair));
    let wrong_key = encode(&format!("shop:{}", crate::testing::key_of("other")));
    let nobody = encode(&format!("nobody:{}", crate::testing::key_of("shop")));
    let no_colon = encode("shop");
    let bearer = authorization("shop").replace("Basic", "Bearer");
    let broken = "Basic c2hvcDpr!!!".to_owned();
    for endpoint in guarded() {
        let missing = world.send(request(endpoint, None)).await;
        missing.assert_error(401, None, "/request");
        for malformed in [&no_colon, &bearer, &broken] {
            let answer = world.send(request(endpoint, Some(malformed))).await;
            answer.assert_error(401, None, "/request");
            assert!(
                answer
                    .header("www-authenticate")
                    .starts_with("Basic realm=")
            );
        }
        for invalid in [&wrong_key, &nobody] {
            let answer = world.send(request(endpoint, Some(invalid))).await;
            answer.assert_error(401, Some(802), "/request");
            assert!(
                answer
                    .header("www-authenticate")
                    .starts_with("Basic realm=")
            );
        }
    }
}

#[tokio::test]
async fn an_unknown_account_and_a_wrong_key_sound_the_same() {
    let world = World::new().await;
    let credentials = |account: &str| {
        let pair = format!("{account}:{}", crate::testing::key_of("poor"));
        format!("Basic {}", BASE64_STANDARD.encode(pair))
    };
    let shown = async |account: &str| {
        let builder = Request::builder().uri(BALANCE);
        let builder = builder.header(AUTHORIZATION, credentials(account));
        let answer = world.send(bare(builder)).await;
        answer.text.replace(answer.header("x-request-id"), "the id")
    };
    assert_eq!(shown("shop").await, shown("nobody").await);
}

#[tokio::test]
async fn a_suspended_account_is_told_so_by_every_operation() {
    let world = World::new().await;
    for endpoint in guarded() {
        let answer = world
            .send(request(endpoint, Some(&authorization("closed"))))
            .await;
        answer.assert_error(403, Some(801), "/request");
    }
}

#[tokio::test]
async fn liveness_needs_no_credentials_and_tells_nothing() {
    let world = World::new().await;
    let answer = world.send(bare(Request::builder().uri("/healthz"))).await;
    answer.assert_success(200);
    assert_eq!(answer.json.as_object().unwrap().len(), 3);
}

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
        let allowed = match (endpoint.verb, endpoint.kind) {
            (Verb::Get, Kind::PaidLookup) => "GET, OPTIONS",
            (Verb::Get, _) => "GET, HEAD, OPTIONS",
            (Verb::Post, _) => "POST, OPTIONS",
        };
        for verb in ["GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"] {
            if verb == endpoint.verb.method() {
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
async fn what_is_refused_at_the_door_is_told_in_the_format_that_was_asked_for() {
    let world = World::new().await;
    let asked = || request_of("shop", "GET", BALANCE).header("Accept", "application/xml");
    let mut homeless = bare(asked());
    homeless.headers_mut().remove(HOST);
    for (transport, request, status) in [
        (Transport::Plain, bare(asked()), 403),
        (Transport::Tls, homeless, 400),
        (
            Transport::Tls,
            bare(asked().header("Api-Version", "2025-01-01")),
            400,
        ),
    ] {
        let response = world.edge.answer_over(client(transport), request).await;
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
    let world = World::new().await;
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
    let world = World::new().await;
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
async fn only_json_is_read_and_only_after_the_credentials_are_known() {
    let world = World::new().await;
    let typed = |account: &str, content_type: &str| {
        let builder = request_of(account, "POST", AIRTIME).header(CONTENT_TYPE, content_type);
        builder.body(Body::from("{}")).unwrap()
    };
    world
        .send(typed("shop", "text/plain"))
        .await
        .assert_error(415, None, "/request");
    let untyped = request_of("shop", "POST", AIRTIME)
        .body(Body::from("{}"))
        .unwrap();
    world
        .send(untyped)
        .await
        .assert_error(415, None, "/request");
    let utf_8 = world
        .send(typed("shop", "application/json; charset=utf-8"))
        .await;
    utf_8.assert_error(400, Some(851), "/params/mrcReference");
    world
        .send(typed("closed", "text/plain"))
        .await
        .assert_error(403, Some(801), "/request");
}

#[tokio::test]
async fn a_body_may_have_the_largest_size_and_not_a_byte_more() {
    let world = World::new().await;
    let padded = |size: usize| {
        let open = r#"{"note":""#;
        let close = r#""}"#;
        format!(
            "{open}{}{close}",
            "x".repeat(size - open.len() - close.len())
        )
    };
    let largest = world.send(post(AIRTIME, padded(BODY_BYTES_MAX))).await;
    largest.assert_error(400, Some(851), "/params/mrcReference");
    let larger = world.send(post(AIRTIME, padded(BODY_BYTES_MAX + 1))).await;
    larger.assert_error(413, None, "/request");
}

#[tokio::test]
async fn a_body_that_is_not_one_json_object_is_refused() {
    let world = World::new().await;
    for body in [
        "",
        "{",
        "[]",
        "null",
        "{} {}",
        r#"{"a":1,"a":2}"#,
        "\u{feff}{}",
    ] {
        let answer = world.send(post(AIRTIME, body)).await;
        answer.assert_error(400, None, "/request");
    }
    let not_utf_8 = world.send(post(AIRTIME, vec![b'{', 0xff, b'}'])).await;
    not_utf_8.assert_error(400, None, "/request");
}

#[tokio::test]
async fn strict_handling_names_every_attribute_the_operation_does_not_have() {
    let world = World::new().await;
    let mut strict = post(AIRTIME, r#"{"colour":"red","mrcReference":"a","size":1}"#);
    strict
        .headers_mut()
        .insert("prefer", "handling=strict".parse().unwrap());
    let answer = world.send(strict).await;
    answer.assert_error(400, Some(851), "/params/colour");
    answer.assert_error(400, Some(851), "/params/size");
    assert_eq!(answer.header("preference-applied"), "handling=strict");
    let lenient = world
        .send(post_of("shop", AIRTIME, r#"{"colour":"red"}"#))
        .await;
    assert!(lenient.json["errors"]["params"].get("colour").is_none());
}

#[tokio::test]
async fn a_request_in_the_clear_is_refused_whatever_it_asks() {
    let world = World::new().await;
    for request in [get(BALANCE), get("/healthz"), post(AIRTIME, "{}")] {
        let peer = client(Transport::Plain);
        let response = world.edge.answer_over(peer, request).await;
        assert_eq!(response.status(), 403);
        assert!(!response.headers().contains_key("strict-transport-security"));
    }
}

#[tokio::test]
async fn a_panic_costs_one_request_its_answer_and_tells_nothing() {
    let world = World::new().await;
    let panicking = axum::Router::new().route(
        "/panics",
        axum::routing::get(|| async { panic!("a secret") as &'static str }),
    );
    let edge = Edge::over(panicking, &EdgeSettings::new(0));
    let response = edge.answer(CLIENT, get("/panics")).await;
    assert_eq!(response.status(), 500);
    let world = World { edge, ..world };
    let answer = world.send(get("/panics")).await;
    answer.assert_error(500, None, "/system");
    assert!(!answer.text.contains("secret"));
    world
        .send(get("/elsewhere"))
        .await
        .assert_error(404, None, "/request");
}
