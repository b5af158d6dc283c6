//! How the server runs our statements. None must look at every row of a table or of an account:
//! plans are made once, and what costs nothing on an empty store costs the most on a full one. An
//! account is asked for as `= ANY (ARRAY[...])`: an equality would have an index walked in order.

use crate::grants::Roles;
use crate::migrate::migrate;
use crate::writer::{self, commit_status, load, queue, save};
use crate::{
    access_keys, account_users, accounts, balance_readings, batches, bookings, changes,
    collections, connection, endpoints, freezes, incoming_messages, invoices, leases, lookups,
    message_ids, outbox, payout_groups, permits, reconciliation, recurring, refunds, report_runs,
    reports, retention, senders, spending_limits, statement, top_ups, transactions, vouchers,
};
use postgres_cluster::{Cluster, TestDatabase};
use serde_json::Value;
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Executor, Row};

const STATEMENTS: [&str; 189] = [
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
    accounts::SET_CONTACT,
    accounts::SET_LOW_BALANCE,
    accounts::SET_MESSAGE_CURRENCY,
    accounts::SET_STATUS,
    balance_readings::FORGET,
    balance_readings::KEEP,
    balance_readings::LAST,
    balance_readings::SINCE,
    batches::BY_REFERENCE,
    batches::ITEMS[0],
    batches::ITEMS[1],
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
    commit_status::WROTE_CODE,
    commit_status::WROTE_CODES,
    commit_status::WROTE_EVENT,
    commit_status::WROTE_FUNDING,
    commit_status::WROTE_SETTLEMENT,
    commit_status::WROTE_VERSION,
    leases::BOUND,
    leases::BOUND_QUEUED,
    leases::CLAIM,
    leases::CLAIM_QUEUED,
    leases::RECLAIM,
    leases::RECLAIM_QUEUED,
    load::BATCHES_BY_KEY,
    load::SUBSCRIBERS,
    load::READ,
    lookups::FIND,
    message_ids::FORGET,
    message_ids::KNOWN,
    message_ids::REMEMBER,
    message_ids::WHOLE,
    outbox::ANNOUNCE,
    outbox::ANNOUNCED_TO,
    outbox::BOUND,
    outbox::claim::CHOOSE,
    outbox::claim::CLAIM,
    outbox::claim::LEAPS_TO_DUE,
    outbox::claim::WINDOW_OF_DUE,
    outbox::forget::DELIVERED,
    outbox::forget::ENDPOINTS,
    outbox::forget::OF_EXCESS,
    outbox::forget::OF_REMOVED,
    outbox::record::ATTEMPTED,
    outbox::record::ENDPOINTS,
    outbox::record::RECORD,
    outbox::replay::AGAIN,
    outbox::replay::IS_THERE,
    outbox::replay::ONE,
    outbox::replay::RANGE,
    payout_groups::COUNT,
    payout_groups::CREATE,
    payout_groups::IS_KNOWN,
    payout_groups::ONE,
    payout_groups::PAGES[0],
    payout_groups::PAGES[1],
    payout_groups::REMOVE,
    payout_groups::UPDATE,
    permits::MAY_SEND,
    reconciliation::WITHOUT_ROW,
    report_runs::BEGIN,
    report_runs::CLAIM,
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
    writer::batches::BATCHES,
    writer::batches::BATCH_ITEMS,
    save::FUND,
    queue::QUEUE,
    queue::REQUEUE,
    queue::UNQUEUE,
    save::WRITE,
    senders::DECIDE,
    senders::OF_ACCOUNT,
    senders::ONE,
    senders::OWNER,
    senders::REGISTER,
    spending_limits::AWAITING[0],
    spending_limits::AWAITING[1],
    spending_limits::COUNT_AWAITING,
    spending_limits::INSERT,
    spending_limits::LATEST,
    spending_limits::OBSTACLES,
    statement::CREDITS,
    statement::DEBITS,
    statement::LINES,
    statement::OF_TRANSACTION,
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
    top_ups::BY_NUMBER,
    top_ups::BY_REFERENCE,
    top_ups::COUNT,
    top_ups::INSERT,
    top_ups::OBSTACLES,
    top_ups::PAGES[0],
    top_ups::PAGES[1],
    transactions::EVENTS,
    transactions::NEWEST,
    transactions::TRANSFERS,
    transactions::WALLETS,
    vouchers::BATCH,
    vouchers::OF_CODE,
    vouchers::ONE,
    vouchers::REDEMPTION,
    vouchers::ROLLED_BACK,
];

/// Tables in which an account has as many rows as it likes; one is found by what comes after the
/// account in a key. What an operator pays in by hand is none of them.
const OF_MANY: [&str; 8] = [
    "batches",
    "batch_items",
    "transactions",
    "attempts_ended",
    "events",
    "transfers",
    "deliveries",
    "delivery_attempts",
];

/// Tables with a few rows, whatever happens.
const SMALL: [&str; 6] = [
    "delivery_leases",
    "database_identity",
    "instances",
    "journals",
    "unsettled_references",
    "provider_environments",
];

/// So many transactions; half of everything belongs to one account.
fn fill(transactions: u32) -> String {
    FILL.replace("100000", &transactions.to_string())
}

const FILL: &str = include_str!("plans_fill.sql");

/// The plan that is made without a look at any value, as connections of ours make it.
async fn plan(connection: &mut PgConnection, sql: &str) -> Value {
    let prepare = AssertSqlSafe(format!("PREPARE asked AS {sql}"));
    connection.execute(prepare).await.unwrap();
    let count = "SELECT cardinality(parameter_types) FROM pg_prepared_statements
        WHERE name = 'asked'";
    let count = sqlx::query_scalar(count).fetch_one(&mut *connection);
    let count: i32 = count.await.unwrap();
    let values = vec!["NULL"; usize::try_from(count).unwrap()].join(", ");
    let values = match count {
        0 => values,
        _ => format!("({values})"),
    };
    let explain = AssertSqlSafe(format!("EXPLAIN (FORMAT JSON) EXECUTE asked{values}"));
    let row = sqlx::raw_sql(explain).fetch_one(&mut *connection).await;
    let text: String = row.unwrap().try_get_unchecked(0).unwrap();
    connection.execute("DEALLOCATE asked").await.unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Every step of a plan.
fn steps<'a>(plan: &'a Value, found: &mut Vec<&'a Value>) {
    if plan.get("Node Type").is_some() {
        found.push(plan);
    }
    let inside: Box<dyn Iterator<Item = &Value>> = match plan {
        Value::Array(all) => Box::new(all.iter()),
        Value::Object(all) => Box::new(all.values()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return,
    };
    for part in inside {
        steps(part, found);
    }
}

/// What is wrong with a step, if it may look at more rows than it was asked for.
fn rejection_reason(step: &Value) -> Option<String> {
    let text = |name: &str| step.get(name).and_then(Value::as_str).unwrap_or_default();
    let (kind, table, condition) = (
        text("Node Type"),
        text("Relation Name"),
        [text("Index Cond"), text("Recheck Cond")].concat(),
    );
    if !kind.ends_with("Scan") || table.is_empty() || SMALL.contains(&table) {
        return None;
    }
    // Each part of a condition on several columns stands in parentheses of its own.
    let parts = condition.matches(" AND ").count() + usize::from(!condition.is_empty());
    let wanted = if OF_MANY.contains(&table) { 2 } else { 1 };
    let is_claimed = ["attempts_open", "queue"].contains(&table);
    let claimed_by_time = is_claimed && condition.contains("due_at");
    // A query that leaps from endpoint to endpoint, or takes the oldest, stops at the first.
    let walked = match text("Index Name") {
        "deliveries_due" => parts < 1 || condition.contains("ROW("),
        "deliveries_delivered" => condition.contains("delivered_at"),
        "deliveries_next" => condition.contains("due_at") || condition.contains("requested"),
        "transactions_token" => condition.contains("opened_at"),
        _ => false,
    };
    (parts < wanted && !claimed_by_time && !walked)
        .then(|| format!("{kind} of {table} by [{condition}]"))
}

async fn every_plan_is_by_keys(database: &TestDatabase, when: &str) {
    let options = connection::options(&database.url()).unwrap();
    let mut connection = connection::connect(&options).await.unwrap();
    let mut wrong = Vec::new();
    let sales = invoices::STATEMENTS.into_iter().chain(bookings::STATEMENTS);
    let logs = crate::request_log::STATEMENTS.into_iter();
    for sql in STATEMENTS
        .into_iter()
        .chain(writer::vouchers::STATEMENTS)
        .chain(writer::collecting::STATEMENTS)
        .chain(sales)
        .chain(crate::allowlists::STATEMENTS)
        .chain(freezes::STATEMENTS)
        .chain(crate::account_changes::STATEMENTS)
        .chain(logs.chain(crate::change_requests::STATEMENTS))
        .chain(incoming_messages::STATEMENTS)
    {
        let plan = plan(&mut connection, sql).await;
        let mut all = Vec::new();
        steps(&plan, &mut all);
        let objections = all.into_iter().filter_map(rejection_reason);
        wrong.extend(objections.map(|it| format!("{it} in{sql}")));
    }
    connection::close(connection).await;
    assert!(wrong.is_empty(), "{when}: {}", wrong.join("\n\n"));
}

#[tokio::test]
async fn no_statement_looks_at_every_row_whatever_is_known_of_the_tables() {
    let database = Cluster::shared().database();
    migrate(&database.url(), &Roles::default()).await.unwrap();
    every_plan_is_by_keys(&database, "empty").await;
    database.psql(&fill(100_000));
    every_plan_is_by_keys(&database, "believed to be empty").await;
    database.psql("ANALYZE;");
    every_plan_is_by_keys(&database, "known to be full").await;
}

/// A server looks at its tables once a minute, so it soon looks at those of a new store. What it
/// plans then is kept for as long as it does not look again.
#[tokio::test]
async fn no_statement_walks_through_a_table_that_was_small_when_it_was_looked_at() {
    let database = Cluster::shared().database();
    migrate(&database.url(), &Roles::default()).await.unwrap();
    database.psql("VACUUM ANALYZE;");
    every_plan_is_by_keys(&database, "known to be empty").await;
    database.psql(&fill(1));
    database.psql("VACUUM ANALYZE;");
    every_plan_is_by_keys(&database, "known to have one row").await;
    let database = Cluster::shared().database();
    migrate(&database.url(), &Roles::default()).await.unwrap();
    database.psql(&fill(200));
    database.psql("VACUUM ANALYZE;");
    every_plan_is_by_keys(&database, "known to be young").await;
}

#[tokio::test]
async fn a_time_of_an_endpoint_is_a_range_of_an_index() {
    let database = Cluster::shared().database();
    migrate(&database.url(), &Roles::default()).await.unwrap();
    database.psql(&fill(10_000));
    database.psql("VACUUM ANALYZE;");
    let options = connection::options(&database.url()).unwrap();
    let mut connection = connection::connect(&options).await.unwrap();
    for (sql, index) in [
        (outbox::replay::RANGE, "deliveries_listed_to"),
        (outbox::list::TO_ONE[0], "deliveries_listed_to"),
        (outbox::list::PARKED_TO_ONE[1], "deliveries_parked_to"),
    ] {
        let plan = plan(&mut connection, sql).await.to_string();
        assert!(plan.contains(index), "{plan}");
    }
    connection::close(connection).await;
}

/// The check itself can fail.
#[tokio::test]
async fn a_statement_that_reads_a_whole_account_is_found() {
    let database = Cluster::shared().database();
    migrate(&database.url(), &Roles::default()).await.unwrap();
    let options = connection::options(&database.url()).unwrap();
    let mut connection = connection::connect(&options).await.unwrap();
    for sql in [
        "SELECT 1 FROM transactions",
        "SELECT 1 FROM transactions WHERE account = $1",
        "SELECT 1 FROM transactions WHERE account = $1 AND price = $2",
        "SELECT 1 FROM wallets WHERE held = $1",
    ] {
        let plan = plan(&mut connection, sql).await;
        let mut all = Vec::new();
        steps(&plan, &mut all);
        assert!(
            all.into_iter().any(|step| rejection_reason(step).is_some()),
            "{sql}"
        );
    }
}
