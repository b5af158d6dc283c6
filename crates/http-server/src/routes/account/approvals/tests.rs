//! Approvals over the interface.

use crate::layers::body::Body;
use crate::testing::{RouteTestWorld, TestAnswer, body, get, post};
use base64::prelude::{BASE64_STANDARD, Engine};
use http::Request;
use http::header::{AUTHORIZATION, CONTENT_TYPE};

const PATH: &str = "/account/approvals";

fn airtime(reference: &str) -> String {
    format!(
        r#"{{"mrcReference":"{reference}","countryCode":566,"number":2348031234567,
            "amount":1000,"billing":"Prepaid"}}"#
    )
}

fn decision(reference: &str, word: &str) -> String {
    format!(r#"{{"mrcReference":"{reference}","decision":"{word}"}}"#)
}

/// A request with the key of a user.
fn posting(secret: &str, target: &str, text: String) -> Request<Body> {
    let pair = BASE64_STANDARD.encode(format!("shop:{secret}"));
    Request::builder()
        .method("POST")
        .uri(target)
        .header(AUTHORIZATION, format!("Basic {pair}"))
        .header(CONTENT_TYPE, "application/json")
        .body(body(text))
        .unwrap()
}

/// A world in which what costs more than 100.00 needs an approval, and the key of a user.
async fn world_with_user() -> (RouteTestWorld, String) {
    let world = RouteTestWorld::new().await;
    let limit = r#"{"lmtService":"all","lmtApprovalAbove":100}"#.to_owned();
    world
        .send(post("/account/limits", limit))
        .await
        .assert_success(200);
    let person = r#"{"usrEmail":"ada@shop.example","usrName":"Ada","usrRole":"finance"}"#;
    let invited = world.send(post("/account/users", person.to_owned())).await;
    invited.assert_success(201);
    let (user, code) = (
        &invited.json["usrIdentifier"],
        &invited.json["activationCode"],
    );
    let activation = format!(r#"{{"usrIdentifier":{user},"activationCode":{code}}}"#);
    let activated = world
        .send(post("/account/users/activate", activation))
        .await;
    activated.assert_success(200);
    let key = format!(r#"{{"keyName":"Ada","keyScopes":"read,pay","usrIdentifier":{user}}}"#);
    let made = world.send(post("/account/keys", key)).await;
    made.assert_success(201);
    let secret = made.json["keySecret"].as_str().unwrap().to_owned();
    (world, secret)
}

async fn waits(world: &RouteTestWorld, reference: &str) -> TestAnswer {
    let asked = world
        .send(post("/payment/airtime", airtime(reference)))
        .await;
    asked.assert_success(202);
    asked
}

#[tokio::test]
async fn a_payment_waits_until_another_user_approves_it() {
    let (world, secret) = Box::pin(world_with_user()).await;
    let asked = waits(&world, "order-1").await;
    assert_eq!(asked.json["txnStatus"], "Pending");
    let listed = world.send(get(PATH)).await;
    listed.assert_success(200);
    assert_eq!(listed.json["query"]["found"], 1);
    let waiting = &listed.json["approvals"][0];
    assert_eq!(
        (&waiting["mrcReference"], &waiting["price"]),
        (&"order-1".into(), &"970.00".into())
    );
    assert_eq!(waiting["aprExpires"], "16-01-2026 10:00:00");
    let own = world.send(post(PATH, decision("order-1", "approve"))).await;
    own.assert_error(403, Some(803), "/request");
    let approved = posting(&secret, PATH, decision("order-1", "approve"));
    let approved = world.send(approved).await;
    approved.assert_success(200);
    assert_eq!(approved.json["aprDecision"], "Approved");
    let again = posting(&secret, PATH, decision("order-1", "approve"));
    let again = world.send(again).await;
    assert_eq!(again.header("idempotency-replayed"), "true");
    let other = posting(&secret, PATH, decision("order-1", "refuse"));
    world
        .send(other)
        .await
        .assert_error(409, None, "/params/decision");
    let listed = world.send(get(PATH)).await;
    assert_eq!(listed.json["query"]["found"], 0);
}

#[tokio::test]
async fn what_a_user_asks_for_is_refused_by_the_account() {
    let (world, secret) = Box::pin(world_with_user()).await;
    let asked = posting(&secret, "/payment/airtime", airtime("order-1"));
    world.send(asked).await.assert_success(202);
    let own = posting(&secret, PATH, decision("order-1", "approve"));
    let own = world.send(own).await;
    own.assert_error(403, Some(803), "/request");
    assert!(own.text.contains("another user"), "{}", own.text);
    let refused = world.send(post(PATH, decision("order-1", "refuse"))).await;
    refused.assert_success(200);
    assert_eq!(
        (&refused.json["aprDecision"], &refused.json["aprCount"]),
        (&"Refused".into(), &1.into())
    );
    let report = world
        .send(get("/payment/airtime/transaction?mrcReference=order-1"))
        .await;
    assert_eq!(report.json["txnStatus"], "Failed");
}

#[tokio::test]
async fn what_does_not_wait_is_not_decided_of() {
    let (world, secret) = Box::pin(world_with_user()).await;
    let unknown = posting(&secret, PATH, decision("order-9", "approve"));
    world
        .send(unknown)
        .await
        .assert_error(404, None, "/params/mrcReference");
    let small = airtime("order-2").replace("1000", "100");
    world
        .send(post("/payment/airtime", small))
        .await
        .assert_success(200);
    let plain = posting(&secret, PATH, decision("order-2", "approve"));
    world
        .send(plain)
        .await
        .assert_error(409, None, "/params/mrcReference");
}
