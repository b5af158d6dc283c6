//! The audit of the file, on one snapshot. It must not use the writer: an audit never delays a
//! payment, and never mends.

mod append_only;
mod records;
mod schema;

use crate::error::failed;
use crate::row_codes;
use crate::store::SqliteStore;
use async_trait::async_trait;
use domain::provider::ProviderId;
use domain::time::Timestamp;
use ports::PortError;
use ports::audit::{Audit, Booked, CheckResult, OFFENCES_MAX, Serving};
use sqlx::sqlite::SqliteConnection;
use sqlx::{AssertSqlSafe, Connection};
use storage_sql::audit::outcome::{AttemptColumns, add, booked, found, not_serving};
use storage_sql::audit::{Applies, CHECKS, Check, OVERDUE_MS};

const ATTEMPTS: &str = "
    SELECT a.provider_reference, a.state,
        a.contradicted_at IS NOT NULL AND a.taken_back_at IS NULL, t.amount, t.currency,
        CASE a.state WHEN 'delivered' THEN t.price - t.fee - t.vat - t.levy - coalesce((
            SELECT sum(CASE f.credit_kind WHEN 'float' THEN -f.amount ELSE f.amount END)
            FROM transfers AS f WHERE f.transaction_id = t.id AND f.kind IN ('margin', 'unused')
        ), 0) ELSE t.cost END, t.progress, a.number, t.account, t.number
    FROM transactions AS t JOIN attempts AS a ON a.transaction_id = t.id
    WHERE coalesce(a.provider, t.provider) = ?1 ORDER BY t.id, a.number";

#[async_trait]
impl Audit for SqliteStore {
    async fn audit(&self, now: Timestamp, serving: Serving) -> Result<Vec<CheckResult>, PortError> {
        let mut connection = self
            .reads
            .acquire()
            .await
            .map_err(failed("begin an audit"))?;
        let mut snapshot = connection.begin().await.map_err(failed("begin an audit"))?;
        let mut results = Vec::with_capacity(CHECKS.len());
        let mut records = records::read(&mut snapshot, &self.cipher).await?;
        for check in &CHECKS {
            let mut result = judge(&mut snapshot, check, (now, serving)).await?;
            match check.invariant {
                "I9" => add(&mut result, std::mem::take(&mut records.unreadable)),
                "I12" => add(&mut result, append_only::altered(&mut snapshot).await?),
                _ => {}
            }
            results.push(result);
        }
        let are_required = row_codes::is_done(&mut snapshot).await?;
        results.push(records.codes(are_required));
        results.push(schema::check(&mut snapshot).await?);
        results.push(records.costs());
        Ok(results)
    }

    async fn attempts(&self, provider: &ProviderId) -> Result<Vec<Booked>, PortError> {
        let rows: Vec<AttemptColumns> = sqlx::query_as(ATTEMPTS)
            .bind(provider.as_str())
            .fetch_all(&self.reads)
            .await
            .map_err(failed("read the attempts at a provider"))?;
        let rows = rows.into_iter();
        rows.map(|row| booked(row, &self.cipher)).collect()
    }
}

async fn judge(
    snapshot: &mut SqliteConnection,
    check: &Check,
    (now, serving): (Timestamp, Serving),
) -> Result<CheckResult, PortError> {
    let outcome = match (check.applies, serving) {
        (Applies::WhileServing, Serving::No) => not_serving(),
        (Applies::WhileServing, Serving::Yes) | (Applies::Always, _) => {
            let offences = format!("SELECT line FROM ({}) LIMIT {OFFENCES_MAX}", check.offences);
            let offences: Vec<String> = sqlx::query_scalar(AssertSqlSafe(offences))
                .bind(now.as_millis().saturating_sub(OVERDUE_MS))
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
