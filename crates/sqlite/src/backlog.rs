//! What waits in the file, in numbers. It must read only rows that are not finished.

use crate::error::failed;
use crate::store::SqliteStore;
use crate::writer::SqliteWriter;
use async_trait::async_trait;
use domain::time::Timestamp;
use ports::PortError;
use ports::backlog::{Backlog, OpenPayments, PoolState, StoreState, WebhookBacklog};
use sqlx::Row as _;
use sqlx::SqlitePool;
use sqlx::sqlite::SqliteRow;
use storage_sql::record::{EndpointBacklogColumns, OpenPaymentsRow, opened_up_to, webhook_backlog};

/// What is due or queued is not final, and so is what waits for a person. No moment is before zero:
/// the conditions on it have the indexes searched.
pub(crate) const OPEN: &str = "
    SELECT coalesce(a.provider, found.provider), found.state, count(*), sum(opened_at <= ?1),
        sum(opened_at <= ?2), sum(opened_at <= ?3), sum(opened_at <= ?4), min(opened_at)
    FROM (
        SELECT id, provider, state, opened_at FROM transactions WHERE due_at >= 0
        UNION ALL
        SELECT t.id, t.provider, t.state, t.opened_at FROM queue AS q
        JOIN transactions AS t ON t.id = q.transaction_id WHERE q.due_at >= 0
        UNION ALL
        SELECT id, provider, state, opened_at FROM transactions WHERE state = 'review'
    ) AS found
    LEFT JOIN attempts AS a
        ON a.transaction_id = found.id AND a.state IN ('sending', 'in_doubt', 'review')
    GROUP BY 1, 2 ORDER BY 1, 2";

pub(crate) const BEHIND: &str = "
    SELECT account, endpoint, count(*), min(at) FROM deliveries
    WHERE requested IN (0, 1) AND due_at >= 0
    GROUP BY account, endpoint ORDER BY min(at), account, endpoint LIMIT ?1";

pub(crate) const WAITING: &str = "
    SELECT count(*), min(at) FROM deliveries WHERE requested IN (0, 1) AND due_at >= 0";

pub(crate) const GIVEN_UP: &str = "SELECT count(*) FROM deliveries WHERE parked_at IS NOT NULL";

fn open_payments(row: &SqliteRow) -> Result<OpenPayments, PortError> {
    let read = || {
        Ok(OpenPaymentsRow {
            provider: row.try_get(0)?,
            state: row.try_get(1)?,
            counts: [
                row.try_get(2)?,
                row.try_get(3)?,
                row.try_get(4)?,
                row.try_get(5)?,
                row.try_get(6)?,
            ],
            oldest_at: row.try_get(7)?,
        })
    };
    read().map_err(failed("read open payments"))?.restore()
}

fn pool(name: &'static str, pool: &SqlitePool) -> PoolState {
    PoolState {
        name,
        open: pool.size(),
        idle: u32::try_from(pool.num_idle()).unwrap_or(u32::MAX),
    }
}

#[async_trait]
impl Backlog for SqliteStore {
    async fn open_payments(&self, now: Timestamp) -> Result<Vec<OpenPayments>, PortError> {
        let mut query = sqlx::query(OPEN);
        for moment in opened_up_to(now) {
            query = query.bind(moment);
        }
        let rows = query.fetch_all(&self.pages).await;
        let rows = rows.map_err(failed("count what is open"))?;
        rows.iter().map(open_payments).collect()
    }

    async fn webhook_events(&self, endpoints_max: u32) -> Result<WebhookBacklog, PortError> {
        let cannot = || failed("count the events that wait");
        let waiting: (i64, Option<i64>) = sqlx::query_as(WAITING)
            .fetch_one(&self.pages)
            .await
            .map_err(cannot())?;
        let given_up: i64 = sqlx::query_scalar(GIVEN_UP)
            .fetch_one(&self.pages)
            .await
            .map_err(cannot())?;
        let behind: Vec<EndpointBacklogColumns> = sqlx::query_as(BEHIND)
            .bind(i64::from(endpoints_max))
            .fetch_all(&self.pages)
            .await
            .map_err(cannot())?;
        webhook_backlog(waiting, given_up, behind)
    }

    async fn read_state(&self) -> Result<StoreState, PortError> {
        Ok(StoreState {
            bytes: Some(self.bytes().await?),
            clock: None,
            standby_behind_bytes: None,
            pools: vec![pool("reads", &self.reads), pool("lists", &self.pages)],
        })
    }

    async fn await_writer(&self) -> Result<(), PortError> {
        self.writer
            .alone(|writer| Box::pin(writer.could_write()))
            .await?
    }
}

impl SqliteWriter {
    /// Takes the lock that a write takes, and lets go of it.
    async fn could_write(&mut self) -> Result<(), PortError> {
        let cannot = || failed("begin to write");
        let connection = self.connection();
        let begun = sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection);
        begun.await.map_err(cannot())?;
        let ended = sqlx::query("ROLLBACK").execute(connection).await;
        ended.map(drop).map_err(cannot())
    }
}
