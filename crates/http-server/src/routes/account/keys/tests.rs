//! Keys over the interface: what they are answered with, and what they open.

use crate::layers::bucket::Quota;
use crate::layers::client_address::Peer;
use crate::layers::security_headers::TransportSecurity;
use crate::routes::table::endpoints;
use crate::routes::verb::Verb;
use crate::testing::{RouteTestWorld, TestAnswer, bare, body, get, post, request_of};
use base64::prelude::{BASE64_STANDARD, Engine};
use domain::access::{ACCESS_KEY_NAMES_MAX, AccessScope};
use http::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use http::{Request, request};
use std::num::NonZeroU32;
use std::time::Duration;

const PATH: &str = "/account/keys";
const REVOKE: &str = "/account/keys/revoke";

/// The body that asks for a key with scopes, and something more.
fn wanted(name: &str, scopes: &str, more: &str) -> String {
    format!(r#"{{"keyName":"{name}","keyScopes":"{scopes}"{more}}}"#)
}

/// A request of `shop` with a key of its own.
fn with_key(secret: &str, method: &str, target: &str) -> request::Builder {
    let pair = BASE64_STANDARD.encode(format!("shop:{secret}"));
    let builder = Request::builder().method(method).uri(target);
    builder.header(AUTHORIZATION, format!("Basic {pair}"))
}

fn posting(secret: &str, target: &str, text: &str) -> Request<crate::layers::body::Body> {
    let builder = with_key(secret, "POST", target).header(CONTENT_TYPE, "application/json");
    builder.body(body(text.to_owned())).unwrap()
}

async fn made(world: &RouteTestWorld, name: &str, scopes: &str, more: &str) -> (String, String) {
    let made = world.send(post(PATH, wanted(name, scopes, more))).await;
    made.assert_success(201);
    let text = |field: &str| made.json[field].as_str().unwrap().to_owned();
    (text("keyIdentifier"), text("keySecret"))
}

fn revocation(id: &str) -> Request<crate::layers::body::Body> {
    post(REVOKE, format!(r#"{{"keyIdentifier":"{id}"}}"#))
}

#[track_caller]
fn assert_forbidden(answer: &TestAnswer, words: &str) {
    answer.assert_error(403, Some(803), "/request");
    assert!(answer.text.contains(words), "{}", answer.text);
}

#[tokio::test]
async fn a_key_is_shown_with_its_secret_once_and_revoked() {
    let world = RouteTestWorld::new().await;
    let more = r#","keyAllowlist":["192.0.2.0/24"],"keyExpires":"16-01-2026 10:00:00""#;
    let first = world
        .send(post(PATH, wanted("Till 1", "read,pay", more)))
        .await;
    first.assert_success(201);
    let json = &first.json;
    assert_eq!(json["keyScopes"], serde_json::json!(["read", "pay"]));
    assert_eq!(json["keyAllowlist"], serde_json::json!(["192.0.2.0/24"]));
    assert_eq!(json["keyExpires"], "16-01-2026 10:00:00");
    let secret = json["keySecret"].as_str().unwrap();
    let found = world.send(get(first.header("location"))).await;
    found.assert_success(200);
    assert!(!found.text.contains(secret), "{}", found.text);
    assert_eq!(found.json["keyName"], "Till 1");
    let listed = world.send(get("/account/permissions")).await;
    assert_eq!(listed.json["query"]["found"], 2);
    let own = world
        .send(bare(with_key(secret, "GET", "/account/balance")))
        .await;
    own.assert_success(200);
    let id = json["keyIdentifier"].as_str().unwrap();
    let revoked = world.send(revocation(id)).await;
    revoked.assert_success(200);
    assert_eq!(revoked.json["keyRevoked"], "15-01-2026 10:00:00");
    let again = world.send(revocation(id)).await;
    again.assert_success(200);
    assert_eq!(again.header("idempotency-replayed"), "true");
    let gone = world
        .send(bare(with_key(secret, "GET", "/account/balance")))
        .await;
    gone.assert_error(401, Some(802), "/request");
    let unknown = world.send(revocation("00000000000000ff")).await;
    unknown.assert_error(404, None, "/params/keyIdentifier");
    let mut keys = listed.json["permissions"].as_array().unwrap().iter();
    let operators = keys.find(|key| key["keyName"].is_null()).unwrap();
    let operators = operators["keyIdentifier"].as_str().unwrap();
    let refused = world.send(revocation(operators)).await;
    refused.assert_error(403, None, "/params/keyIdentifier");
}

#[tokio::test]
async fn a_retry_shows_the_key_without_its_secret() {
    let world = RouteTestWorld::new().await;
    let keyed = |name: &str| {
        let mut request = post(PATH, wanted(name, "read", ""));
        let key = HeaderValue::from_static("try-1");
        request.headers_mut().insert("idempotency-key", key);
        request
    };
    let first = world.send(keyed("Till 1")).await;
    first.assert_success(201);
    let again = world.send(keyed("Till 1")).await;
    again.assert_success(200);
    assert_eq!(again.header("idempotency-replayed"), "true");
    assert_eq!(again.json["keyIdentifier"], first.json["keyIdentifier"]);
    assert_eq!(again.json.get("keySecret"), None, "{}", again.text);
    assert_eq!(again.header("location"), first.header("location"));
    let other = world.send(keyed("Till 2")).await;
    other.assert_error(422, None, "/params/Idempotency-Key");
}

/// A key with one scope is let in where its row needs that, and refused everywhere else before its
/// body is looked at.
#[tokio::test]
async fn every_row_is_refused_to_keys_without_its_scope_and_to_no_other() {
    let world = RouteTestWorld::with(|settings| {
        let many = Quota::per_minute(NonZeroU32::new(1_000_000).unwrap());
        settings.limits.payments = many;
        // What a key may not do counts as a failed login of its source.
        settings.limits.failed_logins_per_minute = NonZeroU32::new(1_000_000).unwrap();
        settings.limits.bulks = many;
        settings.limits.reads = many;
        settings.limits.lookups = many;
    })
    .await;
    for scope in AccessScope::ALL {
        let (_, secret) = made(&world, scope.code(), scope.code(), "").await;
        for endpoint in endpoints().iter().filter(|it| it.scope.is_some()) {
            let target = endpoint.path.replace("{category}", "airtime");
            let answer = match endpoint.verb {
                Verb::Get => world.send(bare(with_key(&secret, "GET", &target))).await,
                // Nothing of this can be read.
                Verb::Post => world.send(posting(&secret, &target, "[")).await,
            };
            if endpoint.scope == Some(scope) && endpoint.is_of_operators() {
                assert_eq!(answer.status, 403, "{endpoint:?}: {}", answer.text);
                assert!(answer.text.contains("no key of an account opens it"));
            } else if endpoint.scope == Some(scope) {
                assert_ne!(answer.status, 403, "{endpoint:?}: {}", answer.text);
                assert_ne!(answer.status, 401, "{endpoint:?}: {}", answer.text);
            } else {
                let needed = endpoint.scope.map(AccessScope::code).unwrap();
                assert_forbidden(&answer, &format!("this needs the scope {needed}"));
            }
        }
    }
}

#[tokio::test]
async fn a_key_is_used_from_its_networks_alone() {
    let world = RouteTestWorld::new().await;
    let more = r#","keyAllowlist":"192.0.2.0/24, 2001:db8::/32""#;
    let (_, secret) = made(&world, "Till 1", "read", more).await;
    let from = async |address: &str, target: &str| {
        let peer = Peer {
            address: address.parse().unwrap(),
            transport: TransportSecurity::Tls,
        };
        world
            .send_over(peer, bare(with_key(&secret, "GET", target)))
            .await
    };
    for inside in ["192.0.2.200", "::ffff:192.0.2.1", "2001:db8:1::1"] {
        from(inside, "/account/balance").await.assert_success(200);
    }
    for outside in ["192.0.3.1", "2001:db9::1", "127.0.0.1"] {
        let refused = from(outside, "/account/balance").await;
        assert_forbidden(&refused, &format!("this came from {outside}"));
        // Also where there is nothing.
        let refused = from(outside, "/nowhere").await;
        assert_forbidden(&refused, "may not be used from your address");
    }
    // What a client that is no proxy says of itself counts for nothing.
    let lying = with_key(&secret, "GET", "/account/balance").header("x-forwarded-for", "192.0.2.1");
    let peer = Peer {
        address: "198.51.100.1".parse().unwrap(),
        transport: TransportSecurity::Tls,
    };
    let refused = world.send_over(peer, bare(lying)).await;
    assert_forbidden(&refused, "198.51.100.1");
}

#[tokio::test]
async fn a_key_that_expired_is_refused_and_says_so() {
    let world = RouteTestWorld::new().await;
    let more = r#","keyExpires":"15-01-2026 10:01:00""#;
    let (_, secret) = made(&world, "Till 1", "read", more).await;
    let ask = async || {
        world
            .send(bare(with_key(&secret, "GET", "/account/balance")))
            .await
    };
    ask().await.assert_success(200);
    world.clock.advance(Duration::from_mins(1)).await;
    let expired = ask().await;
    expired.assert_error(401, Some(802), "/request");
    assert!(expired.text.contains("has expired"), "{}", expired.text);
    assert!(expired.headers.contains_key("www-authenticate"));
    // It takes nothing from the limits of the account: its source is slowed down.
    assert!(!expired.headers.contains_key("ratelimit-limit"));
    for _ in 1..10 {
        ask().await.assert_error(401, Some(802), "/request");
    }
    ask().await.assert_error(429, None, "/request");
    world
        .send(get("/account/balance"))
        .await
        .assert_success(200);
}

#[tokio::test]
async fn a_key_makes_none_that_allows_more() {
    let world = RouteTestWorld::new().await;
    let more = r#","keyAllowlist":"192.0.2.0/24","keyExpires":"16-01-2026 10:00:00""#;
    let (_, secret) = made(&world, "Admin", "read,admin", more).await;
    let refused = world
        .send(posting(&secret, PATH, &wanted("Wide", "read,pay", "")))
        .await;
    for attribute in ["keyScopes", "keyAllowlist", "keyExpires"] {
        refused.assert_error(403, None, &format!("/params/{attribute}"));
    }
    let more = r#","keyAllowlist":"192.0.2.7","keyExpires":"15-01-2026 11:00:00""#;
    let narrow = world
        .send(posting(&secret, PATH, &wanted("Narrow", "read", more)))
        .await;
    narrow.assert_success(201);
    let past =
        r#","keyAllowlist":"192.0.2.7","keyExpires":"15-01-2026 09:00:00","usrIdentifier":7"#;
    let past = world
        .send(posting(&secret, PATH, &wanted("Past", "read", past)))
        .await;
    for attribute in ["keyExpires", "usrIdentifier"] {
        past.assert_error(404, None, &format!("/params/{attribute}"));
    }
    // Another account's administrator reaches none of it.
    let theirs = request_of("other", "GET", "/account/permissions");
    let theirs = world.send(bare(theirs)).await;
    assert_eq!(theirs.json["query"]["found"], 1);
}

#[tokio::test]
async fn a_name_has_two_secrets_and_an_account_so_many_names() {
    let world = RouteTestWorld::new().await;
    let (first, _) = made(&world, "Till 0", "read", "").await;
    made(&world, "Till 0", "read", "").await;
    let third = world.send(post(PATH, wanted("Till 0", "read", ""))).await;
    third.assert_error(409, None, "/params/keyName");
    world.send(revocation(&first)).await.assert_success(200);
    made(&world, "Till 0", "read", "").await;
    for nth in 1..ACCESS_KEY_NAMES_MAX {
        made(&world, &format!("Till {nth}"), "read", "").await;
    }
    let more = world.send(post(PATH, wanted("One more", "read", ""))).await;
    more.assert_error(409, None, "/params/keyName");
    assert!(more.text.contains("20 names"), "{}", more.text);
}
