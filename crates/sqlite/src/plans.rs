//! How `SQLite` runs our statements. None must look at every row of a table: what costs nothing on
//! an empty store would cost the most on a full one.

mod statements;

use crate::cipher::cipher;
use crate::store::{SqliteOptions, SqliteStore};
use crate::{account_changes, bookings, change_requests, leases, outbox, request_log, statement};
use statements::STATEMENTS;

/// The steps that a statement takes.
async fn steps(store: &SqliteStore, sql: &str) -> Vec<String> {
    let explain = sqlx::AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}"));
    let steps: Vec<(i64, i64, i64, String)> = sqlx::query_as(explain)
        .fetch_all(&store.reads)
        .await
        .unwrap();
    steps.into_iter().map(|(_, _, _, step)| step).collect()
}

#[tokio::test]
async fn no_statement_looks_at_every_row_of_a_table() {
    let dir = tempfile::tempdir().unwrap();
    let store = SqliteStore::connect(dir.path(), SqliteOptions::default(), cipher())
        .await
        .unwrap();
    // What is scanned is the parameter, the rows it led to, or an index of open cases alone; of
    // what is to be delivered only the first row, and a table that has one row for each provider.
    let small = |step: &str| {
        step.contains("VIRTUAL TABLE")
            || step.contains("transactions_review")
            || step.starts_with("SCAN (subquery-")
            || step == "SCAN deliveries USING COVERING INDEX deliveries_due"
            || matches!(
                step,
                "SCAN w"
                    | "SCAN b"
                    | "SCAN n"
                    | "SCAN next"
                    | "SCAN found"
                    | "SCAN first"
                    | "SCAN last"
                    | "SCAN middle"
                    | "SCAN looked"
                    | "SCAN turns"
                    | "SCAN counted"
                    | "SCAN shown"
                    | "SCAN page LEFT-JOIN"
                    | "SCAN CONSTANT ROW"
                    | "SCAN provider_environments"
                    // Only of what is attempted no more.
                    | "SCAN deliveries USING INDEX deliveries_parked_to"
            )
    };
    let of_operators = change_requests::STATEMENTS.iter().chain(&STATEMENTS);
    let all = of_operators
        .chain(&account_changes::STATEMENTS)
        .chain(&leases::STATEMENTS)
        .chain(bookings::STATEMENTS.iter().chain(&request_log::STATEMENTS))
        .chain(&crate::incoming_messages::STATEMENTS);
    for sql in all.flat_map(|text| text.split(';')) {
        let steps = steps(&store, sql).await;
        let scans = |step: &&String| step.starts_with("SCAN") && !small(step);
        assert_eq!(steps.iter().find(scans), None, "{sql}\n{steps:#?}");
    }
    store.close().await;
}

#[tokio::test]
async fn a_page_of_a_statement_is_a_range_of_an_index() {
    let dir = tempfile::tempdir().unwrap();
    let store = SqliteStore::connect(dir.path(), SqliteOptions::default(), cipher())
        .await
        .unwrap();
    let ranges = [
        (
            statement::LINES,
            "transfers_position (account=? AND currency=? AND position>? AND position<?)",
        ),
        (
            statement::LINES_OF_DIRECTION,
            "(account=? AND currency=? AND direction=? AND nth>? AND nth<?)",
        ),
        (
            statement::LINES_OF_TRANSACTION,
            "transfers_once (transaction_id=?)",
        ),
    ];
    for (sql, range) in ranges {
        let steps = steps(&store, sql).await;
        assert!(steps.iter().any(|step| step.contains(range)), "{steps:#?}");
    }
    store.close().await;
}

#[tokio::test]
async fn a_time_of_an_endpoint_is_a_range_of_an_index() {
    let dir = tempfile::tempdir().unwrap();
    let store = SqliteStore::connect(dir.path(), SqliteOptions::default(), cipher())
        .await
        .unwrap();
    for (sql, range) in [
        (
            outbox::replay::WITHIN,
            "deliveries_listed_to (account=? AND endpoint=? AND at>? AND at<?)",
        ),
        (
            outbox::list::TO_ONE[0],
            "SEARCH d USING INDEX deliveries_listed_to (account=? AND endpoint=?)",
        ),
        (
            outbox::list::PARKED_TO_ONE[1],
            "deliveries_parked_to (account=? AND endpoint=?)",
        ),
    ] {
        let steps = steps(&store, sql).await;
        assert!(steps.iter().any(|step| step.contains(range)), "{steps:#?}");
    }
    store.close().await;
}

#[tokio::test]
async fn a_claim_leaps_from_endpoint_to_endpoint_and_reads_what_is_due_there() {
    let dir = tempfile::tempdir().unwrap();
    let store = SqliteStore::connect(dir.path(), SqliteOptions::default(), cipher())
        .await
        .unwrap();
    let ranges: [(&str, &[&str]); 4] = [
        (
            outbox::claim::WINDOW_OF_DUE,
            &[
                "deliveries_next (requested=? AND due_at>?)",
                "deliveries_next (requested=? AND due_at<?)",
            ],
        ),
        (
            outbox::claim::LEAPS_TO_DUE,
            &[
                "deliveries_due (account=? AND endpoint>?)",
                "deliveries_due (account>?)",
            ],
        ),
        (
            outbox::claim::CHOOSE,
            &[
                "deliveries_due (account=? AND endpoint=? AND requested=? AND due_at>?)",
                "deliveries_due (account=? AND endpoint=? AND requested=? AND due_at<?)",
            ],
        ),
        (outbox::claim::TAKEN, &["INTEGER PRIMARY KEY (rowid=?)"]),
    ];
    for (sql, ranges) in ranges {
        let steps = steps(&store, sql).await;
        for range in ranges {
            assert!(steps.iter().any(|step| step.contains(range)), "{steps:#?}");
        }
    }
    store.close().await;
}
