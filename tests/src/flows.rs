//! Flows that calls run. The place of a flow in an order is taken by one of the account that the
//! order is of.

use crate::beforehand;
use crate::merchant::TestMerchant;
use crate::orders::FLOW;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

/// Flows by the credentials of their account.
static KEPT: LazyLock<Mutex<HashMap<String, String>>> = LazyLock::new(Mutex::default);

/// A question and a goodbye.
#[must_use]
pub fn flow() -> Value {
    json!({"flwName": "Confirmation", "steps": [
        {"stpName": "ask", "type": "speech", "content": "Press 1 to confirm.",
         "choices": [{"digit": "1", "stpNext": "thanks"}], "stpNext": "bye"},
        {"stpName": "thanks", "type": "speech", "content": "Thank you.", "stpNext": "bye"},
        {"stpName": "bye", "type": "speech", "content": "Goodbye."},
    ]})
}

/// A body in which a flow has taken its place.
#[must_use]
pub(crate) fn completed(merchant: &TestMerchant, body: String) -> String {
    if !body.contains(FLOW) {
        return body;
    }
    let whose = merchant.credentials().to_owned();
    let known = KEPT.lock().unwrap().get(&whose).cloned();
    // A server that was killed keeps none, and takes no order either.
    match known.or_else(|| keep(merchant, whose)) {
        Some(flow) => body.replace(FLOW, &flow),
        None => body,
    }
}

fn keep(merchant: &TestMerchant, whose: String) -> Option<String> {
    let answer = beforehand::post(merchant, "/messaging/flow", &flow())?;
    let made = (answer.status == 201).then(|| answer.json()["flwIdentifier"].to_string())?;
    KEPT.lock().unwrap().insert(whose, made.clone());
    Some(made)
}
