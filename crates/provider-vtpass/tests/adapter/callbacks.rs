//! Callbacks: which attempt they are about, and nothing else.

use crate::bench::VtpassBench;
use ports::callbacks::{CallbackRefused, ProviderCallback};
use ports::provider::Provider;
use provider_vtpass::ConfirmRefusals;
use serde_json::json;
use std::net::{IpAddr, Ipv4Addr};
use testkit::builders::START;

const OURS: &str = "202601151000tejhlv4b6oorh4mth5eh";

async fn read(body: &str) -> Result<Vec<String>, CallbackRefused> {
    let bench = VtpassBench::with(ConfirmRefusals::Yes).await;
    let callback = ProviderCallback {
        headers: &[],
        body: body.as_bytes(),
        source: IpAddr::V4(Ipv4Addr::LOCALHOST),
        received_at: START,
    };
    let read = bench.provider.callbacks().unwrap().read(&callback)?;
    let named = read
        .into_attempts()
        .into_iter()
        .map(|hint| hint.reference.to_string());
    Ok(named.collect())
}

#[tokio::test]
async fn a_callback_names_an_attempt_whatever_it_says_of_it() {
    for (code, word) in [("000", "delivered"), ("040", "reversed"), ("016", "failed")] {
        let body = json!({"type": "transaction-update", "data": {"code": code, "requestId": OURS,
                          "content": {"transactions": {"status": word}}}});
        assert_eq!(read(&body.to_string()).await, Ok(vec![OURS.to_owned()]));
    }
}

#[tokio::test]
async fn what_is_about_no_attempt_of_ours_names_none() {
    for body in [
        json!({"type": "variations-update", "serviceID": ["mtn-data"]}),
        json!({"type": "transaction-update", "data": {"requestId": "shop.order-7.1"}}),
        json!({"type": "transaction-update", "data": {"requestId": "2026011510001234"}}),
    ] {
        assert_eq!(read(&body.to_string()).await, Ok(vec![]), "{body}");
    }
    for body in [
        "",
        "<html></html>",
        "[]",
        "{}",
        r#"{"type":"transaction-update"}"#,
        r#"{"type":"transaction-update","data":{}}"#,
    ] {
        assert_eq!(read(body).await, Err(CallbackRefused::Unreadable), "{body}");
    }
}

#[tokio::test]
async fn the_answer_is_the_one_that_ends_the_repetitions() {
    let bench = VtpassBench::with(ConfirmRefusals::Yes).await;
    let answer = bench.provider.callbacks().unwrap().answer();
    assert_eq!(answer.body, r#"{"response":"success"}"#);
    assert_eq!(answer.content_type, "application/json");
}
