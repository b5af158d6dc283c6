//! Our money at providers. What was entered must stay as it was entered.

use crate::error::{failed, wrote};
use crate::store::SqliteStore;
use crate::writer::SqliteWriter;
use async_trait::async_trait;
use domain::float::{LedgerFloat, Prefunding};
use domain::provider::ProviderId;
use ports::PortError;
use ports::float::{PrefundOutcome, ProviderFloats};
use storage_sql::float::{FloatColumns, float, taken};

const BEFORE: &str =
    "SELECT amount, currency FROM prefundings WHERE provider = ?1 AND reference = ?2";

const ENTER: &str = "
    INSERT INTO prefundings (
        number, provider, reference, amount, currency, reason, entered_by, at
    )
    SELECT coalesce(max(number), 0) + 1, ?1, ?2, ?3, ?4, ?5, ?6, ?7 FROM prefundings";

/// What is free must be counted again.
const COUNT_ANEW: &str = "UPDATE float_reserves SET counted_at = NULL WHERE provider = ?1";

/// The currency, what was paid in and what was taken, one row for each currency that moved.
const FLOATS: &str = "
    SELECT currency, sum(prefunded), sum(spent) FROM (
        SELECT currency, amount AS prefunded, 0 AS spent FROM prefundings WHERE provider = ?1
        UNION ALL
        SELECT currency, 0, amount FROM transfers
        WHERE credit_kind = 'float' AND credit_holder = ?1
        UNION ALL
        SELECT currency, 0, -amount FROM transfers
        WHERE debit_kind = 'float' AND debit_holder = ?1
    ) GROUP BY currency ORDER BY currency";

#[async_trait]
impl ProviderFloats for SqliteStore {
    async fn prefund(&self, prefunding: &Prefunding) -> Result<PrefundOutcome, PortError> {
        let prefunding = prefunding.clone();
        self.writer
            .alone(move |writer| Box::pin(writer.prefund(prefunding)))
            .await?
    }

    async fn floats(&self, provider: &ProviderId) -> Result<Vec<LedgerFloat>, PortError> {
        let rows: Vec<FloatColumns> = sqlx::query_as(FLOATS)
            .bind(provider.as_str())
            .fetch_all(&self.pages)
            .await
            .map_err(failed("read the float of a provider"))?;
        rows.into_iter().map(float).collect()
    }
}

impl SqliteWriter {
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
        wrote(entered.rows_affected(), 1, "enter a prefunding")?;
        sqlx::query(COUNT_ANEW)
            .bind(it.provider.as_str())
            .execute(&mut *step)
            .await
            .map_err(failed("have the float of a provider counted anew"))?;
        step.commit().await.map_err(failed("commit a prefunding"))?;
        Ok(PrefundOutcome::Done)
    }
}
