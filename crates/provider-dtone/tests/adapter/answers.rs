//! Answers that are about something else, incomplete, or no answers at all, and callbacks: nothing
//! definite.

use crate::bench::{bench, plan_for};
use crate::fake::FIXED;
use crate::rows::{attempt, read, replace, transaction};
use domain::provider::{ProviderTransactionId, QueryOutcome, SubmitOutcome};
use ports::callbacks::{CallbackRefused, ProviderCallback};
use ports::provider::{AttemptQuery, Provider};
use serde_json::{Value, json};
use std::net::{IpAddr, Ipv4Addr};
use testkit::attempt::{of_query, of_submit};
use testkit::builders::{START, naira};
use testkit::http_server::ServedAnswer;

fn unknown(cause: &str) -> (String, String) {
    (format!("unknown {cause}"), "unknown".to_owned())
}

#[tokio::test]
async fn an_answer_that_names_another_attempt_number_or_product_is_unknown() {
    let bench = bench().await;
    let sent = attempt(&bench);
    for (id, class) in [
        (7, "COMPLETED"),
        (9, "DECLINED"),
        (8, "REVERSED"),
        (5, "SUBMITTED"),
    ] {
        for (pointer, other) in [
            ("/external_id", json!("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")),
            ("/external_id", Value::Null),
            (
                "/credit_party_identifier/mobile_number",
                json!("+2348039999999"),
            ),
            ("/product/id", json!(FIXED)),
        ] {
            let mut answer = transaction(&sent);
            answer["status"]["class"] = json!({"id": id, "message": class});
            *answer.pointer_mut(pointer).unwrap() = other;
            replace(&bench, &answer);
            let read = read(&bench, &sent).await;
            assert_eq!(read, unknown("Unreadable"), "{pointer} {class}");
            assert!(bench.query(&sent).await.details.is_empty());
        }
    }
}

#[tokio::test]
async fn a_delivery_must_say_how_much_and_of_what() {
    let bench = bench().await;
    let sent = attempt(&bench);
    for (pointer, wrong) in [
        ("/requested_values", Value::Null),
        ("/requested_values/destination", Value::Null),
        ("/requested_values/destination/amount", json!(-1)),
        ("/requested_values/destination/amount", json!("x")),
        ("/requested_values/destination/amount", json!(1_000.005)),
        ("/requested_values/destination/unit", json!("GHS")),
        (
            "/adjusted_values/destination",
            json!({"unit": "USD", "amount": 1_000}),
        ),
        ("/status", Value::Null),
        ("/pin", json!({"code": "1234", "serial": "1"})),
    ] {
        let mut answer = transaction(&sent);
        *answer.pointer_mut(pointer).unwrap() = wrong.clone();
        replace(&bench, &answer);
        let read = read(&bench, &sent).await;
        assert_eq!(read, unknown("Unreadable"), "{pointer} {wrong}");
    }
}

#[tokio::test]
async fn another_amount_is_handed_on_for_the_core_to_review() {
    let bench = bench().await;
    let sent = attempt(&bench);
    for pointer in [
        "/requested_values/destination",
        "/adjusted_values/destination",
    ] {
        let mut answer = transaction(&sent);
        *answer.pointer_mut(pointer).unwrap() = json!({"unit": "NGN", "amount": 999.99});
        replace(&bench, &answer);
        let (submitted, found) = (bench.submit(&sent).await, bench.query(&sent).await);
        let (SubmitOutcome::Delivered(said), QueryOutcome::Delivered(asked)) =
            (submitted.outcome, found.outcome)
        else {
            panic!("{answer}");
        };
        assert_eq!(said.amount, naira("999.99"), "{pointer}");
        assert!(!said.matches(&sent.reference, &sent.order));
        assert_eq!(said, asked);
    }
}

#[tokio::test]
async fn a_product_of_one_value_is_known_by_its_number() {
    let bench = bench().await;
    let sent = bench.attempt("shop.order-7.1", plan_for("2348031234567"));
    let mut answer = transaction(&sent);
    answer["product"]["id"] = json!(FIXED);
    answer["requested_values"] = Value::Null;
    replace(&bench, &answer);
    let both = ("delivered".to_owned(), "delivered".to_owned());
    assert_eq!(read(&bench, &sent).await, both);
    answer["product"] = Value::Null;
    replace(&bench, &answer);
    assert_eq!(read(&bench, &sent).await, unknown("Unreadable"));
}

#[tokio::test]
async fn details_come_with_answers_that_are_not_definite_too() {
    let bench = bench().await;
    let sent = attempt(&bench);
    for (id, class) in [(7, "COMPLETED"), (5, "SUBMITTED"), (6, "OTHER")] {
        let mut answer = transaction(&sent);
        answer["status"]["class"] = json!({"id": id, "message": class});
        replace(&bench, &answer);
        for details in [
            bench.submit(&sent).await.details,
            bench.query(&sent).await.details,
        ] {
            assert_eq!(details.id, ProviderTransactionId::parse("42"), "{class}");
            assert_eq!(details.cost, Some(naira("970.00")), "{class}");
        }
    }
}

#[tokio::test]
async fn what_is_no_answer_of_the_interface_is_unknown() {
    let bench = bench().await;
    let sent = attempt(&bench);
    let yes = transaction(&sent).to_string();
    let cut = yes[..yes.len() - 2].to_owned();
    let twice = yes.replacen('{', r#"{"external_id":"x","#, 1);
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
        for (status, cause) in [
            (200, "Unreadable"),
            (404, "Unlisted"),
            (400, "Unlisted"),
            (301, "Unlisted"),
            (503, "ServerError"),
        ] {
            let answer = ServedAnswer::Json(status, body.to_owned());
            bench.fake.replace("POST /async/transactions", answer);
            let list = ServedAnswer::Json(status, format!("[{body},{body}]"));
            bench.fake.replace("GET /transactions", list);
            let read = read(&bench, &sent).await;
            assert_eq!(read, unknown(cause), "{status} {body}");
        }
    }
}

#[tokio::test]
async fn not_found_is_an_empty_list_and_two_transactions_are_unknown() {
    let bench = bench().await;
    let sent = attempt(&bench);
    let yes = transaction(&sent);
    for (answer, expected) in [
        (ServedAnswer::Json(200, "[]".into()), "not found"),
        (ServedAnswer::Json(404, "[]".into()), "unknown"),
        (ServedAnswer::Json(500, "[]".into()), "unknown"),
        (ServedAnswer::Page(200, "<html></html>".into()), "unknown"),
        (
            ServedAnswer::Json(200, json!([yes, yes]).to_string()),
            "unknown",
        ),
        (ServedAnswer::Json(200, yes.to_string()), "unknown"),
        (
            ServedAnswer::Json(404, json!({"errors": [{"code": 1_008_004}]}).to_string()),
            "unknown",
        ),
        (ServedAnswer::Broken, "unknown"),
    ] {
        bench.fake.replace("GET /transactions", answer.clone());
        let found = bench.query(&sent).await.outcome;
        assert_eq!(of_query(&found), expected, "{answer:?}");
    }
}

#[tokio::test]
async fn several_errors_are_believed_only_where_all_are_listed() {
    let bench = bench().await;
    let sent = attempt(&bench);
    for (codes, expected) in [
        (vec![1_006_001, 1_003_002], "declined Account"),
        (vec![1_006_001, 1_007_001], "unknown DuplicateReference"),
        (vec![1_006_001, 1_999_999], "unknown Unlisted"),
        (vec![], "unknown Unlisted"),
    ] {
        let errors: Vec<_> = codes.iter().map(|code| json!({"code": code})).collect();
        let body = json!({"errors": errors}).to_string();
        bench
            .fake
            .replace("POST /async/transactions", ServedAnswer::Json(400, body));
        let submitted = bench.submit(&sent).await.outcome;
        assert_eq!(of_submit(&submitted), expected, "{codes:?}");
    }
}

#[tokio::test]
async fn of_an_attempt_without_its_order_the_amount_is_known() {
    let bench = bench().await;
    let sent = attempt(&bench);
    replace(&bench, &transaction(&sent));
    let asked = AttemptQuery::by(&sent.reference);
    let found = bench.provider.query(&asked).await.outcome;
    let QueryOutcome::Delivered(receipt) = found else {
        panic!("{found:?}");
    };
    assert_eq!(receipt.reference, sent.reference);
    assert_eq!(receipt.amount, sent.order.amount());
}

#[tokio::test]
async fn a_callback_names_an_attempt_whatever_it_says_of_it() {
    let bench = bench().await;
    let sent = attempt(&bench);
    bench.submit(&sent).await;
    let read = |body: &str| {
        let callback = ProviderCallback {
            headers: &[],
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
    let body = bench.fake.callback(sent.reference.as_str());
    assert_eq!(read(&body), Ok(vec![sent.reference.clone()]));
    assert_eq!(read(r#"{"external_id":"order-7"}"#), Ok(vec![]));
    for body in ["", "[]", "{}", "<html></html>", r#"{"external_id":7}"#] {
        assert_eq!(read(body), Err(CallbackRefused::Unreadable), "{body}");
    }
}
