//! Tests rate limits as a merchant sees them, through the whole edge. The clock moves only when a
//! test moves it, and a test depends on the values of the limits only where it sets them.

use crate::layers::body::Body;
use crate::layers::bucket::Quota;
use crate::layers::client_address::Peer;
use crate::layers::security_headers::TransportSecurity;
use crate::testing::{RouteTestWorld, TestAnswer, authorization, bare, get, key_of, post_of};
use base64::prelude::{BASE64_STANDARD, Engine};
use http::Request;
use http::header::AUTHORIZATION;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

const BALANCE: &str = "/account/balance";
const METER: &str = "/payment/electricity/meter?disco=101&number=04123456789&billing=prepaid";
const AIRTIME: &str = "/payment/airtime";

const MINUTE: Duration = Duration::from_mins(1);

fn number(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).unwrap()
}

/// Small limits: 2 payments at once and 4 a minute, 3 reads, 2 lookups, 2 minutes with refusals an
/// hour.
async fn small() -> RouteTestWorld {
    RouteTestWorld::with(|settings| {
        settings.limits.payments = Quota::new(number(4), number(2));
        settings.limits.reads = Quota::per_minute(number(3));
        settings.limits.lookups = Quota::per_minute(number(2));
        settings.limits.violation_minutes_per_hour = number(2);
    })
    .await
}

/// The limit headers of an answer: the limit, what remains, the seconds until it is full again.
fn left(answer: &TestAnswer) -> [u64; 3] {
    ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"]
        .map(|name| answer.header(name).parse().unwrap())
}

fn wait(answer: &TestAnswer) -> u64 {
    answer.header("retry-after").parse().unwrap()
}

fn order(reference: &str) -> String {
    format!(
        r#"{{"mrcReference":"{reference}","countryCode":566,"number":"2348031234567",
            "amount":"100","billing":"prepaid"}}"#
    )
}

async fn pay(world: &RouteTestWorld, account: &str, reference: &str) -> TestAnswer {
    world
        .send(post_of(account, AIRTIME, order(reference)))
        .await
}

async fn drain(world: &RouteTestWorld) {
    while world.send(get(BALANCE)).await.status == 200 {}
}

/// A request with credentials, valid or not.
fn login(identity: &str, key: &str) -> Request<Body> {
    let pair = BASE64_STANDARD.encode(format!("{identity}:{key}"));
    let builder = Request::builder().uri(BALANCE);
    bare(builder.header(AUTHORIZATION, format!("Basic {pair}")))
}

fn tls_from(address: &str) -> Peer {
    Peer {
        address: address.parse().unwrap(),
        transport: TransportSecurity::Tls,
    }
}

/// Fails as often as is allowed in a minute.
async fn fail_ten_times(world: &RouteTestWorld, from: Peer, identity: &str) {
    for attempt in 0..10 {
        let wrong = login(identity, &format!("wrong-{attempt}"));
        let answer = world.send_over(from, wrong).await;
        answer.assert_error(401, Some(802), "/request");
    }
}

#[tokio::test]
async fn every_authenticated_answer_says_what_is_left() {
    let world = small().await;
    assert_eq!(left(&world.send(get(BALANCE)).await), [3, 2, 20]);
    let missing = world.send(get("/payment/airtime/transaction")).await;
    missing.assert_error(405, None, "/params/mrcReference");
    assert_eq!(left(&missing), [3, 1, 40]);
    let mut head = get(BALANCE);
    *head.method_mut() = http::Method::HEAD;
    let head = world.answer(with_host(head)).await;
    assert_eq!(head.headers()["ratelimit-remaining"], "0", "HEAD is a read");
    let unreadable = world.send(post_of("shop", AIRTIME, "{")).await;
    unreadable.assert_error(400, None, "/request");
    assert_eq!(left(&unreadable), [2, 1, 15]);
    let paid = pay(&world, "shop", "order-1").await;
    assert_eq!((paid.status, left(&paid)), (200, [2, 0, 30]));
    let suspended = world.send(bare(request_of("closed"))).await;
    suspended.assert_error(403, Some(801), "/request");
    assert_eq!(left(&suspended), [3, 2, 20]);
}

fn request_of(account: &str) -> http::request::Builder {
    crate::testing::request_of(account, "GET", BALANCE)
}

fn with_host(mut request: Request<Body>) -> Request<Body> {
    let host = http::HeaderValue::from_static("localhost");
    request.headers_mut().insert(http::header::HOST, host);
    request
}

#[tokio::test]
async fn a_request_without_authentication_shows_no_limit() {
    let world = small().await;
    for request in [
        bare(Request::builder().uri(BALANCE)),
        login("shop", "wrong"),
        bare(Request::builder().uri("/nothing")),
    ] {
        let answer = world.send(request).await;
        assert!(!answer.headers.contains_key("ratelimit-limit"));
    }
}

#[tokio::test]
async fn a_request_over_the_limit_does_nothing_and_is_admitted_after_retry_after() {
    let world = small().await;
    for reference in ["order-1", "order-2"] {
        pay(&world, "shop", reference).await.assert_success(200);
    }
    let before = world.send(get(BALANCE)).await;
    let refused = pay(&world, "shop", "order-3").await;
    refused.assert_error(429, None, "/request");
    assert!(refused.text.contains("payments: 2 at once and 4 a minute"));
    assert_eq!((left(&refused), wait(&refused)), ([2, 0, 30], 15));
    let after = world.send(get(BALANCE)).await;
    assert_eq!(before.json["accBalance"], after.json["accBalance"]);
    world.clock.advance(Duration::from_secs(14)).await;
    pay(&world, "shop", "order-3")
        .await
        .assert_error(429, None, "/request");
    world.clock.advance(Duration::from_secs(1)).await;
    // The reference is free: nothing was stored.
    pay(&world, "shop", "order-3").await.assert_success(200);
}

#[tokio::test]
async fn after_the_reset_the_whole_limit_is_there_again() {
    let world = small().await;
    drain(&world).await;
    world.clock.advance(MINUTE).await;
    assert_eq!(left(&world.send(get(BALANCE)).await), [3, 2, 20]);
}

#[tokio::test]
async fn classes_and_accounts_do_not_use_up_one_anothers_limits() {
    let world = small().await;
    drain(&world).await;
    assert_eq!(left(&world.send(get(METER)).await), [2, 1, 30]);
    assert_eq!(pay(&world, "shop", "order-1").await.status, 200);
    let other = world.send(bare(request_of("other"))).await;
    assert_eq!(left(&other), [3, 2, 20]);
}

#[tokio::test]
async fn who_goes_on_over_the_limit_waits_for_the_next_hour() {
    let world = small().await;
    for _ in 0..2 {
        drain(&world).await;
        world.clock.advance(MINUTE).await;
    }
    let blocked = world.send(get(BALANCE)).await;
    blocked.assert_error(403, None, "/request");
    assert_eq!((left(&blocked), wait(&blocked)), ([3, 0, 3480], 3480));
    // Other classes are not affected: payments and lookups still work.
    assert_eq!(pay(&world, "shop", "order-1").await.status, 200);
    world.clock.advance(Duration::from_secs(3479)).await;
    world
        .send(get(BALANCE))
        .await
        .assert_error(403, None, "/request");
    world.clock.advance(Duration::from_secs(1)).await;
    world.send(get(BALANCE)).await.assert_success(200);
}

#[tokio::test]
async fn setting_the_clock_neither_fills_a_budget_nor_ends_an_hour() {
    let world = small().await;
    drain(&world).await;
    world.clock.jump(MINUTE);
    assert_eq!(world.send(get(BALANCE)).await.status, 429);
    world.clock.advance(MINUTE).await;
    drain(&world).await;
    world.clock.jump(Duration::from_hours(72));
    let blocked = world.send(get(BALANCE)).await;
    blocked.assert_error(403, None, "/request");
    assert_eq!(wait(&blocked), 3540);
}

#[tokio::test]
async fn setting_the_clock_grants_no_further_guess() {
    let world = RouteTestWorld::new().await;
    fail_ten_times(&world, tls_from("192.0.2.66"), "shop").await;
    world.clock.jump(Duration::from_hours(72));
    let guess = login("shop", &key_of("shop"));
    let throttled = world.send_over(tls_from("192.0.2.66"), guess).await;
    throttled.assert_error(429, None, "/request");
    assert_eq!(wait(&throttled), 6);
}

#[tokio::test]
async fn the_ordinary_limits_are_those_of_the_documentation() {
    let world = RouteTestWorld::new().await;
    assert_eq!(left(&world.send(get(BALANCE)).await), [1200, 1199, 1]);
    assert_eq!(left(&world.send(get(METER)).await), [60, 59, 1]);
    let paid = pay(&world, "shop", "order-1").await;
    assert_eq!(left(&paid), [60, 59, 1]);
}

#[tokio::test]
async fn guesses_end_after_ten_and_the_account_stays_open_to_others() {
    let world = RouteTestWorld::new().await;
    for identity in ["shop", "nobody"] {
        fail_ten_times(&world, tls_from("192.0.2.66"), identity).await;
        let throttled = login(identity, "wrong-10");
        let throttled = world.send_over(tls_from("192.0.2.66"), throttled).await;
        throttled.assert_error(429, None, "/request");
        assert_eq!(wait(&throttled), 6);
    }
    // The right key is not checked either, so the answer does not disclose which guess was right.
    let right = || login("shop", &key_of("shop"));
    let from_there = world.send_over(tls_from("192.0.2.66"), right()).await;
    from_there.assert_error(429, None, "/request");
    world
        .send_over(tls_from("192.0.2.67"), right())
        .await
        .assert_success(200);
    let other = login("other", &key_of("other"));
    world
        .send_over(tls_from("192.0.2.66"), other)
        .await
        .assert_success(200);
    world.clock.advance(Duration::from_secs(6)).await;
    world
        .send_over(tls_from("192.0.2.66"), right())
        .await
        .assert_success(200);
}

#[tokio::test]
async fn logins_that_succeed_are_not_counted() {
    let world = RouteTestWorld::new().await;
    for _ in 0..30 {
        world.send(get(BALANCE)).await.assert_success(200);
        let suspended = bare(request_of("closed"));
        assert_eq!(world.send(suspended).await.status, 403);
    }
}

#[tokio::test]
async fn failures_are_counted_by_the_client_behind_a_trusted_proxy() {
    let proxy = tls_from("10.0.0.1");
    let world = RouteTestWorld::with(|settings| {
        settings.trusted_proxies = vec!["10.0.0.0/8".parse().unwrap()];
    })
    .await;
    let forwarded = |client: &str, key: &str| {
        let mut request = login("shop", key);
        let client = client.parse().unwrap();
        request.headers_mut().insert("x-forwarded-for", client);
        request
    };
    for attempt in 0..11 {
        let wrong = forwarded("192.0.2.66", &format!("wrong-{attempt}"));
        world.send_over(proxy, wrong).await;
    }
    let guesser = forwarded("192.0.2.66", &key_of("shop"));
    assert_eq!(world.send_over(proxy, guesser).await.status, 429);
    let neighbour = forwarded("192.0.2.67", &key_of("shop"));
    world.send_over(proxy, neighbour).await.assert_success(200);
    // A client that is not a proxy changes nothing with a forwarding header.
    let stranger = tls_from("192.0.2.66");
    let forged = forwarded("192.0.2.99", &key_of("shop"));
    assert_eq!(world.send_over(stranger, forged).await.status, 429);
}

#[tokio::test]
async fn encryption_up_to_a_trusted_proxy_is_encryption() {
    let world = RouteTestWorld::with(|settings| {
        settings.trusted_proxies = vec!["10.0.0.1/32".parse().unwrap()];
    })
    .await;
    let over = async |address: &str, transport, proto: Option<&'static str>| {
        let address: IpAddr = address.parse().unwrap();
        let mut request = get(BALANCE);
        if let Some(proto) = proto {
            let proto = http::HeaderValue::from_static(proto);
            request.headers_mut().insert("x-forwarded-proto", proto);
        }
        world.send_over(Peer { address, transport }, request).await
    };
    let served = over("10.0.0.1", TransportSecurity::Plain, Some("https")).await;
    served.assert_success(200);
    assert!(served.headers.contains_key("strict-transport-security"));
    over("10.0.0.1", TransportSecurity::Tls, None)
        .await
        .assert_success(200);
    for (address, transport, proto) in [
        ("10.0.0.1", TransportSecurity::Plain, None),
        ("10.0.0.1", TransportSecurity::Plain, Some("http")),
        ("10.0.0.1", TransportSecurity::Tls, Some("http")),
        ("10.0.0.2", TransportSecurity::Plain, Some("https")),
    ] {
        let refused = over(address, transport, proto).await;
        refused.assert_error(403, None, "/request");
        assert!(!refused.headers.contains_key("strict-transport-security"));
    }
    // A forwarded protocol sent by a client that is not a proxy is ignored.
    over("10.0.0.2", TransportSecurity::Tls, Some("http"))
        .await
        .assert_success(200);
}

#[tokio::test]
async fn the_right_key_of_one_program_works_beside_the_stale_key_of_another() {
    let world = RouteTestWorld::new().await;
    for attempt in 0..20 {
        let answer = world
            .send(login("shop", "mk_test_stale-and-forgotten"))
            .await;
        let expected = if attempt < 10 { 401 } else { 429 };
        assert_eq!(answer.status, expected, "{attempt}");
    }
    let right = Request::builder().uri(BALANCE);
    let right = bare(right.header(AUTHORIZATION, authorization("shop")));
    world.send(right).await.assert_success(200);
}
