//! Limits over the interface: how they are set, and what they refuse.

use crate::testing::{RouteTestWorld, TestAnswer, get, post};
use http::header::{HeaderValue, IF_MATCH};

const PATH: &str = "/account/limits";

async fn set(world: &RouteTestWorld, body: &str) -> TestAnswer {
    world.send(post(PATH, body.to_owned())).await
}

fn airtime(reference: &str) -> http::Request<crate::layers::body::Body> {
    let body = format!(
        r#"{{"mrcReference":"{reference}","countryCode":566,"number":2348031234567,
            "amount":1000,"billing":"Prepaid"}}"#
    );
    post("/payment/airtime", body)
}

#[tokio::test]
async fn a_limit_is_set_shown_and_changed_as_it_was_seen() {
    let world = RouteTestWorld::new().await;
    let body = r#"{"lmtService":"all","lmtPerDay":5000,"lmtApprovalAbove":"1,000.00"}"#;
    let first = set(&world, body).await;
    first.assert_success(200);
    assert_eq!(
        (&first.json["version"], first.header("etag")),
        (&1.into(), "\"1\"")
    );
    let again = set(&world, body).await;
    again.assert_success(200);
    assert_eq!(again.header("idempotency-replayed"), "true");
    let shown = world.send(get(PATH)).await;
    shown.assert_success(200);
    assert_eq!(shown.json["limits"][0]["lmtPerDay"], "5,000.00");
    assert_eq!(
        shown.json["limits"][0]["lmtPerTransaction"],
        serde_json::Value::Null
    );
    assert_eq!(shown.json["lmtSpent"], "0.00");
    let stale = set(&world, r#"{"lmtService":"all"}"#).await;
    stale.assert_error(409, None, "/params/version");
    let mut guarded = post(PATH, r#"{"lmtService":"all","version":1}"#.to_owned());
    guarded
        .headers_mut()
        .insert(IF_MATCH, HeaderValue::from_static("\"7\""));
    let changed = world.send(guarded).await;
    changed.assert_error(412, None, "/params/If-Match");
    // The header may stand for the version.
    let mut guarded = post(PATH, r#"{"lmtService":"all"}"#.to_owned());
    guarded
        .headers_mut()
        .insert(IF_MATCH, HeaderValue::from_static("\"1\""));
    let lifted = world.send(guarded).await;
    lifted.assert_success(200);
    assert_eq!(lifted.json["version"], 2);
}

#[tokio::test]
async fn a_payment_above_a_limit_is_refused_with_the_bound() {
    let world = RouteTestWorld::new().await;
    set(
        &world,
        r#"{"lmtService":"airtime","lmtPerTransaction":100}"#,
    )
    .await
    .assert_success(200);
    let refused = world.send(airtime("order-1")).await;
    refused.assert_error(403, Some(814), "/request");
    assert!(refused.text.contains("100.00"), "{}", refused.text);
    set(&world, r#"{"lmtService":"airtime","version":1}"#)
        .await
        .assert_success(200);
    set(&world, r#"{"lmtService":"all","lmtPerDay":1500}"#)
        .await
        .assert_success(200);
    world.send(airtime("order-1")).await.assert_success(200);
    let refused = world.send(airtime("order-2")).await;
    refused.assert_error(403, Some(814), "/request");
    assert!(refused.text.contains("1,500.00"), "{}", refused.text);
    let listed = world.send(get(PATH)).await;
    assert_eq!(listed.json["lmtSpent"], "970.00");
}

/// What is done at once cannot wait, so that it is no way around an approval.
#[tokio::test]
async fn what_is_done_at_once_is_refused_above_what_needs_an_approval() {
    let world = RouteTestWorld::new().await;
    set(&world, r#"{"lmtService":"all","lmtApprovalAbove":100}"#)
        .await
        .assert_success(200);
    let body = r#"{"mrcReference":"w-1","usrIdentity":"other","txnAmount":200,"txnNarration":"x"}"#;
    let refused = world.send(post("/transfer/user", body.to_owned())).await;
    refused.assert_error(403, Some(814), "/request");
    assert!(
        refused.text.contains("needs an approval"),
        "{}",
        refused.text
    );
}
