//! Every row of the table of answers, over the socket, against what the provider's pages say. This
//! copy is written by hand: a change of the table must be made twice.

use crate::bench::{DtoneBench, bench};
use crate::fake::{RANGED, TransactionFate};
use domain::order::Service;
use domain::provider::Submission;
use provider_dtone::DtoneAnswers;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use testkit::attempt::{of_query, of_submit};
use testkit::http_server::ServedAnswer;

/// Class, message, answer to a submission, answer to a query.
const STATES: [(u32, &str, &str, &str); 8] = [
    (1, "CREATED", "pending", "pending"),
    (2, "CONFIRMED", "pending", "pending"),
    (3, "REJECTED", "declined Order", "declined Order"),
    (4, "CANCELLED", "declined Order", "declined Order"),
    (5, "SUBMITTED", "pending", "pending"),
    (7, "COMPLETED", "delivered", "delivered"),
    (8, "REVERSED", "unknown Unlisted", "reversed"),
    (9, "DECLINED", "declined Order", "declined Order"),
];

const REASONS: [(&str, &str); 14] = [
    ("INVALID-CREDIT-PARTY", "declined Order"),
    ("BARRED-CREDIT-PARTY", "declined Order"),
    ("INELIGIBLE-CREDIT-PARTY", "declined Order"),
    ("LIMITATIONS-ON-OPERATOR-AMOUNT", "declined Order"),
    ("LIMITATIONS-ON-OPERATOR-QUANTITY", "declined Order"),
    ("LIMITATIONS-ON-CREDIT-PARTY-AMOUNT", "declined Order"),
    ("LIMITATIONS-ON-CREDIT-PARTY-QUANTITY", "declined Order"),
    ("LIMITATIONS-ON-CUSTOMER-AMOUNT", "declined Account"),
    ("LIMITATIONS-ON-CUSTOMER-QUANTITY", "declined Account"),
    ("INVALID-DEBIT-PARTY", "declined Account"),
    ("BARRED-DEBIT-PARTY", "declined Account"),
    ("INSUFFICIENT-BALANCE", "declined Account"),
    ("OPERATOR-CURRENTLY-UNAVAILABLE", "declined Moment"),
    ("DUPLICATED-TRANSACTION", "declined Lookalike"),
];

const ERRORS: [(u32, u16, &str); 16] = [
    (1_000_400, 400, "declined Account"),
    (1_000_401, 401, "declined Account"),
    (1_003_001, 404, "declined Account"),
    (1_003_002, 400, "declined Order"),
    (1_003_003, 400, "declined Account"),
    (1_005_003, 400, "declined Order"),
    (1_005_004, 404, "declined Account"),
    (1_005_005, 404, "declined Account"),
    (1_005_006, 404, "declined Account"),
    (1_005_503, 400, "declined Order"),
    (1_006_001, 400, "declined Account"),
    (1_006_003, 400, "declined Order"),
    (1_006_009, 404, "declined Account"),
    (1_006_503, 400, "declined Order"),
    (1_007_001, 400, "unknown DuplicateReference"),
    (1_007_500, 400, "declined Account"),
];

/// A transaction as it is answered; a test changes what it says.
pub(crate) fn transaction(sent: &Submission) -> Value {
    json!({"id": 42, "external_id": sent.reference.as_str(),
        "status": {"id": 70_000, "message": "COMPLETED",
                   "class": {"id": 7, "message": "COMPLETED"}},
        "pin": null, "product": {"id": RANGED},
        "prices": {"wholesale": {"unit": "NGN", "amount": 970, "fee": 0}},
        "requested_values": {"source": null, "destination": {"unit": "NGN", "amount": 1_000}},
        "adjusted_values": {"source": null, "destination": null},
        "credit_party_identifier": {"mobile_number": format!("+{}", sent.order.digits())}})
}

pub(crate) fn attempt(bench: &DtoneBench) -> Submission {
    let order = bench.order_with(Service::Airtime, TransactionFate::Completed);
    bench.attempt("shop.order-7.1", order)
}

/// Answers the submission and the query with a transaction.
pub(crate) fn replace(bench: &DtoneBench, transaction: &Value) {
    let answer = |status, body: &Value| ServedAnswer::Json(status, body.to_string());
    bench
        .fake
        .replace("POST /async/transactions", answer(201, transaction));
    bench
        .fake
        .replace("GET /transactions", answer(200, &json!([transaction])));
}

pub(crate) async fn read(bench: &DtoneBench, sent: &Submission) -> (String, String) {
    let submitted = bench.submit(sent).await;
    let found = bench.query(sent).await;
    (of_submit(&submitted.outcome), of_query(&found.outcome))
}

fn set_state(transaction: &mut Value, (id, class, message): (u32, &str, &str)) {
    let class = json!({"id": id, "message": class});
    transaction["status"] = json!({"id": id * 10_000, "message": message, "class": class});
}

#[tokio::test]
async fn every_class_is_read_as_published() {
    let bench = bench().await;
    let sent = attempt(&bench);
    for (id, class, submit, query) in STATES {
        let mut answer = transaction(&sent);
        set_state(&mut answer, (id, class, class));
        replace(&bench, &answer);
        let expected = (submit.to_owned(), query.to_owned());
        assert_eq!(read(&bench, &sent).await, expected, "{class}");
    }
}

#[tokio::test]
async fn a_class_that_is_not_listed_is_unknown() {
    let bench = bench().await;
    let sent = attempt(&bench);
    for (id, class) in [
        (0, "NEW"),
        (6, "DONE"),
        (10, "COMPLETED"),
        (7, "DECLINED"),
        (9, "DONE"),
    ] {
        let mut answer = transaction(&sent);
        set_state(&mut answer, (id, class, class));
        replace(&bench, &answer);
        let unknown = ("unknown Unlisted".to_owned(), "unknown".to_owned());
        assert_eq!(read(&bench, &sent).await, unknown, "{id} {class}");
    }
}

#[tokio::test]
async fn a_reason_says_whose_fault_a_refusal_is_and_nothing_else() {
    let bench = bench().await;
    let sent = attempt(&bench);
    for (word, expected) in REASONS {
        for (id, class) in [(3, "REJECTED"), (9, "DECLINED")] {
            let mut answer = transaction(&sent);
            set_state(&mut answer, (id, class, &format!("{class}-{word}")));
            replace(&bench, &answer);
            let expected = (expected.to_owned(), expected.to_owned());
            assert_eq!(read(&bench, &sent).await, expected, "{class}-{word}");
        }
        let mut answer = transaction(&sent);
        set_state(&mut answer, (7, "COMPLETED", &format!("DECLINED-{word}")));
        replace(&bench, &answer);
        assert_eq!(read(&bench, &sent).await.0, "delivered", "{word}");
    }
}

#[tokio::test]
async fn every_error_is_read_as_published_with_its_status_alone() {
    let bench = bench().await;
    let sent = attempt(&bench);
    for (code, http, expected) in ERRORS {
        for (status, expected) in [
            (http, expected),
            (500, "unknown ServerError"),
            (429, "unknown Unlisted"),
            (if http == 400 { 404 } else { 400 }, "unknown Unlisted"),
        ] {
            for code in [json!(code), json!(code.to_string())] {
                let body = json!({"errors": [{"code": code, "message": "words"}]}).to_string();
                let answer = ServedAnswer::Json(status, body);
                bench
                    .fake
                    .replace("POST /async/transactions", answer.clone());
                bench.fake.replace("GET /transactions", answer);
            }
            let read = read(&bench, &sent).await;
            let expected = (expected.to_owned(), "unknown".to_owned());
            assert_eq!(read, expected, "{code} {status}");
        }
    }
}

#[test]
fn the_table_has_the_rows_that_are_proven_here_and_no_other() {
    let table = DtoneAnswers::embedded();
    let listed: BTreeSet<_> = table.states().iter().map(|row| row.id).collect();
    assert_eq!(listed, STATES.iter().map(|(id, _, _, _)| *id).collect());
    let listed: BTreeSet<_> = table
        .reasons()
        .iter()
        .map(|row| row.word.as_str())
        .collect();
    assert_eq!(listed, REASONS.iter().map(|(word, _)| *word).collect());
    let listed: BTreeSet<_> = table.errors().iter().map(|row| row.code.clone()).collect();
    let proven = ERRORS.iter().map(|(code, _, _)| code.to_string());
    assert_eq!(listed, proven.collect());
}
