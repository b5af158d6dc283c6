//! How `SQLite` runs our statements. None must look at every row of a table: what costs nothing on
//! an empty store would cost the most on a full one.

use crate::store::{Options, Store};
use crate::writer::{load, save};
use crate::{accounts, leases, senders, statement, transactions};
use sqlx::AssertSqlSafe;

/// The steps that a statement takes.
async fn steps(store: &Store, sql: &str) -> Vec<String> {
    let explain = AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}"));
    let steps: Vec<(i64, i64, i64, String)> = sqlx::query_as(explain)
        .fetch_all(&store.reads)
        .await
        .unwrap();
    steps.into_iter().map(|(_, _, _, step)| step).collect()
}

#[tokio::test]
async fn no_statement_looks_at_every_row_of_a_table() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::connect(dir.path(), Options::default())
        .await
        .unwrap();
    let statements = [
        accounts::CREDENTIALS,
        accounts::INSERT_KEY,
        accounts::REVOKE,
        accounts::REVOKE_OLDEST,
        accounts::SET_MESSAGE_CURRENCY,
        accounts::SET_STATUS,
        leases::DUE,
        leases::LEASE,
        leases::RECLAIM,
        load::READS,
        save::WRITES,
        senders::DECIDE,
        senders::OF_ACCOUNT,
        senders::ONE,
        senders::REGISTER,
        statement::LINES,
        statement::LINES_OF_DIRECTION,
        statement::LINES_OF_TRANSACTION,
        transactions::BY_REFERENCE,
        transactions::EVENTS,
        transactions::IN_REVIEW,
        transactions::TRANSFERS,
        transactions::WALLETS,
    ];
    // What is scanned is the parameter, the rows it led to, or an index of open cases alone.
    let small = |step: &str| {
        step.contains("VIRTUAL TABLE")
            || step.contains("transactions_review")
            || matches!(step, "SCAN w" | "SCAN found" | "SCAN CONSTANT ROW")
    };
    for sql in statements.iter().flat_map(|text| text.split(';')) {
        let steps = steps(&store, sql).await;
        let scans = |step: &&String| step.starts_with("SCAN") && !small(step);
        assert_eq!(steps.iter().find(scans), None, "{sql}\n{steps:#?}");
    }
    store.close().await;
}

#[tokio::test]
async fn a_page_of_a_statement_is_a_range_of_an_index() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::connect(dir.path(), Options::default())
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
