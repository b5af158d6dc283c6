//! How the server runs our statements. None must look at every row of a table or of an account:
//! plans are made once, and what costs nothing on an empty store costs the most on a full one. An
//! account is asked for as `= ANY (ARRAY[...])`: an equality would have an index walked in order.

mod statements;

use crate::grants::Roles;
use crate::migrate::migrate;
use crate::{bookings, connection, freezes, incoming_messages, invoices, outbox, writer};
use postgres_cluster::{Cluster, TestDatabase};
use serde_json::Value;
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Executor, Row};
use statements::STATEMENTS;

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
