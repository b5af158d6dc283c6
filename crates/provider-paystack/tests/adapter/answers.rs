//! Answers that are about something else, incomplete, or no answers at all: nothing definite.

use crate::bench::bench;
use crate::fake::TransferFate;
use crate::rows::{attempt, read, replace, transfer};
use domain::provider::{ProviderTransactionId, QueryOutcome, SubmitOutcome};
use ports::provider::{AttemptQuery, Provider};
use serde_json::{Value, json};
use testkit::attempt::{of_query, of_submit};
use testkit::builders::naira;
use testkit::http_server::ServedAnswer;

fn unknown(cause: &str) -> (String, String) {
    (format!("unknown {cause}"), "unknown".to_owned())
}

#[tokio::test]
async fn an_answer_that_names_another_attempt_or_account_is_unknown() {
    let bench = bench().await;
    let sent = attempt(&bench);
    for word in ["success", "failed", "reversed", "pending"] {
        for (pointer, other) in [
            (
                "/data/reference",
                json!("mnl-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
            ),
            (
                "/data/reference",
                json!(sent.reference.as_str().to_uppercase()),
            ),
            ("/data/reference", Value::Null),
            (
                "/data/recipient/details/account_number",
                json!("0199999999"),
            ),
        ] {
            let mut answer = transfer(&sent);
            answer["data"]["status"] = json!(word);
            *answer.pointer_mut(pointer).unwrap() = other;
            replace(&bench, &sent, &ServedAnswer::Json(200, answer.to_string()));
            let read = read(&bench, &sent).await;
            assert_eq!(read, unknown("Unreadable"), "{pointer} {word}");
            assert!(bench.query(&sent).await.details.is_empty());
        }
    }
}

#[tokio::test]
async fn a_payout_must_say_how_much_and_in_which_currency() {
    let bench = bench().await;
    let sent = attempt(&bench);
    for (field, wrong) in [
        ("amount", Value::Null),
        ("amount", json!(-2_000_000)),
        ("amount", json!("2000000")),
        ("amount", json!(2_000_000.5)),
        ("currency", Value::Null),
        ("currency", json!("GHS")),
    ] {
        let mut answer = transfer(&sent);
        answer["data"][field] = wrong.clone();
        replace(&bench, &sent, &ServedAnswer::Json(200, answer.to_string()));
        let read = read(&bench, &sent).await;
        assert_eq!(read, unknown("Unreadable"), "{field} {wrong}");
    }
}

#[tokio::test]
async fn another_amount_is_handed_on_for_the_core_to_review() {
    let bench = bench().await;
    let sent = attempt(&bench);
    let mut answer = transfer(&sent);
    answer["data"]["amount"] = json!(1_999_999);
    replace(&bench, &sent, &ServedAnswer::Json(200, answer.to_string()));
    let (submitted, found) = (bench.submit(&sent).await, bench.query(&sent).await);
    let (SubmitOutcome::Delivered(said), QueryOutcome::Delivered(asked)) =
        (submitted.outcome, found.outcome)
    else {
        panic!("{answer}");
    };
    assert_eq!(said.amount.minor(), 1_999_999);
    assert!(!said.matches(&sent.reference, &sent.order));
    assert_eq!(said, asked);
}

#[tokio::test]
async fn the_identity_comes_with_every_answer_and_the_cost_with_what_was_paid() {
    let bench = bench().await;
    let sent = attempt(&bench);
    for (word, cost) in [
        ("success", Some(naira("20,025.00"))),
        ("pending", None),
        ("failed", None),
        ("queued", None),
    ] {
        let mut answer = transfer(&sent);
        answer["data"]["status"] = json!(word);
        replace(&bench, &sent, &ServedAnswer::Json(200, answer.to_string()));
        for details in [
            bench.submit(&sent).await.details,
            bench.query(&sent).await.details,
        ] {
            assert_eq!(details.id, ProviderTransactionId::parse("TRF_1"), "{word}");
            assert_eq!(details.cost, cost, "{word}");
        }
    }
}

#[tokio::test]
async fn what_is_no_answer_of_the_interface_is_unknown() {
    let bench = bench().await;
    let sent = attempt(&bench);
    let yes = transfer(&sent).to_string();
    let cut = yes[..yes.len() - 2].to_owned();
    let twice = yes.replacen("\"reference\"", "\"status\":\"failed\",\"reference\"", 1);
    let unwrapped = yes.replacen("\"status\":true", "\"status\":false", 1);
    for body in [
        "<html>502</html>",
        "upstream connect error",
        "",
        "[]",
        "null",
        "{}",
        r#"{"status":true}"#,
        r#"{"status":true,"data":[]}"#,
        r#"{"status":false,"message":"Transfer not found"}"#,
        &cut,
        &twice,
        &unwrapped,
        &format!("{yes}{yes}"),
    ] {
        replace(&bench, &sent, &ServedAnswer::Json(200, body.to_owned()));
        let read = read(&bench, &sent).await;
        assert_eq!(read, unknown("Unreadable"), "{body}");
    }
}

#[tokio::test]
async fn a_status_counts_before_what_the_body_says() {
    let bench = bench().await;
    let sent = attempt(&bench);
    let yes = transfer(&sent).to_string();
    let no = json!({"status": false, "code": "insufficient_balance", "message": "no"}).to_string();
    for (status, cause) in [
        (500, "ServerError"),
        (502, "ServerError"),
        (504, "ServerError"),
        (301, "Unlisted"),
        (409, "Unlisted"),
        (422, "Unlisted"),
        (429, "Unlisted"),
    ] {
        for body in [&yes, &no] {
            replace(&bench, &sent, &ServedAnswer::Json(status, body.clone()));
            assert_eq!(read(&bench, &sent).await, unknown(cause), "{status} {body}");
        }
        replace(
            &bench,
            &sent,
            &ServedAnswer::Page(status, "<html></html>".into()),
        );
        assert_eq!(read(&bench, &sent).await, unknown(cause), "{status} page");
    }
    // A refusal is believed of a listed code alone, and of no body that also says yes.
    let other = json!({"status": false, "code": "other", "message": "Not yet"}).to_string();
    let both = json!({"status": true, "code": "insufficient_balance"}).to_string();
    for body in [&other, &both, &yes] {
        replace(&bench, &sent, &ServedAnswer::Json(400, body.clone()));
        assert_eq!(read(&bench, &sent).await, unknown("Unlisted"), "{body}");
    }
    // A page of the provider's doorkeeper is no refusal of our key.
    for status in [401, 403] {
        replace(
            &bench,
            &sent,
            &ServedAnswer::Page(status, "<html></html>".into()),
        );
        assert_eq!(read(&bench, &sent).await, unknown("Unlisted"), "{status}");
        replace(&bench, &sent, &ServedAnswer::Json(status, no.clone()));
        let refused = ("declined Account".to_owned(), "unknown".to_owned());
        assert_eq!(read(&bench, &sent).await, refused, "{status}");
    }
}

#[tokio::test]
async fn not_found_is_a_404_that_says_so_in_json() {
    let bench = bench().await;
    let sent = attempt(&bench);
    let missing = json!({"status": false, "message": "Transfer not found"}).to_string();
    for (answer, expected) in [
        (ServedAnswer::Json(404, missing.clone()), "not found"),
        (ServedAnswer::Json(400, missing), "unknown"),
        (ServedAnswer::Json(404, "{}".into()), "unknown"),
        (
            ServedAnswer::Json(404, transfer(&sent).to_string()),
            "unknown",
        ),
        (ServedAnswer::Page(404, "<html></html>".into()), "unknown"),
        (ServedAnswer::Broken, "unknown"),
    ] {
        replace(&bench, &sent, &answer);
        let found = bench.query(&sent).await.outcome;
        assert_eq!(of_query(&found), expected, "{answer:?}");
    }
}

/// Nothing but payouts is sent, so what only the provider knows is one.
#[tokio::test]
async fn an_attempt_that_only_the_provider_knows_is_found() {
    let bench = bench().await;
    let sent = attempt(&bench);
    assert_eq!(of_submit(&bench.submit(&sent).await.outcome), "delivered");
    let asked = AttemptQuery::by(&sent.reference);
    let found = bench.provider.query(&asked).await.outcome;
    let QueryOutcome::Delivered(receipt) = found else {
        panic!("{found:?}");
    };
    assert!(receipt.matches(&sent.reference, &sent.order));
    let book = bench.fake.book();
    let transfer = &book.transfers[sent.reference.as_str()];
    assert!(transfer.goes_to(sent.order.digits()));
}

#[tokio::test]
async fn a_transfer_that_fails_is_refused_by_the_query_that_confirms_it() {
    let bench = bench().await;
    let sent = bench.attempt("shop.order-7.1", bench.order_with(TransferFate::Failed));
    assert_eq!(of_submit(&bench.submit(&sent).await.outcome), "pending");
    assert_eq!(
        of_query(&bench.query(&sent).await.outcome),
        "declined Order"
    );
    assert_eq!(bench.fake.payouts(sent.reference.as_str()), 0);
}

#[tokio::test]
async fn a_one_time_password_is_waited_for() {
    let bench = bench().await;
    let sent = bench.attempt("shop.order-7.1", bench.order_with(TransferFate::Otp));
    assert_eq!(of_submit(&bench.submit(&sent).await.outcome), "pending");
    assert_eq!(of_query(&bench.query(&sent).await.outcome), "pending");
}
