//! Tranches of our money at providers. One process has the file, so the ledger is counted beside
//! its writer: nothing else could lease meanwhile.

use crate::error::failed;
use crate::store::SqliteStore;
use crate::writer::SqliteWriter;
use async_trait::async_trait;
use domain::float_reserve::{FloatReserve, TrancheGrant, TrancheHolder, TrancheRequest};
use domain::time::Timestamp;
use ports::PortError;
use ports::float_tranches::FloatTranches;
use storage_sql::float_reserve::{ReserveColumns, TrancheColumns, naira, reserve};

const RESERVE: &str = "SELECT free, counted_at FROM float_reserves WHERE provider = ?1";

const TRANCHES: &str = "SELECT holder, amount, until FROM float_tranches WHERE provider = ?1";

/// What was paid in, less what was taken, less what open attempts cost.
const LEFT: &str = "
    SELECT
        (SELECT coalesce(sum(amount), 0) FROM prefundings
            WHERE provider = ?1 AND currency = 'NGN')
        - (SELECT coalesce(sum(amount), 0) FROM transfers
            WHERE credit_kind = 'float' AND credit_holder = ?1 AND currency = 'NGN')
        + (SELECT coalesce(sum(amount), 0) FROM transfers
            WHERE debit_kind = 'float' AND debit_holder = ?1 AND currency = 'NGN')
        - (SELECT coalesce(sum(t.cost), 0) FROM attempts AS o
            JOIN transactions AS t ON t.id = o.transaction_id
            WHERE o.state IN ('sending', 'in_doubt', 'review')
            AND coalesce(o.provider, t.provider) = ?1 AND t.currency = 'NGN')";

const SET: &str = "
    INSERT INTO float_reserves (provider, free, counted_at) VALUES (?1, ?2, ?3)
    ON CONFLICT (provider) DO UPDATE SET free = excluded.free, counted_at = excluded.counted_at";

const CLEAR: &str = "DELETE FROM float_tranches WHERE provider = ?1";

const COUNT_ANEW: &str = "
    UPDATE float_reserves SET counted_at = NULL
    WHERE provider IN (SELECT provider FROM float_tranches WHERE holder = ?1)";

const RELEASE: &str = "DELETE FROM float_tranches WHERE holder = ?1";

const GIVE: &str = "
    INSERT INTO float_tranches (provider, holder, amount, until) VALUES (?1, ?2, ?3, ?4)";

#[async_trait]
impl FloatTranches for SqliteStore {
    async fn lease(
        &self,
        request: &TrancheRequest,
        now: Timestamp,
    ) -> Result<TrancheGrant, PortError> {
        let provider = request.provider.as_str();
        let columns: Option<ReserveColumns> = sqlx::query_as(RESERVE)
            .bind(provider)
            .fetch_optional(&self.pages)
            .await
            .map_err(failed("read the reserve of a provider"))?;
        let tranches: Vec<TrancheColumns> = sqlx::query_as(TRANCHES)
            .bind(provider)
            .fetch_all(&self.pages)
            .await
            .map_err(failed("read the tranches of a provider"))?;
        let mut before = columns.map_or(FloatReserve::UNKNOWN, |it| reserve(it, tranches));
        // One process at a time has the file: those of others are of processes that ended.
        before.tranches.retain(|it| it.holder == request.holder);
        if before.must_count(request, now) {
            let left: i64 = sqlx::query_scalar(LEFT)
                .bind(provider)
                .fetch_one(&self.pages)
                .await
                .map_err(failed("count the float of a provider"))?;
            before = before.counted(naira(left), request, now);
        }
        let (after, grant) = before.lease(request, now);
        let provider = request.provider.clone();
        self.writer
            .alone(move |writer| {
                Box::pin(async move { writer.keep_reserve(provider.as_str(), after).await })
            })
            .await??;
        Ok(grant)
    }

    async fn release(&self, holder: TrancheHolder) -> Result<(), PortError> {
        self.writer
            .alone(move |writer| Box::pin(writer.release_tranches(holder)))
            .await?
    }
}

impl SqliteWriter {
    async fn release_tranches(&mut self, holder: TrancheHolder) -> Result<(), PortError> {
        let mut step = self.step().await?;
        for statement in [COUNT_ANEW, RELEASE] {
            sqlx::query(statement)
                .bind(holder.0)
                .execute(&mut *step)
                .await
                .map_err(failed("release the tranches of an instance"))?;
        }
        step.commit()
            .await
            .map_err(failed("commit the release of tranches"))
    }

    async fn keep_reserve(&mut self, provider: &str, after: FloatReserve) -> Result<(), PortError> {
        let mut step = self.step().await?;
        sqlx::query(SET)
            .bind(provider)
            .bind(after.free.minor())
            .bind(after.counted_at.map(Timestamp::as_millis))
            .execute(&mut *step)
            .await
            .map_err(failed("keep the reserve of a provider"))?;
        sqlx::query(CLEAR)
            .bind(provider)
            .execute(&mut *step)
            .await
            .map_err(failed("replace the tranches of a provider"))?;
        for tranche in &after.tranches {
            sqlx::query(GIVE)
                .bind(provider)
                .bind(tranche.holder.0)
                .bind(tranche.amount.minor())
                .bind(tranche.until.as_millis())
                .execute(&mut *step)
                .await
                .map_err(failed("keep a tranche of a provider"))?;
        }
        step.commit()
            .await
            .map_err(failed("commit the reserve of a provider"))
    }
}
