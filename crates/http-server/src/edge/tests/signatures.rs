//! Requests of a key that signs: which are let in, and what the others are answered.

use crate::layers::body::Body;
use crate::settings::VtpassRequests;
use crate::testing::{RouteTestWorld, TestAnswer, bare, body, get, post};
use base64::prelude::{BASE64_STANDARD, Engine};
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{Request, request};
use message_signatures::{MerchantRequest, SignatureKeys, content_digest, sign_merchant_request};
use std::time::Duration;

const BALANCE: &str = "/account/balance";
const KEYS: &str = "/account/keys";

/// A key whose requests are signed.
struct SigningKey {
    id: String,
    secret: String,
    keys: SignatureKeys,
}

/// What is signed of a request, and when.
#[derive(Clone, Copy)]
struct Signing<'a> {
    method: &'a str,
    target: &'a str,
    body: &'a str,
    retry_key: Option<&'a str>,
    nonce: &'a str,
    /// By how many seconds the clock of the client is ahead.
    ahead: i64,
}

const READING: Signing<'static> = Signing {
    method: "GET",
    target: BALANCE,
    body: "",
    retry_key: None,
    nonce: "nonce-1",
    ahead: 0,
};

impl SigningKey {
    async fn made(world: &RouteTestWorld, name: &str) -> Self {
        let wanted =
            format!(r#"{{"keyName":"{name}","keyScopes":"read,pay,admin","keySigned":true}}"#);
        let made = world.send(post(KEYS, wanted)).await;
        made.assert_success(201);
        assert_eq!(made.json["keySigned"], true);
        Self::of(&made)
    }

    fn of(made: &TestAnswer) -> Self {
        let text = |field: &str| made.json[field].as_str().unwrap().to_owned();
        let secret = BASE64_STANDARD.decode(text("keySigningSecret")).unwrap();
        let id = text("keyIdentifier");
        Self {
            keys: SignatureKeys::single(&*id, secret.try_into().unwrap()),
            secret: text("keySecret"),
            id,
        }
    }

    /// A request of `shop` with the key.
    fn bare(&self, method: &str, target: &str) -> request::Builder {
        let pair = BASE64_STANDARD.encode(format!("shop:{}", self.secret));
        let builder = Request::builder().method(method).uri(target);
        builder.header(AUTHORIZATION, format!("Basic {pair}"))
    }

    fn signed(&self, world: &RouteTestWorld, signing: Signing<'_>) -> request::Builder {
        let digest = content_digest(signing.body.as_bytes());
        let is_post = signing.method == "POST";
        let (path, query) = signing
            .target
            .split_once('?')
            .map_or((signing.target, None), |(path, query)| (path, Some(query)));
        let covered = MerchantRequest {
            method: signing.method,
            path,
            query,
            content_digest: is_post.then_some(&*digest),
            idempotency_key: signing.retry_key,
        };
        let now = world.gateway.now().as_millis() / 1_000 + signing.ahead;
        let signature = sign_merchant_request(&self.keys, covered, (now, signing.nonce));
        let mut builder = self
            .bare(signing.method, signing.target)
            .header("signature-input", signature.signature_input)
            .header("signature", signature.signature);
        if is_post {
            builder = builder
                .header("content-digest", digest)
                .header(CONTENT_TYPE, "application/json");
        }
        if let Some(key) = signing.retry_key {
            builder = builder.header("idempotency-key", key);
        }
        builder
    }

    async fn sends(&self, world: &RouteTestWorld, signing: Signing<'_>) -> TestAnswer {
        let builder = self.signed(world, signing);
        world.send(with_body(builder, signing.body)).await
    }
}

fn with_body(builder: request::Builder, text: &str) -> Request<Body> {
    builder.body(body(text.to_owned())).unwrap()
}

#[track_caller]
fn assert_refused(answer: &TestAnswer, words: &str) {
    answer.assert_error(401, Some(802), "/request");
    assert!(answer.headers.contains_key("www-authenticate"));
    assert!(answer.text.contains(words), "{}", answer.text);
}

#[tokio::test]
async fn a_key_that_signs_opens_the_account_to_signed_requests_alone() {
    let world = RouteTestWorld::new().await;
    let till = SigningKey::made(&world, "Till 1").await;
    let unsigned = world.send(bare(till.bare("GET", BALANCE))).await;
    assert_refused(&unsigned, "to signed requests alone");
    assert!(unsigned.text.contains(&till.id), "{}", unsigned.text);
    till.sends(&world, READING).await.assert_success(200);
    assert_refused(&till.sends(&world, READING).await, "used before");
    let later = Signing {
        nonce: "nonce-2",
        target: "/account/balance?accCurrency=NGN",
        ..READING
    };
    till.sends(&world, later).await.assert_success(200);
    // Other keys go on as before, and have nothing to sign with.
    world.send(get(BALANCE)).await.assert_success(200);
    let mut other = get(BALANCE);
    let headers = other.headers_mut();
    headers.insert("signature", "manilla=:AAAA:".parse().unwrap());
    assert_refused(&world.send(other).await, "has no signing secret");
}

#[tokio::test]
async fn what_is_not_as_it_was_signed_is_refused_with_what_is_wrong() {
    let world = RouteTestWorld::new().await;
    let till = SigningKey::made(&world, "Till 1").await;
    let other = SigningKey::made(&world, "Till 2").await;
    let drift = |ahead| Signing { ahead, ..READING };
    assert_refused(
        &till.sends(&world, drift(-301)).await,
        "`created` is 301 s ago",
    );
    let ahead = till.sends(&world, drift(301)).await;
    assert_refused(&ahead, "`created` is 301 s in the future");
    let mut foreign = other.signed(&world, READING).body(body("")).unwrap();
    let own = till.bare("GET", BALANCE).body(()).unwrap();
    let authorization = own.headers()[AUTHORIZATION].clone();
    foreign.headers_mut().insert(AUTHORIZATION, authorization);
    assert_refused(&world.send(foreign).await, "`keyid` is not known");
    let mut moved = till.signed(&world, READING).body(body("")).unwrap();
    *moved.uri_mut() = "/account/profile".parse().unwrap();
    assert_refused(&world.send(moved).await, "does not fit");
    let retried = till
        .signed(&world, READING)
        .header("idempotency-key", "retry-1");
    let retried = world.send(bare(retried)).await;
    assert_refused(&retried, r#"does not cover \"idempotency-key\""#);
    let mut halved = till.signed(&world, READING).body(body("")).unwrap();
    halved.headers_mut().remove("signature");
    assert_refused(&world.send(halved).await, "each once");
    // None of these used the nonce.
    till.sends(&world, READING).await.assert_success(200);
    till.sends(
        &world,
        Signing {
            nonce: "a",
            ahead: -300,
            ..READING
        },
    )
    .await
    .assert_success(200);
}

#[tokio::test]
async fn a_body_is_the_one_that_was_signed() {
    let world = RouteTestWorld::new().await;
    let till = SigningKey::made(&world, "Till 1").await;
    let wanted = r#"{"keyName":"Till 2","keyScopes":"read","keySigned":true}"#;
    let making = Signing {
        method: "POST",
        target: KEYS,
        body: wanted,
        retry_key: Some("retry-1"),
        ..READING
    };
    let altered = till.signed(&world, making);
    let altered = with_body(altered, &wanted.replace("read", "pay"));
    assert_refused(&world.send(altered).await, "is not the SHA-256 of the body");
    let mut bare = till.signed(&world, making).body(body(wanted)).unwrap();
    bare.headers_mut().remove("content-digest");
    assert_refused(&world.send(bare).await, "a POST needs `Content-Digest`");
    let making = Signing {
        nonce: "nonce-2",
        ..making
    };
    let made = till.sends(&world, making).await;
    made.assert_success(201);
    // What it makes signs too, or is not made.
    let unsigned = r#"{"keyName":"Till 3","keyScopes":"read"}"#;
    let making = Signing {
        body: unsigned,
        retry_key: None,
        nonce: "nonce-3",
        ..making
    };
    let refused = till.sends(&world, making).await;
    refused.assert_error(403, None, "/params/keySigned");
}

#[tokio::test]
async fn a_key_that_takes_the_place_of_one_that_signs_has_another_secret() {
    let world = RouteTestWorld::new().await;
    let till = SigningKey::made(&world, "Till 1").await;
    let rotation = format!(r#"{{"keyIdentifier":"{}"}}"#, till.id);
    let rotated = world.send(post("/security/rotate", rotation)).await;
    rotated.assert_success(201);
    let next = SigningKey::of(&rotated);
    next.sends(&world, READING).await.assert_success(200);
    till.sends(&world, READING).await.assert_success(200);
    let mixed = SigningKey {
        keys: SignatureKeys::single(&*next.id, [1; 32]),
        ..next
    };
    assert_refused(&mixed.sends(&world, READING).await, "does not fit");
    let shown = world.send(get("/account/permissions")).await;
    let shown = shown.json["permissions"].as_array().unwrap();
    let signed = shown.iter().filter(|key| key["keySigned"] == true);
    assert_eq!((signed.count(), shown.len()), (2, 3));
}

#[tokio::test]
async fn requests_in_the_shape_of_vtpass_are_signed_too() {
    let world = RouteTestWorld::with(|it| it.vtpass = VtpassRequests::Served).await;
    let till = SigningKey::made(&world, "Till 1").await;
    let target = "/vtpass/api/balance";
    let unsigned = world.send(bare(till.bare("GET", target))).await;
    assert_eq!(unsigned.status, 401);
    let signed = till.sends(&world, Signing { target, ..READING }).await;
    assert_eq!(signed.status, 200, "{}", signed.text);
    // A request that is sent once more may have been served: 401 would count as a failed purchase.
    let again = till.sends(&world, Signing { target, ..READING }).await;
    assert_eq!(again.status, 503, "{}", again.text);
    assert!(again.text.contains("used before"), "{}", again.text);
}

#[tokio::test]
async fn wrong_signatures_count_as_failed_logins() {
    let world = RouteTestWorld::new().await;
    let till = SigningKey::made(&world, "Till 1").await;
    for _ in 0..10 {
        let unsigned = world.send(bare(till.bare("GET", BALANCE))).await;
        assert_eq!(unsigned.status, 401);
    }
    let refused = till.sends(&world, READING).await;
    refused.assert_error(429, None, "/request");
    world.clock.advance(Duration::from_mins(1)).await;
    till.sends(&world, READING).await.assert_success(200);
}
