//! Every row of the table of answers, over the socket, against what the provider's pages say. This
//! copy is written by hand: a change of the table must be made twice.

use crate::bench::{PaystackBench, bench};
use crate::fake::TransferFate;
use domain::provider::{Submission, SubmitOutcome};
use provider_paystack::PaystackAnswers;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use testkit::attempt::{of_query, of_submit};
use testkit::http_server::ServedAnswer;

/// Word, answer to a submission, answer to a query.
const WORDS: [(&str, &str, &str); 9] = [
    ("success", "delivered", "delivered"),
    ("pending", "pending", "pending"),
    ("received", "pending", "pending"),
    ("otp", "pending", "pending"),
    ("failed", "pending", "declined Order"),
    ("reversed", "unknown Unlisted", "reversed"),
    ("abandoned", "pending", "declined Account"),
    ("blocked", "pending", "declined Account"),
    ("rejected", "pending", "declined Account"),
];

/// Code, message, answer to a submission.
const REFUSALS: [(Option<&str>, &str, &str); 18] = [
    (
        Some("duplicate_transfer_reference"),
        "",
        "unknown DuplicateReference",
    ),
    (
        None,
        "Please provide a unique reference. Reference already exists on a transfer",
        "unknown DuplicateReference",
    ),
    (Some("insufficient_balance"), "", "declined Account"),
    (
        None,
        "Your balance is not enough to fulfil this request",
        "declined Account",
    ),
    (
        None,
        "You cannot initiate third party payouts at this time",
        "declined Account",
    ),
    (
        None,
        "You cannot initiate third party payouts as a starter business",
        "declined Account",
    ),
    (Some("invalid_transfer_recipient"), "", "declined Account"),
    (None, "Recipient specified is invalid", "declined Account"),
    (
        None,
        "Sorry, we can't make the transfer to this recipient at the moment",
        "declined Order",
    ),
    (Some("invalid_bank_code"), "", "declined Account"),
    (None, "Bank is invalid", "declined Account"),
    (Some("invalid_account_number"), "", "declined Order"),
    (None, "Account number is invalid", "declined Order"),
    (None, "Cannot resolve account", "declined Order"),
    (
        None,
        "Could not resolve account name. Check parameters or try again",
        "declined Order",
    ),
    (None, "Account closed", "declined Order"),
    (Some("invalid_amount"), "", "declined Order"),
    (Some("missing_params"), "", "declined Account"),
];

/// A transfer as it is answered; a test changes what it says.
pub(crate) fn transfer(sent: &Submission) -> Value {
    json!({"status": true, "message": "Transfer retrieved", "data": {
        "reference": sent.reference.as_str(), "status": "success", "currency": "NGN",
        "amount": sent.order.amount().minor(), "transfer_code": "TRF_1", "fee_charged": 2_500,
        "recipient": {"details": {"account_number": sent.order.digits(), "bank_code": "058"}},
    }})
}

pub(crate) fn attempt(bench: &PaystackBench) -> Submission {
    bench.attempt("shop.order-7.1", bench.order_with(TransferFate::Paid))
}

/// Answers both the submission and the query of an attempt with this.
pub(crate) fn replace(bench: &PaystackBench, sent: &Submission, answer: &ServedAnswer) {
    for path in [
        "/transfer".to_owned(),
        format!("/transfer/verify/{}", sent.reference),
    ] {
        bench.fake.book().replaced.insert(path, answer.clone());
    }
}

pub(crate) async fn read(bench: &PaystackBench, sent: &Submission) -> (String, String) {
    let submitted = bench.submit(sent).await;
    let found = bench.query(sent).await;
    (of_submit(&submitted.outcome), of_query(&found.outcome))
}

#[tokio::test]
async fn every_word_is_read_as_published() {
    let bench = bench().await;
    let sent = attempt(&bench);
    for (word, submit, query) in WORDS {
        let mut answer = transfer(&sent);
        answer["data"]["status"] = json!(word);
        replace(&bench, &sent, &ServedAnswer::Json(200, answer.to_string()));
        let expected = (submit.to_owned(), query.to_owned());
        assert_eq!(read(&bench, &sent).await, expected, "{word}");
    }
}

#[tokio::test]
async fn a_word_that_is_not_listed_is_unknown() {
    let bench = bench().await;
    let sent = attempt(&bench);
    for word in [
        json!("Success"),
        json!("successful"),
        json!("queued"),
        json!(""),
        json!(null),
    ] {
        let mut answer = transfer(&sent);
        answer["data"]["status"] = word.clone();
        replace(&bench, &sent, &ServedAnswer::Json(200, answer.to_string()));
        let unknown = ("unknown Unlisted".to_owned(), "unknown".to_owned());
        assert_eq!(read(&bench, &sent).await, unknown, "{word}");
    }
}

#[tokio::test]
async fn every_refusal_is_read_as_published_of_a_transfer_and_of_its_recipient() {
    let bench = bench().await;
    let sent = attempt(&bench);
    for (code, message, expected) in REFUSALS {
        let body = json!({"status": false, "code": code, "message": message});
        let answer = ServedAnswer::Json(400, body.to_string());
        replace(&bench, &sent, &answer);
        let (submit, query) = read(&bench, &sent).await;
        assert_eq!(
            (submit.as_str(), query.as_str()),
            (expected, "unknown"),
            "{body}"
        );

        bench
            .fake
            .book()
            .replaced
            .insert("/transferrecipient".into(), answer);
        let of_recipient = bench.submit(&sent).await.outcome;
        let expected = match expected {
            "unknown DuplicateReference" => "not sent",
            expected => expected,
        };
        assert_eq!(of_submit(&of_recipient), expected, "{body}");
        if let SubmitOutcome::Declined(refusal) = of_recipient {
            assert_eq!(refusal.code, code.unwrap_or("400"));
            assert_eq!(refusal.reason, message);
        }
        bench.fake.book().replaced.remove("/transferrecipient");
    }
}

#[test]
fn the_table_has_the_rows_that_are_proven_here_and_no_other() {
    let table = PaystackAnswers::embedded();
    let listed: BTreeSet<_> = table
        .statuses()
        .iter()
        .map(|row| row.word.as_str())
        .collect();
    assert_eq!(listed, WORDS.iter().map(|(word, _, _)| *word).collect());
    let key = |code: Option<&str>, message: &str| code.unwrap_or(message).to_owned();
    let listed: BTreeSet<_> = table
        .refusals()
        .iter()
        .map(|row| {
            key(
                row.code.as_deref(),
                row.message.as_deref().unwrap_or_default(),
            )
        })
        .collect();
    let proven = REFUSALS
        .iter()
        .map(|(code, message, _)| key(*code, message));
    assert_eq!(listed, proven.collect());
}
