//! Tests which bodies are read. A body that cannot be read must be refused before anything is done.

use super::AIRTIME;
use crate::settings::BODY_BYTES_MAX;
use crate::testing::{RouteTestWorld, body, post, post_of, request_of};
use http::header::CONTENT_TYPE;

#[tokio::test]
async fn only_json_is_read_and_only_after_the_credentials_are_known() {
    let world = RouteTestWorld::new().await;
    let typed = |account: &str, content_type: &str| {
        let builder = request_of(account, "POST", AIRTIME).header(CONTENT_TYPE, content_type);
        builder.body(body("{}")).unwrap()
    };
    world
        .send(typed("shop", "text/plain"))
        .await
        .assert_error(415, None, "/request");
    let untyped = request_of("shop", "POST", AIRTIME)
        .body(body("{}"))
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
    let world = RouteTestWorld::new().await;
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
    let world = RouteTestWorld::new().await;
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
    let world = RouteTestWorld::new().await;
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
