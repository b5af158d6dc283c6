//! Purchases in VTpass's shape over the edge: what each code stands for, and above all that none
//! that a client takes for failed is answered while a transaction may exist.

mod purchases;
mod refusals;

use super::unknown_ids::UNDER_WAY_FOR;
use crate::layers::body::Body;
use crate::settings::VtpassRequests;
use crate::testing::{RouteTestWorld, TestAnswer, bare, body, get, key_of};
use http::Request;
use http::header::{CONTENT_TYPE, HOST};
use serde_json::{Value, json};
use std::time::Duration;

const PAY: &str = "/vtpass/api/pay";
const REQUERY: &str = "/vtpass/api/requery";
const VERIFY: &str = "/vtpass/api/merchant-verify";
const REPORT: &str = "/payment/airtime/transaction?mrcReference=";

/// Codes after which clients of VTpass wait and query, instead of giving the money back.
const OPEN: [&str; 3] = ["014", "083", "099"];

async fn serving() -> RouteTestWorld {
    RouteTestWorld::with(|settings| settings.vtpass = VtpassRequests::Served).await
}

/// A POST of an account, with the headers of VTpass.
fn of(account: &str, path: &str, kind: &str, bytes: impl Into<bytes::Bytes>) -> Request<Body> {
    Request::builder()
        .method("POST")
        .uri(path)
        .header(HOST, "localhost")
        .header("api-key", account)
        .header("secret-key", key_of(account))
        .header(CONTENT_TYPE, kind)
        .body(body(bytes))
        .unwrap()
}

fn sent(path: &str, json: &Value) -> Request<Body> {
    of("shop", path, "application/json", json.to_string())
}

fn airtime(id: &str, phone: &str, amount: impl Into<Value>) -> Value {
    let amount: Value = amount.into();
    json!({"request_id": id, "serviceID": "mtn", "phone": phone, "amount": amount})
}

fn read(target: &str) -> Request<Body> {
    let request = Request::builder().uri(target).header(HOST, "localhost");
    let request = request.header("api-key", "shop");
    bare(request.header("public-key", key_of("shop")))
}

impl RouteTestWorld {
    async fn pays(&self, json: &Value) -> TestAnswer {
        self.send(sent(PAY, json)).await
    }

    async fn requeries(&self, id: &str) -> TestAnswer {
        self.send(sent(REQUERY, &json!({"request_id": id}))).await
    }

    /// Nothing was bought under an id, which is said once it cannot be under way any more.
    async fn finds_unused(&self, id: &str) {
        check(&self.requeries(id).await, 200, "083");
        let second = Duration::from_secs(1);
        self.clock
            .advance(UNDER_WAY_FOR.saturating_sub(second))
            .await;
        check(&self.requeries(id).await, 200, "083");
        self.clock.advance(second).await;
        check(&self.requeries(id).await, 200, "015");
        check(&self.requeries(id).await, 200, "015");
    }

    async fn balance(&self) -> Value {
        let read = self.send(get("/account/balance")).await;
        read.json["accBalance"].clone()
    }
}

#[track_caller]
fn check(answer: &TestAnswer, status: u16, code: &str) {
    assert_eq!(answer.status, status, "{}", answer.text);
    assert_eq!(answer.json["code"], code, "{}", answer.text);
    assert!(answer.json["response_description"].is_string());
}

fn word(answer: &TestAnswer) -> &Value {
    &answer.json["content"]["transactions"]["status"]
}
