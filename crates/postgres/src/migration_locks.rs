//! The locks of a migration, taken before the first of its statements. Servers that are at work
//! take theirs in other orders: a migration that came to its locks one by one would wait for a
//! server that waits for it, and one of the two would fail. It must give up before the database
//! looks for that.

use crate::error::failed;
use ports::PortError;
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Executor};

/// How long each lock is waited for: less than the second after which the database ends one of
/// those that wait for one another, so that no payment is ended for it.
const WITHIN: &str = "SET LOCAL lock_timeout = '300ms'";

/// The tables there are. Those that payments come to first are in front: once these are locked,
/// what is under way ends and nothing new begins.
const TABLES: &str = "
    SELECT relname::text FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
    ORDER BY array_position(ARRAY['accounts', 'transactions', 'transfers'], relname::text)
        NULLS LAST, relname";

/// Locks every table that migrations name, until the transaction ends.
pub(crate) async fn take(connection: &mut PgConnection, pending: &[&str]) -> Result<(), PortError> {
    let tables: Vec<String> = sqlx::query_scalar(TABLES)
        .fetch_all(&mut *connection)
        .await
        .map_err(failed("list the tables"))?;
    let named = tables
        .iter()
        .filter(|table| pending.iter().any(|sql| names(sql, table)));
    let named: Vec<_> = named.map(|table| format!("\"{table}\"")).collect();
    if named.is_empty() {
        return Ok(());
    }
    let limited = connection.execute(WITHIN).await;
    limited.map_err(failed("limit the wait for locks"))?;
    let lock = format!("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE", named.join(", "));
    let locked = connection.execute(AssertSqlSafe(lock)).await;
    locked.map_err(failed("lock the tables")).map(drop)
}

/// Whether SQL names a table, comments apart.
fn names(sql: &str, table: &str) -> bool {
    let statements = sql
        .lines()
        .map(|line| line.split("--").next().unwrap_or(""));
    let is_separator = |it: char| !it.is_ascii_alphanumeric() && it != '_';
    statements
        .flat_map(|line| line.split(is_separator))
        .any(|word| word == table)
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn a_table_is_named_as_a_whole_word_of_a_statement() {
        let sql = "-- Of the queue.\nALTER TABLE accounts\n    ADD COLUMN x text; -- of transfers";
        assert!(names(sql, "accounts"));
        for other in ["queue", "account", "transfers"] {
            assert!(!names(sql, other), "{other}");
        }
    }
}
