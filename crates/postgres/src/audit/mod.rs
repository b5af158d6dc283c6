//! The audit of the database, on one snapshot and a connection of its own. It must not use the
//! writers: an audit never delays a payment, and never mends.

mod append_only;
mod records;
mod schema;

use crate::connection;
use crate::error::failed;
use crate::row_codes;
use crate::store::PostgresStore;
use async_trait::async_trait;
use domain::provider::ProviderId;
use domain::time::Timestamp;
use ports::PortError;
use ports::audit::{Audit, Booked, CheckResult, OFFENCES_MAX, Serving};
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Executor};
use storage_sql::audit::outcome::{AttemptColumns, add, booked, found, not_serving};
use storage_sql::audit::{Applies, CHECKS, Check, OVERDUE_MS};

/// One moment of the books, seen through the views that the questions are written for.
const BEGIN: &str = "
    BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
    SET LOCAL search_path = audit, public";

const ATTEMPTS: &str = "
    SELECT a.provider_reference, a.state, a.is_loss, t.amount, t.currency,
        CASE a.state WHEN 'delivered' THEN t.price - t.fee - t.vat - t.levy - coalesce((
            SELECT sum(CASE f.credit_kind WHEN 'float' THEN -f.amount ELSE f.amount END)
            FROM transfers AS f
            WHERE f.account = t.account AND f.transaction = t.number AND f.step IN (3, 28)
        ), 0)::bigint ELSE t.cost END, t.progress,
        a.number, t.account, t.number
    FROM (
        SELECT account, transaction, number, state, provider_reference, provider, false AS is_loss
        FROM attempts_open
        UNION ALL
        SELECT account, transaction, number, state, provider_reference, provider,
            contradicted_at IS NOT NULL AND taken_back_at IS NULL
        FROM attempts_ended
    ) AS a
    JOIN transactions AS t ON t.account = a.account AND t.number = a.transaction
    WHERE coalesce(a.provider, t.provider) = $1
    ORDER BY t.opened_at, t.account, t.number, a.number";

/// What takes the place of the shared question about gaps: numbers of a sequence may have some.
const KEPT: &str = include_str!("kept.sql");

#[async_trait]
impl Audit for PostgresStore {
    async fn audit(&self, now: Timestamp, serving: Serving) -> Result<Vec<CheckResult>, PortError> {
        let mut connection = self.at_leisure().await?;
        let begun = connection.execute(BEGIN).await;
        begun.map_err(failed("begin an audit"))?;
        let mut results = Vec::with_capacity(CHECKS.len());
        let mut records = records::read(&mut connection, self.cipher()).await?;
        for check in &CHECKS {
            let mut result = judge(&mut connection, check, (now, serving)).await?;
            match check.invariant {
                "I9" => add(&mut result, std::mem::take(&mut records.unreadable)),
                "I12" => add(&mut result, append_only::altered(&mut connection).await?),
                _ => {}
            }
            results.push(result);
        }
        let are_required = row_codes::are_required(&mut connection).await?;
        results.push(records.codes(are_required));
        results.push(schema::check(&mut connection).await?);
        results.push(records.costs());
        connection::close(connection).await;
        Ok(results)
    }

    async fn attempts(&self, provider: &ProviderId) -> Result<Vec<Booked>, PortError> {
        let mut connection = self.at_leisure().await?;
        let rows: Vec<AttemptColumns> = sqlx::query_as(ATTEMPTS)
            .bind(provider.as_str())
            .fetch_all(&mut connection)
            .await
            .map_err(failed("read the attempts at a provider"))?;
        connection::close(connection).await;
        let rows = rows.into_iter();
        rows.map(|row| booked(row, self.cipher())).collect()
    }
}

impl PostgresStore {
    /// A connection for questions to all rows: they take their time, and joins that suit them.
    pub(crate) async fn at_leisure(&self) -> Result<PgConnection, PortError> {
        let options = self.shared.options.clone().options([
            ("statement_timeout", "0"),
            ("enable_seqscan", "on"),
            ("enable_hashjoin", "on"),
            ("enable_mergejoin", "on"),
            // The planner has no statistics about how rows of the views match; if it assumes few,
            // it reads everything once for each row.
            ("enable_nestloop", "off"),
            ("plan_cache_mode", "auto"),
            ("work_mem", "64MB"),
        ]);
        connection::connect(&options).await
    }
}

async fn judge(
    snapshot: &mut PgConnection,
    check: &Check,
    (now, serving): (Timestamp, Serving),
) -> Result<CheckResult, PortError> {
    let question = match check.invariant {
        "I12" => KEPT,
        _ => check.offences,
    };
    let outcome = match (check.applies, serving) {
        (Applies::WhileServing, Serving::No) => not_serving(),
        (Applies::WhileServing, Serving::Yes) | (Applies::Always, _) => {
            let offences = format!("SELECT line FROM ({question}) AS q LIMIT {OFFENCES_MAX}");
            let mut asked = sqlx::query_scalar(AssertSqlSafe(offences));
            if check.applies == Applies::WhileServing {
                asked = asked.bind(now.as_millis().saturating_sub(OVERDUE_MS));
            }
            let offences: Vec<String> = asked
                .fetch_all(&mut *snapshot)
                .await
                .map_err(failed(format_args!("judge {}", check.invariant)))?;
            let examined: i64 = sqlx::query_scalar(check.examined)
                .fetch_one(snapshot)
                .await
                .map_err(failed(format_args!("count for {}", check.invariant)))?;
            found(offences, examined)
        }
    };
    Ok(CheckResult {
        invariant: check.invariant,
        rule: check.rule,
        outcome,
    })
}
