//! Checkout sessions over the interface: opened, paid by the sandbox, cancelled and listed.

use crate::testing::{RouteTestWorld, TestAnswer, get, post};
use http::HeaderValue;
use std::time::Duration;

const REPORT: &str = "/checkout/session/transaction?mrcReference=order-1";

fn session(reference: &str, rest: &str) -> String {
    format!(
        r#"{{"mrcReference":"{reference}","amount":"5,000.00","currency":"NGN",
            "chkChannels":"transfer","customerPhone":"2348031234567",
            "redirectUrl":"https://shop.example/"{rest}}}"#
    )
}

async fn opened(world: &RouteTestWorld, body: String) -> TestAnswer {
    let answer = world.send(post("/checkout/session", body)).await;
    answer.assert_success(201);
    answer
}

async fn pay(world: &RouteTestWorld, to: &TestAnswer, amount: &str) {
    let to = &to.json["chkIdentifier"];
    let own = amount.replace(',', "");
    let body =
        format!(r#"{{"mrcReference":"pay-{own}","colIdentifier":{to},"colAmount":"{amount}"}}"#);
    let paid = world.send(post("/collection/simulate", body)).await;
    paid.assert_success(200);
}

async fn cancel(world: &RouteTestWorld, body: &'static str) -> TestAnswer {
    world.send(post("/checkout/cancel", body)).await
}

#[tokio::test]
async fn a_session_is_paid_in_all_and_more() {
    let world = RouteTestWorld::new().await;
    let first = opened(&world, session("order-1", "")).await;
    assert_eq!(first.json["chkStatus"], "Open");
    assert_eq!(first.json["customerName"], "2348031234567");
    assert_eq!(first.json["chkSecret"].as_str().unwrap().len(), 64);
    assert_eq!(
        first.header("location"),
        "/checkout/session/transaction?mrcReference=order-1"
    );
    assert!(first.json["chkDifference"].is_null());
    pay(&world, &first, "2,000.00").await;
    let report = world.send(get(REPORT)).await;
    assert_eq!(report.json["chkStatus"], "Open");
    assert!(report.json.get("chkSecret").is_none());
    pay(&world, &first, "4,000.00").await;
    let report = world.send(get(REPORT)).await;
    assert_eq!(report.json["chkStatus"], "Paid");
    assert_eq!(report.json["chkDifference"], "1,000.00");
    assert_eq!(report.json["chkNet"], "6,000.00");
    let cancelled = cancel(&world, r#"{"mrcReference":"order-1"}"#).await;
    cancelled.assert_error(409, None, "/params/mrcReference");
    let listed = world.send(get("/checkout/session?length=1")).await;
    listed.assert_success(200);
    assert_eq!(listed.json["sessions"][0]["chkStatus"], "Paid");
    assert_eq!(listed.header("total"), "1");
}

#[tokio::test]
async fn a_session_is_cancelled_in_the_version_that_was_seen() {
    let world = RouteTestWorld::new().await;
    let first = opened(&world, session("order-1", "")).await;
    assert_eq!(first.header("etag"), "\"1\"");
    let stale = cancel(&world, r#"{"mrcReference":"order-1","version":9}"#).await;
    stale.assert_error(409, None, "/params/version");
    let mut other = post("/checkout/cancel", r#"{"mrcReference":"order-1"}"#);
    let headers = other.headers_mut();
    headers.insert("If-Match", HeaderValue::from_static("\"9\""));
    world
        .send(other)
        .await
        .assert_error(412, None, "/params/If-Match");
    let cancelled = cancel(&world, r#"{"mrcReference":"order-1","version":1}"#).await;
    cancelled.assert_success(200);
    assert_eq!(cancelled.json["chkStatus"], "Cancelled");
    assert_eq!(cancelled.header("etag"), "\"2\"");
    let again = cancel(&world, r#"{"mrcReference":"order-1"}"#).await;
    again.assert_success(200);
    let unknown = cancel(&world, r#"{"mrcReference":"order-2"}"#).await;
    unknown.assert_error(404, None, "/params/mrcReference");
    // Money that arrives is the merchant's all the same.
    pay(&world, &first, "5,000.00").await;
    let report = world.send(get(REPORT)).await;
    assert_eq!(report.json["chkStatus"], "Paid");
}

#[tokio::test]
async fn a_session_ends_a_day_after_it_was_opened_unless_its_merchant_says() {
    let world = RouteTestWorld::new().await;
    opened(&world, session("order-1", "")).await;
    world.clock.advance(Duration::from_hours(24)).await;
    let report = world.send(get(REPORT)).await;
    assert_eq!(report.json["chkStatus"], "Expired");
    let over = cancel(&world, r#"{"mrcReference":"order-1"}"#).await;
    over.assert_error(409, None, "/params/mrcReference");
    for end in ["2020-01-01T00:00:00Z", "2099-01-01T00:00:00Z"] {
        let body = session("order-2", &format!(r#","chkExpires":"{end}""#));
        let refused = world.send(post("/checkout/session", body)).await;
        refused.assert_error(400, None, "/params/chkExpires");
    }
}

#[tokio::test]
async fn a_key_opens_one_session_and_a_reference_is_used_once() {
    let world = RouteTestWorld::new().await;
    let keyed = |body: String| {
        let mut request = post("/checkout/session", body);
        let headers = request.headers_mut();
        headers.insert("Idempotency-Key", HeaderValue::from_static("\"k1\""));
        request
    };
    let first = world.send(keyed(session("order-1", ""))).await;
    first.assert_success(201);
    world.clock.advance(Duration::from_mins(1)).await;
    let again = world.send(keyed(session("order-1", ""))).await;
    again.assert_success(201);
    assert_eq!(again.text, first.text);
    let other = session("order-1", r#","customerName":"Ngozi""#);
    let other = world.send(keyed(other)).await;
    assert_eq!(other.status, 422, "{}", other.text);
    let taken = post("/checkout/session", session("order-1", ""));
    let taken = world.send(taken).await;
    taken.assert_error(422, None, "/params/mrcReference");
    assert_eq!(taken.header("location"), first.header("location"));
}

#[tokio::test]
async fn steps_of_collections_are_none_of_sessions() {
    let world = RouteTestWorld::new().await;
    let first = opened(&world, session("order-1", "")).await;
    let body = format!(r#"{{"colIdentifier":{}}}"#, first.json["chkIdentifier"]);
    for step in ["suspend", "resume", "close"] {
        let path = format!("/collection/{step}");
        let refused = world.send(post(&path, body.clone())).await;
        refused.assert_error(404, None, "/params/colIdentifier");
    }
    let as_invoice = get("/collection/invoice/transaction?mrcReference=order-1");
    let as_invoice = world.send(as_invoice).await;
    as_invoice.assert_error(404, None, "/params/mrcReference");
}
