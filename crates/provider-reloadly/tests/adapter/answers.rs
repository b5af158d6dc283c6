//! Answers that are about something else, incomplete, or no answers at all, and callbacks: nothing
//! definite.

use crate::bench::{HOOK, bench};
use crate::fake::TopupFate;
use crate::rows::{attempt, read, replace, topup};
use domain::provider::{ProviderTransactionId, QueryOutcome, SubmitOutcome};
use hmac::{Hmac, KeyInit as _, Mac as _};
use ports::callbacks::{CallbackRefused, ProviderCallback};
use ports::provider::{AttemptQuery, Provider};
use serde_json::{Value, json};
use sha2::Sha256;
use std::fmt::Write as _;
use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;
use testkit::attempt::{of_query, of_submit};
use testkit::builders::{START, naira};
use testkit::http_server::ServedAnswer;

fn unknown(cause: &str) -> (String, String) {
    (format!("unknown {cause}"), "unknown".to_owned())
}

#[tokio::test]
async fn an_answer_that_names_another_attempt_or_number_is_unknown() {
    let bench = bench().await;
    let sent = attempt(&bench);
    for word in ["SUCCESSFUL", "FAILED", "REFUNDED", "PROCESSING"] {
        for (field, other) in [
            (
                "customIdentifier",
                json!("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
            ),
            ("customIdentifier", Value::Null),
            ("recipientPhone", json!("2348039999999")),
            ("recipientPhone", json!(2_348_039_999_999_u64)),
        ] {
            let mut answer = topup(&sent);
            answer["status"] = json!(word);
            answer[field] = other;
            replace(&bench, &answer);
            let read = read(&bench, &sent).await;
            assert_eq!(read, unknown("Unreadable"), "{field} {word}");
        }
    }
}

#[tokio::test]
async fn a_credit_must_say_how_much_in_naira() {
    let bench = bench().await;
    let sent = attempt(&bench);
    for (field, wrong) in [
        ("deliveredAmount", Value::Null),
        ("deliveredAmount", json!(-1)),
        ("deliveredAmount", json!("1000")),
        ("deliveredAmountCurrencyCode", json!("USD")),
        ("deliveredAmountCurrencyCode", Value::Null),
    ] {
        let mut answer = topup(&sent);
        answer[field] = wrong.clone();
        replace(&bench, &answer);
        assert_eq!(
            read(&bench, &sent).await,
            unknown("Unreadable"),
            "{field} {wrong}"
        );
    }
    for (written, amount, matches) in [
        (json!(999.998_5), "1,000.00", true),
        (json!(999.99), "999.99", false),
        (json!(100), "100.00", false),
    ] {
        let mut answer = topup(&sent);
        answer["deliveredAmount"] = written;
        replace(&bench, &answer);
        let SubmitOutcome::Delivered(receipt) = bench.submit(&sent).await.outcome else {
            panic!("{answer}");
        };
        assert_eq!(receipt.amount, naira(amount));
        assert_eq!(receipt.matches(&sent.reference, &sent.order), matches);
    }
}

#[tokio::test]
async fn details_come_with_answers_that_are_not_definite_too() {
    let bench = bench().await;
    let sent = attempt(&bench);
    for word in ["SUCCESSFUL", "PROCESSING", "OTHER"] {
        let mut answer = topup(&sent);
        answer["status"] = json!(word);
        replace(&bench, &answer);
        for details in [
            bench.submit(&sent).await.details,
            bench.query(&sent).await.details,
        ] {
            assert_eq!(details.id, ProviderTransactionId::parse("7"), "{word}");
            assert_eq!(details.cost, Some(naira("970.00")), "{word}");
        }
    }
}

#[tokio::test]
async fn what_is_no_answer_of_the_interface_is_unknown() {
    let bench = bench().await;
    let sent = attempt(&bench);
    let yes = topup(&sent).to_string();
    let cut = yes[..yes.len() - 2].to_owned();
    let twice = yes.replacen('{', r#"{"status":"FAILED","#, 1);
    for body in [
        "<html>502</html>",
        "",
        "[]",
        "null",
        "{}",
        "[[]]",
        &cut,
        &twice,
    ] {
        for (status, cause) in [(200, "Unreadable"), (400, "Unlisted"), (502, "ServerError")] {
            let answer = ServedAnswer::Json(status, body.to_owned());
            bench.fake.replace("POST /topups", answer);
            let report = format!(r#"{{"content":[{body}]}}"#);
            let report = if body.is_empty() {
                body.to_owned()
            } else {
                report
            };
            let report = ServedAnswer::Json(status, report);
            bench
                .fake
                .replace("GET /topups/reports/transactions", report);
            assert_eq!(read(&bench, &sent).await, unknown(cause), "{status} {body}");
        }
    }
}

#[tokio::test]
async fn not_found_is_an_empty_report_and_two_top_ups_are_unknown() {
    let bench = bench().await;
    let sent = attempt(&bench);
    let yes = topup(&sent);
    let empty = json!({"content": []}).to_string();
    for (answer, expected) in [
        (ServedAnswer::Json(200, empty.clone()), "not found"),
        (ServedAnswer::Json(404, empty.clone()), "unknown"),
        (ServedAnswer::Json(500, empty), "unknown"),
        (ServedAnswer::Json(200, "{}".into()), "unknown"),
        (
            ServedAnswer::Json(200, json!({"content": [yes, yes]}).to_string()),
            "unknown",
        ),
        (ServedAnswer::Page(200, "<html></html>".into()), "unknown"),
        (ServedAnswer::Broken, "unknown"),
    ] {
        bench
            .fake
            .replace("GET /topups/reports/transactions", answer.clone());
        let found = bench.query(&sent).await.outcome;
        assert_eq!(of_query(&found), expected, "{answer:?}");
    }
}

#[tokio::test]
async fn a_failure_is_final_only_after_half_an_hour() {
    let bench = bench().await;
    let sent = bench.attempt("shop.order-7.1", bench.order_with(TopupFate::Failed));
    assert_eq!(of_submit(&bench.submit(&sent).await.outcome), "pending");
    bench.clock.advance(Duration::from_mins(29)).await;
    assert_eq!(of_query(&bench.query(&sent).await.outcome), "pending");
    bench.clock.advance(Duration::from_mins(2)).await;
    assert_eq!(
        of_query(&bench.query(&sent).await.outcome),
        "declined Order"
    );
    // When it was recorded is not known of what only the provider knows.
    let asked = AttemptQuery::by(&sent.reference);
    let found = bench.provider.query(&asked).await.outcome;
    assert_eq!(found, QueryOutcome::Unknown);
}

#[tokio::test]
async fn by_the_providers_identity_a_status_is_asked_for() {
    let bench = bench().await;
    let sent = bench.attempt("shop.order-7.1", bench.order_with(TopupFate::TakenBack));
    let id = bench.submit(&sent).await.details.id.unwrap();
    let asked = AttemptQuery {
        id: Some(&id),
        order: Some(&sent.order),
        started_at: Some(sent.started_at),
        ..AttemptQuery::by(&sent.reference)
    };
    let found = bench.provider.query(&asked).await.outcome;
    assert_eq!(of_query(&found), "delivered");
    // A refund comes without the transaction.
    bench.fake.let_time_pass();
    let found = bench.provider.query(&asked).await.outcome;
    assert_eq!(of_query(&found), "reversed");
    let path = format!("GET /topups/{}/status", id.as_str());
    for (body, expected) in [
        (
            json!({"status": "PROCESSING", "transaction": null}),
            "pending",
        ),
        (
            json!({"status": "SUCCESSFUL", "transaction": null}),
            "unknown",
        ),
        (json!({"status": "FAILED", "transaction": null}), "unknown"),
        (json!({"status": "OTHER", "transaction": null}), "unknown"),
        (
            json!({"status": "REFUNDED", "transaction": {"customIdentifier": "other"}}),
            "unknown",
        ),
    ] {
        bench
            .fake
            .replace(&path, ServedAnswer::Json(200, body.to_string()));
        let found = bench.provider.query(&asked).await.outcome;
        assert_eq!(of_query(&found), expected, "{body}");
    }
    // A wrong path is answered so as well.
    let missing = json!({"status": 404, "error": "Not Found"}).to_string();
    bench.fake.replace(&path, ServedAnswer::Json(404, missing));
    let found = bench.provider.query(&asked).await.outcome;
    assert_eq!(found, QueryOutcome::Unknown);
}

#[tokio::test]
async fn of_an_attempt_without_its_order_the_amount_is_known() {
    let bench = bench().await;
    let sent = attempt(&bench);
    replace(&bench, &topup(&sent));
    let asked = AttemptQuery::by(&sent.reference);
    let found = bench.provider.query(&asked).await.outcome;
    let QueryOutcome::Delivered(receipt) = found else {
        panic!("{found:?}");
    };
    assert_eq!(receipt.reference, sent.reference);
    assert_eq!(receipt.amount, sent.order.amount());
}

fn signature(body: &str, time: &str, key: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(key.as_bytes()).unwrap();
    mac.update(format!("{body}:{time}").as_bytes());
    let bytes = mac.finalize().into_bytes();
    bytes.iter().fold(String::new(), |mut hex, byte| {
        write!(hex, "{byte:02x}").unwrap();
        hex
    })
}

#[tokio::test]
async fn a_callback_is_signed_and_names_an_attempt() {
    let bench = bench().await;
    let sent = attempt(&bench);
    bench.submit(&sent).await;
    let read = |body: &str, time: &str, signed: &str| {
        let headers: [(&str, &[u8]); 2] = [
            ("x-reloadly-signature", signed.as_bytes()),
            ("x-reloadly-request-timestamp", time.as_bytes()),
        ];
        let callback = ProviderCallback {
            headers: &headers,
            body: body.as_bytes(),
            source: IpAddr::V4(Ipv4Addr::LOCALHOST),
            received_at: START,
        };
        let read = bench.provider.callbacks().unwrap().read(&callback)?;
        let read = read.into_attempts();
        Ok(read
            .into_iter()
            .map(|hint| hint.reference)
            .collect::<Vec<_>>())
    };
    let good = |body: &str| read(body, "1", &signature(body, "1", HOOK));
    let event = bench.fake.event(sent.reference.as_str());
    assert_eq!(good(&event), Ok(vec![sent.reference.clone()]));
    let bare = json!({"type": "airtime_transaction.status",
        "data": {"customIdentifier": sent.reference.as_str()}});
    assert_eq!(good(&bare.to_string()), Ok(vec![sent.reference.clone()]));
    let other = event.replace(sent.reference.as_str(), "order-7");
    assert_eq!(good(&other), Ok(vec![]));
    let gift = event.replace("airtime_transaction", "giftcard_transaction");
    assert_eq!(good(&gift), Ok(vec![]));
    for body in [
        "",
        "[]",
        "{}",
        r#"{"type":"airtime_transaction.status","data":7}"#,
    ] {
        assert_eq!(good(body), Err(CallbackRefused::Unreadable), "{body}");
    }
    let forged = Err(CallbackRefused::NotAuthentic);
    assert_eq!(read(&event, "2", &signature(&event, "1", HOOK)), forged);
    assert_eq!(read(&event, "1", &signature(&event, "1", "other")), forged);
    assert_eq!(read(&event, "1", ""), forged);
}
