//! How `SQLite` runs our statements. None must look at every row of a table: what costs nothing on
//! an empty store would cost the most on a full one.

use crate::cipher::cipher;
use crate::store::{SqliteOptions, SqliteStore};
use crate::writer::{
    collecting as writer_collecting, load, queue, save, vouchers as writer_vouchers,
};
use crate::{
    access_keys, account_changes, account_users, accounts, acknowledging, allowlists,
    balance_readings, batches, bookings, change_requests, changes, collections, endpoints, freezes,
    invoices, leases, message_ids, outbox, payout_groups, reconciliation, recurring, refunds,
    report_runs, reports, request_log, retention, senders, spending_limits, statement, top_ups,
    transactions, vouchers,
};

/// Every statement that is run while payments are.
const STATEMENTS: [&str; 231] = [
    access_keys::END,
    access_keys::END_LIVE,
    access_keys::EXPIRED,
    access_keys::INSERT,
    access_keys::IS_REPLACEABLE,
    access_keys::LIVE,
    access_keys::MAKE_LIVE,
    access_keys::OBSTACLES,
    access_keys::ONE,
    access_keys::REVOKE,
    access_keys::REVOKED_AT,
    account_users::ADD_STEP,
    account_users::INSERT,
    account_users::IS_KNOWN,
    account_users::OBSTACLES,
    account_users::ONE,
    accounts::BY_EMAIL,
    accounts::BY_ID,
    accounts::BY_PHONE,
    accounts::CREDENTIALS,
    accounts::INSERT_KEY,
    accounts::REVOKE,
    accounts::REVOKE_OLDEST,
    accounts::OBSTACLES,
    accounts::SET_CONTACT,
    accounts::SET_LOW_BALANCE,
    accounts::SET_MESSAGE_CURRENCY,
    accounts::SET_STATUS,
    allowlists::INSERT,
    allowlists::LATEST,
    allowlists::OBSTACLES,
    allowlists::VERSION,
    balance_readings::FORGET,
    balance_readings::KEEP,
    balance_readings::LAST,
    balance_readings::SINCE,
    batches::BY_REFERENCE,
    batches::COUNT,
    batches::ITEMS[0],
    batches::ITEMS[1],
    batches::PAGES[0],
    batches::PAGES[1],
    batches::STOPPED,
    changes::ADVANCE,
    changes::BEGIN,
    changes::COUNT_OPEN,
    changes::CURSOR,
    changes::DUE,
    changes::IS_OPEN,
    changes::MAKE_DUE,
    changes::RESOLVE,
    changes::RETRIED,
    changes::SET_ASIDE,
    endpoints::CHANGE,
    endpoints::HEALTH,
    endpoints::MAKE_DUE,
    endpoints::OF_ACCOUNT,
    endpoints::ONE,
    endpoints::REGISTER,
    endpoints::REMOVE,
    freezes::FROZEN,
    freezes::INSERT,
    freezes::LATEST,
    freezes::OBSTACLES,
    freezes::SET_FROZEN,
    message_ids::FORGET,
    message_ids::KNOWN,
    message_ids::REMEMBER,
    message_ids::WHOLE,
    load::BATCHES_BY_KEY,
    load::SUBSCRIBERS,
    load::READS_WITH_HEARERS,
    outbox::ANNOUNCE,
    outbox::ANNOUNCED_TO,
    outbox::BOUND,
    outbox::claim::CHOOSE,
    outbox::claim::LEAPS_TO_DUE,
    outbox::forget::DELIVERED,
    outbox::forget::EMPTY,
    outbox::forget::FORGET[0],
    outbox::forget::FORGET[1],
    outbox::forget::FORGET_ENDPOINTS,
    outbox::forget::FORGET_EXCESS[0],
    outbox::forget::FORGET_EXCESS[1],
    outbox::forget::OF_EXCESS,
    outbox::forget::OF_REMOVED,
    outbox::claim::SERVED,
    outbox::claim::TAKEN,
    outbox::claim::WINDOW_OF_DUE,
    outbox::list::ALL[0],
    outbox::list::ALL[1],
    outbox::list::PARKED[0],
    outbox::list::PARKED[1],
    outbox::list::PARKED_TO_ONE[0],
    outbox::list::PARKED_TO_ONE[1],
    outbox::list::TO_ONE[0],
    outbox::list::TO_ONE[1],
    outbox::record::ATTEMPTED,
    outbox::record::ENDPOINTS,
    outbox::record::FORGET_OLD,
    outbox::record::RECORD,
    outbox::replay::AGAIN,
    outbox::replay::IS_THERE,
    outbox::replay::ONE,
    outbox::replay::STILL,
    outbox::replay::WITHIN,
    acknowledging::NOTE,
    payout_groups::COUNT,
    payout_groups::CREATE,
    payout_groups::IS_KNOWN,
    payout_groups::ONE,
    payout_groups::PAGES[0],
    payout_groups::PAGES[1],
    payout_groups::REMOVE,
    payout_groups::UPDATE,
    reconciliation::SETTLED_AS,
    reconciliation::WITHOUT_ROW,
    report_runs::BEGIN,
    report_runs::CLAIM,
    report_runs::COUNT_PART,
    report_runs::END,
    report_runs::FORGET_PARTS,
    report_runs::OF_ACCOUNT,
    report_runs::ONE,
    report_runs::PART,
    report_runs::RENEW,
    report_runs::WRITE_PART,
    reports::ACCEPTED,
    reports::SETTLED,
    retention::ERASE_TOKENS,
    save::BATCHES,
    queue::QUEUE,
    save::WRITES_WITH_DELIVERIES,
    senders::DECIDE,
    senders::OF_ACCOUNT,
    senders::ONE,
    senders::REGISTER,
    spending_limits::AWAITING[0],
    spending_limits::AWAITING[1],
    spending_limits::COUNT_AWAITING,
    spending_limits::INSERT,
    spending_limits::LATEST,
    spending_limits::OBSTACLES,
    statement::LINES,
    statement::LINES_OF_DIRECTION,
    statement::LINES_OF_TRANSACTION,
    recurring::ADD_RUN,
    recurring::BOUND,
    recurring::BY_NUMBER,
    recurring::BY_REFERENCE,
    recurring::CHANGE_RUN,
    recurring::COUNT,
    recurring::DUE,
    recurring::INSERT,
    recurring::OBSTACLES,
    recurring::PAGES[0],
    recurring::PAGES[1],
    recurring::PUT_OFF,
    recurring::RUNS,
    recurring::STEP,
    refunds::BY_NUMBER,
    refunds::BY_REFERENCE,
    refunds::COUNT,
    refunds::DECIDE,
    refunds::DECIDED,
    refunds::INSERT,
    refunds::OBSTACLES,
    refunds::PAGES[0],
    refunds::PAGES[1],
    collections::BY_NUMBER,
    collections::BY_PAYEE,
    collections::BY_REFERENCE,
    collections::CHANGE,
    collections::COUNT,
    collections::INSERT,
    collections::OBSTACLES,
    collections::OF_SESSION,
    collections::PAGES[0],
    collections::PAGES[1],
    collections::PAYMENTS[0][0],
    collections::PAYMENTS[0][1],
    collections::PAYMENTS[1][0],
    collections::PAYMENTS[1][1],
    collections::PAYMENT_COUNTS[0],
    collections::PAYMENT_COUNTS[1],
    invoices::BY_NUMBER,
    invoices::BY_REFERENCE,
    invoices::CHANGE,
    invoices::CLOSE,
    invoices::COUNT,
    invoices::INSERT,
    invoices::IS_PAID,
    invoices::LAST_NUMBER,
    invoices::OBSTACLES,
    invoices::OBSTACLES_TO_OPENING,
    invoices::PAGES[0],
    invoices::PAGES[1],
    top_ups::BY_NUMBER,
    top_ups::BY_REFERENCE,
    top_ups::COUNT,
    top_ups::INSERT,
    top_ups::OBSTACLES,
    top_ups::PAGES[0],
    top_ups::PAGES[1],
    transactions::BY_REFERENCE,
    transactions::EVENTS,
    transactions::IN_REVIEW,
    transactions::NEWEST,
    transactions::TRANSFERS,
    transactions::WALLETS,
    vouchers::BATCH,
    vouchers::OF_CODE,
    vouchers::ONE,
    vouchers::REDEMPTION,
    vouchers::ROLLED_BACK,
    writer_collecting::COLLECT,
    writer_collecting::SESSIONS,
    writer_vouchers::BATCHES,
    writer_vouchers::CODES,
    writer_vouchers::FREE,
    writer_vouchers::INSERT,
    writer_vouchers::ISSUE,
    writer_vouchers::MOVE,
    writer_vouchers::NUMBERED,
    writer_vouchers::REDEEM,
    writer_vouchers::REDEMPTIONS,
    writer_vouchers::ROLLBACKS,
    writer_vouchers::ROLL_BACK,
    writer_vouchers::TARGET,
    writer_vouchers::TARGETS,
    writer_vouchers::VOID,
];

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
