//! Every row of the table of codes, over the socket, against what the provider's pages say. This
//! copy is written by hand: a change of the table must be made twice.

use crate::bench::VtpassBench;
use crate::fake_record::Fate;
use domain::order::{Order, Service};
use domain::provider::SubmitOutcome;
use provider_vtpass::{CodeTable, ConfirmRefusals};
use serde_json::json;
use std::collections::BTreeSet;
use testkit::attempt::{self, of_query, of_submit};

/// Code, answer to a purchase with the default setting, answer to a query. `by status` rows are
/// below.
const ROWS: [(&str, &str, &str); 34] = [
    ("000", "by status", "by status"),
    ("001", "by status", "by status"),
    ("010", "declined Account", "unknown"),
    ("011", "declined Order", "unknown"),
    ("012", "declined Account", "unknown"),
    ("013", "declined Order", "unknown"),
    ("014", "unknown DuplicateReference", "unknown"),
    ("015", "unknown Unlisted", "not found"),
    ("016", "pending", "declined Order"),
    ("017", "declined Order", "unknown"),
    ("018", "declined Account", "unknown"),
    ("019", "declined Lookalike", "unknown"),
    ("020", "unknown Unlisted", "unknown"),
    ("021", "declined Account", "unknown"),
    ("022", "declined Account", "unknown"),
    ("023", "declined Account", "unknown"),
    ("024", "declined Account", "unknown"),
    ("025", "declined Order", "unknown"),
    ("026", "declined Order", "unknown"),
    ("027", "declined Account", "unknown"),
    ("028", "declined Account", "unknown"),
    ("030", "declined Moment", "unknown"),
    ("031", "declined Order", "unknown"),
    ("032", "declined Order", "unknown"),
    ("034", "declined Moment", "unknown"),
    ("035", "declined Moment", "unknown"),
    ("040", "unknown Unlisted", "reversed"),
    ("044", "unknown Unlisted", "by status"),
    ("083", "unknown ServerError", "unknown"),
    ("085", "declined Account", "unknown"),
    ("087", "declined Account", "unknown"),
    ("089", "pending", "pending"),
    ("091", "declined Moment", "declined Moment"),
    ("099", "pending", "pending"),
];

/// What the word of a transaction says where the code leaves it to the word.
const WORDS: [(Option<&str>, &str, &str); 9] = [
    (Some("delivered"), "delivered", "delivered"),
    (Some("Delivered"), "delivered", "delivered"),
    (Some("initiated"), "pending", "pending"),
    (Some("pending"), "pending", "pending"),
    (Some("failed"), "pending", "declined Order"),
    (Some("reversed"), "unknown Unlisted", "reversed"),
    (Some("resolved"), "unknown Unlisted", "unknown"),
    (Some("successful"), "unknown Unlisted", "unknown"),
    (None, "unknown Unlisted", "unknown"),
];

/// What the adapter makes of a code and a word, of a purchase and of a query.
async fn read(bench: &VtpassBench, code: &str, word: Option<&str>) -> (String, String) {
    let order = bench.order_with(Service::Airtime, Fate::Delivered).await;
    let sent = bench.attempt("shop.order-7.1", order);
    let Order::Airtime(airtime) = &sent.order else {
        panic!("{:?}", sent.order);
    };
    let mut answer = json!({
        "code": code, "requestId": sent.reference.as_str(), "amount": "1000.00",
        "response_description": "WORDS", "content": {},
    });
    if let Some(word) = word {
        let credited = format!("0{}", &airtime.number.digits()[3..]);
        answer["content"]["transactions"] = json!({"status": word, "unique_element": credited});
    }
    for path in ["pay", "requery"] {
        bench.fake.replace(path, 200, answer.to_string());
    }
    let provider = &*bench.provider;
    let submitted = attempt::submit(provider, &sent).await;
    let found = attempt::query(provider, &sent).await;
    if let SubmitOutcome::Declined(refusal) = &submitted.outcome {
        assert_eq!(
            (refusal.code.as_str(), refusal.reason.as_str()),
            (code, "WORDS")
        );
    }
    (of_submit(&submitted.outcome), of_query(&found.outcome))
}

#[tokio::test]
async fn every_row_of_the_table_is_read_as_published() {
    let bench = VtpassBench::with(ConfirmRefusals::Yes).await;
    for (code, submit, query) in ROWS {
        for (word, word_submit, word_query) in WORDS {
            let submit = if submit == "by status" {
                word_submit
            } else {
                submit
            };
            let query = if query == "by status" {
                word_query
            } else {
                query
            };
            // A code that refuses beside a word that does not contradicts itself.
            let agrees = |says: &str| match says {
                _ if word.is_none() => true,
                "reversed" => word == Some("reversed"),
                "not found" => word == Some("failed"),
                _ if says.starts_with("declined") || code == "016" => word == Some("failed"),
                _ => true,
            };
            let submit = if agrees(submit) {
                submit
            } else {
                "unknown Unlisted"
            };
            let query = if agrees(query) { query } else { "unknown" };
            let read = read(&bench, code, word).await;
            assert_eq!(
                read,
                (submit.to_owned(), query.to_owned()),
                "{code} {word:?}"
            );
        }
    }
}

#[test]
fn the_table_has_the_rows_that_are_proven_here_and_no_other() {
    let table = CodeTable::embedded();
    let listed: BTreeSet<_> = table.rows().iter().map(|row| row.code.as_str()).collect();
    let proven: BTreeSet<_> = ROWS.iter().map(|(code, _, _)| *code).collect();
    assert_eq!(listed, proven);
}

#[tokio::test]
async fn a_code_that_is_not_listed_is_unknown() {
    let bench = VtpassBench::with(ConfirmRefusals::Yes).await;
    for code in ["777", "0", "00", "0000", "100", "200", "success", "-1"] {
        for (word, _, _) in WORDS {
            let read = read(&bench, code, word).await;
            let unknown = ("unknown Unlisted".to_owned(), "unknown".to_owned());
            assert_eq!(read, unknown, "{code} {word:?}");
        }
    }
}

#[tokio::test]
async fn without_confirmation_a_failed_transaction_is_refused_at_once() {
    let bench = VtpassBench::with(ConfirmRefusals::No).await;
    for (code, word) in [
        ("016", None),
        ("016", Some("failed")),
        ("000", Some("failed")),
    ] {
        let declined = "declined Order".to_owned();
        let read = read(&bench, code, word).await;
        assert_eq!(read, (declined.clone(), declined), "{code} {word:?}");
    }
}
