//! Collections over the interface: made, paid by the sandbox, changed and listed.

use crate::testing::{RouteTestWorld, TestAnswer, get, post};
use http::HeaderValue;
use serde_json::Value;

const DUE: &str = "2026-12-31T00:00:00Z";

fn account(reference: &str, rest: &str) -> String {
    format!(r#"{{"mrcReference":"{reference}","customerName":"Ada Obi"{rest}}}"#)
}

fn invoice(reference: &str, rest: &str) -> String {
    format!(
        r#"{{"mrcReference":"{reference}","payerName":"Ada Obi","colPurpose":"fee",
            "colAmount":"5,000.00","dueDate":"{DUE}"{rest}}}"#
    )
}

async fn made(world: &RouteTestWorld, path: &str, body: String) -> TestAnswer {
    let answer = world.send(post(path, body)).await;
    answer.assert_success(201);
    answer
}

fn number(answer: &TestAnswer) -> u64 {
    answer.json["colIdentifier"].as_u64().unwrap()
}

async fn pay(world: &RouteTestWorld, reference: &str, to: u64, amount: &str) -> TestAnswer {
    let body =
        format!(r#"{{"mrcReference":"{reference}","colIdentifier":{to},"colAmount":"{amount}"}}"#);
    world.send(post("/collection/simulate", body)).await
}

async fn balance(world: &RouteTestWorld) -> Value {
    world.send(get("/account/balance")).await.json["accBalance"].clone()
}

#[tokio::test]
async fn an_invoice_is_paid_in_parts_and_each_payment_is_credited_once() {
    let world = RouteTestWorld::new().await;
    let body = invoice("fee-1", r#","colPartial":true"#);
    let first = made(&world, "/collection/invoice", body.clone()).await;
    assert_eq!(first.json["colStatus"], "Open");
    assert_eq!(first.json["colReference"].as_str().unwrap().len(), 12);
    assert_eq!(first.json["bankFullname"], "Sandbox Bank");
    let to = number(&first);
    let part = pay(&world, "pay-1", to, "2,000.00").await;
    part.assert_success(200);
    assert_eq!(part.json["colStatus"], "Part");
    assert_eq!(part.json["colDue"], "3,000.00");
    let again = pay(&world, "pay-1", to, "2,000.00").await;
    again.assert_success(200);
    assert_eq!(again.text, part.text);
    assert_eq!(balance(&world).await, "12,000.00");
    let other = pay(&world, "pay-1", to, "3,000.00").await;
    other.assert_error(422, None, "/params/mrcReference");
    let whole = pay(&world, "pay-2", to, "4,000.00").await;
    whole.assert_success(200);
    assert_eq!(whole.json["colStatus"], "Paid");
    assert_eq!(
        (&whole.json["colDue"], &whole.json["colPaid"]),
        (&"0.00".into(), &"6,000.00".into())
    );
    assert_eq!(balance(&world).await, "16,000.00");
    let shown = get("/collection/invoice/transaction?mrcReference=fee-1");
    let shown = world.send(shown).await;
    shown.assert_success(200);
    assert_eq!(shown.json["colStatus"], "Paid");
    assert_eq!(shown.json["colPayments"], 2);
    let as_account = get("/collection/account/transaction?mrcReference=fee-1");
    let as_account = world.send(as_account).await;
    as_account.assert_error(404, None, "/params/mrcReference");
    let listed = world.send(get("/collection/transaction?length=1")).await;
    listed.assert_success(200);
    assert_eq!(listed.json["payments"][0]["colAmount"], "2,000.00");
    assert_eq!(listed.json["query"]["total"], 2);
}

#[tokio::test]
async fn an_account_number_is_suspended_resumed_and_closed_and_credited_all_the_same() {
    let world = RouteTestWorld::new().await;
    let answer = made(&world, "/collection/account", account("col-1", "")).await;
    assert_eq!(answer.json["colStatus"], "Active");
    assert_eq!(answer.json["accountNumber"].as_str().unwrap().len(), 10);
    let to = number(&answer);
    let step = |path: &'static str, rest: &str| {
        let body = format!(r#"{{"colIdentifier":{to}{rest}}}"#);
        world.send(post(path, body))
    };
    let suspended = step("/collection/suspend", r#","version":1"#).await;
    suspended.assert_success(200);
    assert_eq!(suspended.json["colStatus"], "Suspended");
    assert_eq!(suspended.json["version"], 2);
    let stale = step("/collection/close", r#","version":1"#).await;
    stale.assert_error(409, None, "/params/version");
    step("/collection/resume", "").await.assert_success(200);
    let closed = step("/collection/close", r#","version":3"#).await;
    assert_eq!(closed.json["colStatus"], "Closed");
    let again = step("/collection/resume", "").await;
    again.assert_error(409, None, "/params/colIdentifier");
    let late = pay(&world, "pay-1", to, "100.00").await;
    late.assert_success(200);
    assert_eq!(late.json["colStatus"], "Closed");
    assert_eq!(balance(&world).await, "10,100.00");
    let unknown = world.send(post("/collection/close", r#"{"colIdentifier":1}"#));
    unknown
        .await
        .assert_error(404, None, "/params/colIdentifier");
}

#[tokio::test]
async fn a_version_that_if_match_does_not_name_is_refused() {
    let world = RouteTestWorld::new().await;
    let answer = made(&world, "/collection/account", account("col-1", "")).await;
    let body = format!(r#"{{"colIdentifier":{}}}"#, number(&answer));
    let guarded = |body: &str, tag: &'static str| {
        let mut request = post("/collection/close", body.to_owned());
        let tag = HeaderValue::from_static(tag);
        request.headers_mut().insert("if-match", tag);
        request
    };
    let wrong = guarded(&body, "\"7\"");
    world
        .send(wrong)
        .await
        .assert_error(412, None, "/params/If-Match");
    let right = guarded(&body, "\"1\"");
    world.send(right).await.assert_success(200);
}

#[tokio::test]
async fn a_reference_and_a_key_make_one_collection() {
    let world = RouteTestWorld::new().await;
    let keyed = |body: String| {
        let mut request = post("/collection/invoice", body);
        let key = HeaderValue::from_static("key-1");
        request.headers_mut().insert("idempotency-key", key);
        request
    };
    let first = world.send(keyed(invoice("fee-1", ""))).await;
    first.assert_success(201);
    let again = world.send(keyed(invoice("fee-1", ""))).await;
    again.assert_success(201);
    assert_eq!(again.text, first.text);
    let other = world.send(keyed(invoice("fee-2", ""))).await;
    other.assert_error(422, None, "/params/Idempotency-Key");
    let taken = world
        .send(post("/collection/account", account("fee-1", "")))
        .await;
    taken.assert_error(422, None, "/params/mrcReference");
    let listed = world.send(get("/collection/invoice")).await;
    assert_eq!(listed.json["query"]["total"], 1);
}

#[tokio::test]
async fn a_collection_that_ends_before_it_begins_or_too_late_is_refused() {
    let world = RouteTestWorld::new().await;
    for moment in ["2020-01-01T00:00:00Z", "2099-01-01T00:00:00Z"] {
        let ended = invoice("fee-1", "").replace(DUE, moment);
        let refused = world.send(post("/collection/invoice", ended)).await;
        refused.assert_error(400, None, "/params/dueDate");
        let ended = account("col-1", &format!(r#","colExpires":"{moment}""#));
        let refused = world.send(post("/collection/account", ended)).await;
        refused.assert_error(400, None, "/params/colExpires");
    }
}
