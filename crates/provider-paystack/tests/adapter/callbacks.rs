//! Callbacks: whether they are signed, which attempt they are about, and nothing else.

use crate::bench::bench;
use crate::fake::{SECRET_KEY, TransferFate};
use hmac::{Hmac, KeyInit as _, Mac as _};
use ports::callbacks::{CallbackRefused, ProviderCallback};
use ports::provider::Provider;
use serde_json::json;
use sha2::Sha512;
use std::fmt::Write as _;
use std::net::{IpAddr, Ipv4Addr};
use testkit::builders::START;

const OURS: &str = "mnl-tejhlv4b6oorh4mth5ehd4c6loedhbbg";

fn signature(body: &str, key: &str) -> String {
    let mut mac = Hmac::<Sha512>::new_from_slice(key.as_bytes()).unwrap();
    mac.update(body.as_bytes());
    let bytes = mac.finalize().into_bytes();
    bytes.iter().fold(String::new(), |mut hex, byte| {
        write!(hex, "{byte:02x}").unwrap();
        hex
    })
}

async fn read(body: &str, headers: &[(&str, &[u8])]) -> Result<Vec<String>, CallbackRefused> {
    let bench = bench().await;
    let callback = ProviderCallback {
        headers,
        body: body.as_bytes(),
        source: IpAddr::V4(Ipv4Addr::LOCALHOST),
        received_at: START,
    };
    let read = bench.provider.callbacks().unwrap().read(&callback)?;
    let read = read.into_attempts();
    Ok(read
        .into_iter()
        .map(|hint| hint.reference.to_string())
        .collect())
}

async fn signed(body: &str) -> Result<Vec<String>, CallbackRefused> {
    let signature = signature(body, SECRET_KEY);
    read(body, &[("x-paystack-signature", signature.as_bytes())]).await
}

#[tokio::test]
async fn a_callback_names_an_attempt_whatever_it_says_of_it() {
    for event in ["transfer.success", "transfer.failed", "transfer.reversed"] {
        // The bytes count, blanks and all.
        let body = format!(r#"{{ "event": "{event}",  "data": {{"reference":"{OURS}"}} }}"#);
        assert_eq!(signed(&body).await, Ok(vec![OURS.to_owned()]), "{event}");
    }
}

#[tokio::test]
async fn the_event_of_a_transfer_names_it() {
    let bench = bench().await;
    let sent = bench.attempt("shop.order-7.1", bench.order_with(TransferFate::Paid));
    bench.submit(&sent).await;
    let event = bench.fake.event(sent.reference.as_str());
    assert_eq!(signed(&event).await, Ok(vec![OURS.to_owned()]), "{event}");
}

#[tokio::test]
async fn what_is_not_signed_with_our_key_is_not_read() {
    let body = json!({"event": "transfer.success", "data": {"reference": OURS}}).to_string();
    let good = signature(&body, SECRET_KEY);
    let refused = Err(CallbackRefused::NotAuthentic);
    let name = "x-paystack-signature";
    assert_eq!(read(&body, &[]).await, refused);
    let other = signature(&body, "sk_test_another");
    let of_other_bytes = signature(&body.replace("success", "failed"), SECRET_KEY);
    for wrong in ["", "00", &good[2..], &other, &of_other_bytes] {
        assert_eq!(
            read(&body, &[(name, wrong.as_bytes())]).await,
            refused,
            "{wrong}"
        );
    }
    let twice = [(name, good.as_bytes()), (name, good.as_bytes())];
    assert_eq!(read(&body, &twice).await, refused);
}

#[tokio::test]
async fn what_is_about_no_attempt_of_ours_names_none() {
    for body in [
        json!({"event": "charge.success", "data": {"reference": OURS}}),
        json!({"event": "transfer.success", "data": {"reference": "payroll_2026_01_15"}}),
        json!({"event": "transfer.success", "data": {"transfer_code": "TRF_1"}}),
    ] {
        assert_eq!(signed(&body.to_string()).await, Ok(vec![]), "{body}");
    }
    for body in [
        "",
        "<html></html>",
        "[]",
        "{}",
        r#"{"event":"transfer.success"}"#,
    ] {
        assert_eq!(
            signed(body).await,
            Err(CallbackRefused::Unreadable),
            "{body}"
        );
    }
}
