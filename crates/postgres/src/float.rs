//! Our money at providers. What was entered must stay as it was entered.

use crate::connection;
use crate::error::failed;
use crate::store::PostgresStore;
use crate::writer::PostgresWriter;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::float::{LedgerFloat, Prefunding};
use domain::provider::ProviderId;
use ports::PortError;
use ports::float::{PrefundOutcome, ProviderFloats};
use storage_sql::float::{FloatColumns, float, taken};

const BEFORE: &str =
    "SELECT amount, currency FROM prefundings WHERE provider = $1 AND reference = $2";

/// Inserts nothing where another process took the number or the reference meanwhile.
const ENTER: &str = "
    INSERT INTO prefundings (
        number, provider, reference, amount, currency, reason, entered_by, at
    )
    SELECT coalesce(max(number), 0) + 1, $1, $2, $3, $4, $5, $6, $7 FROM prefundings
    ON CONFLICT DO NOTHING";

/// What is free must be counted again.
/// Where it is being counted just now, the next count finds this.
const COUNT_ANEW: &str = "
    UPDATE float_reserves SET counted_at = NULL WHERE provider IN (
        SELECT provider FROM float_reserves WHERE provider = $1 FOR UPDATE SKIP LOCKED
    )";

/// The currency, what was paid in and what was taken, one row for each currency that moved.
const FLOATS: &str = "
    SELECT currency, sum(prefunded)::bigint, sum(spent)::bigint FROM (
        SELECT currency, amount AS prefunded, 0::bigint AS spent FROM prefundings
        WHERE provider = $1
        UNION ALL
        SELECT currency, 0, amount FROM transfers
        WHERE credit_kind = 'float' AND credit_holder = $1
        UNION ALL
        SELECT currency, 0, -amount FROM transfers
        WHERE debit_kind = 'float' AND debit_holder = $1
    ) AS moved GROUP BY currency ORDER BY currency";

/// The writer that takes entries is found by a name, as that of an account is.
const WRITER: &str = "prefundings";

#[async_trait]
impl ProviderFloats for PostgresStore {
    async fn prefund(&self, prefunding: &Prefunding) -> Result<PrefundOutcome, PortError> {
        let prefunding = prefunding.clone();
        let writer = AccountId::parse(WRITER);
        let writer = writer.map_err(|error| PortError::caused("postgres", WRITER, error))?;
        self.alone(&writer, move |writer| Box::pin(writer.prefund(prefunding)))
            .await
    }

    async fn floats(&self, provider: &ProviderId) -> Result<Vec<LedgerFloat>, PortError> {
        let mut connection = self.at_leisure().await?;
        let rows: Vec<FloatColumns> = sqlx::query_as(FLOATS)
            .bind(provider.as_str())
            .fetch_all(&mut connection)
            .await
            .map_err(failed("read the float of a provider"))?;
        connection::close(connection).await;
        rows.into_iter().map(float).collect()
    }
}

impl PostgresWriter {
    async fn prefund(&mut self, it: Prefunding) -> Result<PrefundOutcome, PortError> {
        let mut step = self.step().await?;
        let before: Option<(i64, String)> = sqlx::query_as(BEFORE)
            .bind(it.provider.as_str())
            .bind(it.reference.as_str())
            .fetch_optional(&mut *step)
            .await
            .map_err(failed("look for a prefunding"))?;
        if let Some(before) = before {
            return taken(before);
        }
        let entered = sqlx::query(ENTER)
            .bind(it.provider.as_str())
            .bind(it.reference.as_str())
            .bind(it.amount.minor())
            .bind(it.amount.currency().code())
            .bind(&it.reason)
            .bind(&it.by)
            .bind(it.at.as_millis())
            .execute(&mut *step)
            .await
            .map_err(failed("enter a prefunding"))?;
        if entered.rows_affected() != 1 {
            let what = "another prefunding was entered at the same moment; enter it again";
            return Err(PortError::new("postgres", what).with_nothing_done());
        }
        sqlx::query(COUNT_ANEW)
            .bind(it.provider.as_str())
            .execute(&mut *step)
            .await
            .map_err(failed("have the float of a provider counted anew"))?;
        step.commit().await.map_err(failed("commit a prefunding"))?;
        Ok(PrefundOutcome::Done)
    }
}
