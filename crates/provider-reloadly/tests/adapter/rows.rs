//! Every row of the table of answers, over the socket, against what the provider's pages say. This
//! copy is written by hand: a change of the table must be made twice.

use crate::bench::{ReloadlyBench, bench};
use crate::fake::TopupFate;
use domain::provider::Submission;
use provider_reloadly::ReloadlyAnswers;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use testkit::attempt::{of_query, of_submit};
use testkit::http_server::ServedAnswer;

/// Status, answer to a submission, answer to a query of an attempt that is new.
const STATUSES: [(&str, &str, &str); 4] = [
    ("SUCCESSFUL", "delivered", "delivered"),
    ("PROCESSING", "pending", "pending"),
    ("FAILED", "pending", "pending"),
    ("REFUNDED", "pending", "reversed"),
];

const ERRORS: [(&str, &str); 27] = [
    ("ACCOUNT_NOT_FOUND", "declined Account"),
    ("COULD_NOT_AUTO_DETECT_OPERATOR", "declined Order"),
    ("COUNTRY_NOT_SUPPORTED", "declined Account"),
    (
        "CUSTOM_IDENTIFIER_ALREADY_USED",
        "unknown DuplicateReference",
    ),
    ("IMPOSSIBLE_AMOUNT", "declined Order"),
    ("INACTIVE_ACCOUNT", "declined Account"),
    ("INSUFFICIENT_BALANCE", "declined Account"),
    ("INVALID_AMOUNT", "declined Order"),
    ("INVALID_AMOUNT_FOR_OPERATOR", "declined Order"),
    ("INVALID_AMOUNT_FOR_RECIPIENT_PHONE", "declined Order"),
    ("INVALID_INPUT_PROVIDED", "declined Account"),
    ("INVALID_PHONE_NUMBER", "declined Order"),
    ("INVALID_RECIPIENT_PHONE", "declined Order"),
    ("INVALID_SENDER_PHONE", "declined Order"),
    ("INVALID_TOKEN", "declined Account"),
    ("MAX_DAILY_TRANSACTION_AMOUNT_REACHED", "declined Account"),
    ("MAX_DAILY_TRANSACTION_COUNT_REACHED", "declined Account"),
    ("OPERATOR_NOT_FOUND", "declined Account"),
    ("OPERATOR_NOT_IN_SERVICE", "declined Moment"),
    (
        "OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE",
        "declined Moment",
    ),
    ("PHONE_BANNED_BY_OPERATOR", "declined Order"),
    ("PHONE_RECENTLY_RECHARGED", "declined Lookalike"),
    ("RECIPIENT_PHONE_INACTIVE", "declined Order"),
    ("RECIPIENT_REACHED_MAX_TOPUP_NUMBER", "declined Order"),
    ("TOKEN_EXPIRED", "declined Moment"),
    ("TRANSACTION_REFUSED_BY_OPERATOR", "declined Order"),
    ("TRANSACTION_REJECTED_BY_OPERATOR", "declined Order"),
];

/// A top-up as it is answered; a test changes what it says.
pub(crate) fn topup(sent: &Submission) -> Value {
    json!({"transactionId": 7, "status": "SUCCESSFUL",
        "customIdentifier": sent.reference.as_str(), "recipientPhone": sent.order.digits(),
        "deliveredAmount": 1_000, "deliveredAmountCurrencyCode": "NGN",
        "balanceInfo": {"cost": 970, "currencyCode": "NGN"}})
}

pub(crate) fn attempt(bench: &ReloadlyBench) -> Submission {
    bench.attempt("shop.order-7.1", bench.order_with(TopupFate::Credited))
}

/// Answers the submission and the query by our reference with a top-up.
pub(crate) fn replace(bench: &ReloadlyBench, topup: &Value) {
    let answer = |body: Value| ServedAnswer::Json(200, body.to_string());
    bench.fake.replace("POST /topups", answer(topup.clone()));
    let report = answer(json!({"content": [topup]}));
    bench
        .fake
        .replace("GET /topups/reports/transactions", report);
}

pub(crate) async fn read(bench: &ReloadlyBench, sent: &Submission) -> (String, String) {
    let submitted = bench.submit(sent).await;
    let found = bench.query(sent).await;
    (of_submit(&submitted.outcome), of_query(&found.outcome))
}

#[tokio::test]
async fn every_status_is_read_as_published() {
    let bench = bench().await;
    let sent = attempt(&bench);
    for (word, submit, query) in STATUSES {
        let mut answer = topup(&sent);
        answer["status"] = json!(word);
        replace(&bench, &answer);
        let expected = (submit.to_owned(), query.to_owned());
        assert_eq!(read(&bench, &sent).await, expected, "{word}");
    }
}

#[tokio::test]
async fn a_status_that_is_not_listed_is_unknown() {
    let bench = bench().await;
    let sent = attempt(&bench);
    for word in [
        json!("successful"),
        json!("PENDING"),
        json!(""),
        Value::Null,
    ] {
        let mut answer = topup(&sent);
        answer["status"] = word.clone();
        replace(&bench, &answer);
        let unknown = ("unknown Unlisted".to_owned(), "unknown".to_owned());
        assert_eq!(read(&bench, &sent).await, unknown, "{word}");
    }
}

#[tokio::test]
async fn every_error_is_read_as_published_with_a_refusing_status_alone() {
    let bench = bench().await;
    let sent = attempt(&bench);
    for (code, expected) in ERRORS {
        for (status, expected) in [
            (400, expected),
            (404, expected),
            (429, "unknown Unlisted"),
            (301, "unknown Unlisted"),
            (500, "unknown ServerError"),
            (503, "unknown ServerError"),
        ] {
            let body = json!({"errorCode": code, "message": "words"}).to_string();
            let answer = ServedAnswer::Json(status, body);
            bench.fake.replace("POST /topups", answer.clone());
            bench
                .fake
                .replace("GET /topups/reports/transactions", answer);
            let expected = (expected.to_owned(), "unknown".to_owned());
            assert_eq!(read(&bench, &sent).await, expected, "{code} {status}");
        }
    }
}

/// Some of these are answered where a top-up was made all the same.
#[tokio::test]
async fn an_error_that_is_not_listed_is_unknown() {
    let bench = bench().await;
    let sent = attempt(&bench);
    for code in [
        "TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT",
        "TOPUP_TRANSACTION_FAILED",
        "PROVIDER_INTERNAL_ERROR",
        "SERVICE_TO_OPERATOR_TEMPORARILY_UNAVAILABLE",
        "CONNECTION_TO_OPERATOR_FAILED",
        "REQUEST_PROCESSING_FAILED",
        "UNMAPPED_PROVIDER_ERROR_CODE",
        "",
    ] {
        let body = json!({"errorCode": code, "message": "words"}).to_string();
        bench
            .fake
            .replace("POST /topups", ServedAnswer::Json(400, body));
        let submitted = bench.submit(&sent).await.outcome;
        assert_eq!(of_submit(&submitted), "unknown Unlisted", "{code}");
    }
}

#[test]
fn the_table_has_the_rows_that_are_proven_here_and_no_other() {
    let table = ReloadlyAnswers::embedded();
    let listed: BTreeSet<_> = table
        .statuses()
        .iter()
        .map(|row| row.word.as_str())
        .collect();
    assert_eq!(listed, STATUSES.iter().map(|(word, _, _)| *word).collect());
    let listed: BTreeSet<_> = table.errors().iter().map(|row| row.code.as_str()).collect();
    assert_eq!(listed, ERRORS.iter().map(|(code, _)| *code).collect());
}
