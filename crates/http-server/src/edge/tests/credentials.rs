//! Tests authentication: an account that does not exist and a wrong key must get the same answer.

use super::{BALANCE, guarded, request};
use crate::testing::{RouteTestWorld, authorization, bare};
use base64::prelude::{BASE64_STANDARD, Engine};
use http::Request;
use http::header::AUTHORIZATION;
use std::num::NonZeroU32;
use std::time::Duration;

#[tokio::test]
async fn no_operation_answers_who_has_no_valid_credentials() {
    let world = RouteTestWorld::with(|settings| {
        // Calling all operations without valid credentials fails more often than is allowed in a
        // minute.
        settings.limits.failed_logins_per_minute = NonZeroU32::MAX;
    })
    .await;
    let encode = |pair: &str| format!("Basic {}", BASE64_STANDARD.encode(pair));
    let wrong_key = encode(&format!("shop:{}", crate::testing::key_of("other")));
    let unknown = encode(&format!("nobody:{}", crate::testing::key_of("shop")));
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
        for invalid in [&wrong_key, &unknown] {
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
    let world = RouteTestWorld::new().await;
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
async fn a_suspended_account_is_refused_as_such_by_every_operation() {
    let world = RouteTestWorld::new().await;
    for endpoint in guarded() {
        let answer = world
            .send(request(endpoint, Some(&authorization("closed"))))
            .await;
        answer.assert_error(403, Some(801), "/request");
        // There are more operations than requests that are admitted at once.
        world.clock.advance(Duration::from_secs(1)).await;
    }
}

#[tokio::test]
async fn liveness_needs_no_credentials_and_reveals_nothing() {
    let world = RouteTestWorld::new().await;
    let answer = world.send(bare(Request::builder().uri("/healthz"))).await;
    answer.assert_success(200);
    assert_eq!(answer.json.as_object().unwrap().len(), 3);
}
