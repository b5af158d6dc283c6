//! Tranches of our money at providers. The row of a provider is locked from the first look to the
//! commit, so requests are answered one after the other; payments never wait for it.

use crate::connection::{self, StatementAnswer};
use crate::error::failed;
use crate::store::PostgresStore;
use async_trait::async_trait;
use domain::float_reserve::{FloatReserve, TrancheGrant, TrancheHolder, TrancheRequest};
use domain::time::Timestamp;
use ports::PortError;
use ports::float_tranches::FloatTranches;
use sqlx::postgres::PgConnection;
use sqlx::{Connection as _, Error};
use storage_sql::float_reserve::{ReserveColumns, TrancheColumns, naira, reserve};

const BEGIN: &str = "
    INSERT INTO float_reserves (provider, free) VALUES ($1, 0) ON CONFLICT DO NOTHING";

const LOCK: &str = "SELECT free, counted_at FROM float_reserves WHERE provider = $1 FOR UPDATE";

const NOW: &str = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint";

const TRANCHES: &str = "SELECT holder, amount, until FROM float_tranches WHERE provider = $1";

/// What was paid in, less what was taken, less what open attempts cost.
const LEFT: &str = "
    SELECT (
        (SELECT coalesce(sum(amount), 0) FROM prefundings
            WHERE provider = $1 AND currency = 'NGN')
        - (SELECT coalesce(sum(amount), 0) FROM transfers
            WHERE credit_kind = 'float' AND credit_holder = $1 AND currency = 'NGN')
        + (SELECT coalesce(sum(amount), 0) FROM transfers
            WHERE debit_kind = 'float' AND debit_holder = $1 AND currency = 'NGN')
        - (SELECT coalesce(sum(t.cost), 0) FROM attempts_open AS o
            JOIN transactions AS t ON t.account = o.account AND t.number = o.transaction
            WHERE coalesce(o.provider, t.provider) = $1 AND t.currency = 'NGN')
    )::bigint";

const SET: &str = "UPDATE float_reserves SET free = $2, counted_at = $3 WHERE provider = $1";

const CLEAR: &str = "DELETE FROM float_tranches WHERE provider = $1";

const DIVIDE: &str = "
    INSERT INTO float_tranches (provider, holder, amount, until)
    SELECT $1, * FROM unnest($2::bigint[], $3::bigint[], $4::bigint[])";

/// Open attempts are few: each finds its transaction by its key.
const LOOK_UP: &str = "SET LOCAL enable_nestloop = on";

const RELEASE: &str = "
    WITH released AS (DELETE FROM float_tranches WHERE holder = $1 RETURNING provider)
    UPDATE float_reserves SET counted_at = NULL WHERE provider IN (SELECT provider FROM released)";

#[async_trait]
impl FloatTranches for PostgresStore {
    async fn lease(
        &self,
        request: &TrancheRequest,
        _: Timestamp,
    ) -> Result<TrancheGrant, PortError> {
        // Counting takes as long as the ledger is large.
        let mut connection = self.at_leisure().await?;
        let grant = lease(&mut connection, request).await;
        connection::close(connection).await;
        grant.map_err(failed("lease a tranche of the float"))
    }

    async fn release(&self, holder: TrancheHolder) -> Result<(), PortError> {
        sqlx::query(RELEASE)
            .bind(holder.0)
            .execute(&self.steps)
            .in_time()
            .await
            .map_err(failed("release the tranches of an instance"))?;
        Ok(())
    }
}

async fn lease(
    connection: &mut PgConnection,
    request: &TrancheRequest,
) -> Result<TrancheGrant, Error> {
    let provider = request.provider.as_str();
    let mut step = connection.begin().await?;
    sqlx::query(BEGIN)
        .bind(provider)
        .execute(&mut *step)
        .await?;
    let columns: ReserveColumns = sqlx::query_as(LOCK)
        .bind(provider)
        .fetch_one(&mut *step)
        .await?;
    let now: i64 = sqlx::query_scalar(NOW).fetch_one(&mut *step).await?;
    let now = Timestamp::from_millis(now);
    let tranches: Vec<TrancheColumns> = sqlx::query_as(TRANCHES)
        .bind(provider)
        .fetch_all(&mut *step)
        .await?;
    let mut before = reserve(columns, tranches);
    if before.must_count(request, now) {
        sqlx::query(LOOK_UP).execute(&mut *step).await?;
        let left: i64 = sqlx::query_scalar(LEFT)
            .bind(provider)
            .fetch_one(&mut *step)
            .await?;
        before = before.counted(naira(left), request, now);
    }
    let (after, grant) = before.lease(request, now);
    write(&mut step, provider, &after).await?;
    step.commit().await?;
    Ok(grant)
}

async fn write(step: &mut PgConnection, provider: &str, after: &FloatReserve) -> Result<(), Error> {
    sqlx::query(SET)
        .bind(provider)
        .bind(after.free.minor())
        .bind(after.counted_at.map(Timestamp::as_millis))
        .execute(&mut *step)
        .await?;
    sqlx::query(CLEAR)
        .bind(provider)
        .execute(&mut *step)
        .await?;
    let tranches = after.tranches.iter();
    sqlx::query(DIVIDE)
        .bind(provider)
        .bind(tranches.clone().map(|it| it.holder.0).collect::<Vec<_>>())
        .bind(
            tranches
                .clone()
                .map(|it| it.amount.minor())
                .collect::<Vec<_>>(),
        )
        .bind(tranches.map(|it| it.until.as_millis()).collect::<Vec<_>>())
        .execute(&mut *step)
        .await?;
    Ok(())
}
