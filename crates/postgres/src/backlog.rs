//! What waits in the database, in numbers. It must read only rows that are not finished.

use crate::connection::{StatementAnswer as _, database_time};
use crate::error::{PART, failed};
use crate::standby::Standby;
use crate::store::PostgresStore;
use crate::writer::PostgresWriter;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::time::Timestamp;
use ports::PortError;
use ports::backlog::{Backlog, OpenPayments, PoolState, StoreState, WebhookBacklog};
use sqlx::PgPool;
use sqlx::Row as _;
use sqlx::postgres::PgRow;
use storage_sql::record::{EndpointBacklogColumns, OpenPaymentsRow, opened_up_to, webhook_backlog};

/// What is attempted, queued or waits for a person: every row of two tables that have no other.
const OPEN: &str = "
    SELECT coalesce(a.provider, t.provider), a.state, count(*),
        count(*) FILTER (WHERE t.opened_at <= $1), count(*) FILTER (WHERE t.opened_at <= $2),
        count(*) FILTER (WHERE t.opened_at <= $3), count(*) FILTER (WHERE t.opened_at <= $4),
        min(t.opened_at)
    FROM (
        SELECT account, transaction, state, provider FROM attempts_open
        UNION ALL SELECT account, transaction, 'queued', NULL::text FROM queue
    ) AS a
    JOIN transactions AS t ON t.account = ANY (ARRAY[a.account]) AND t.number = a.transaction
    GROUP BY 1, 2 ORDER BY 1, 2";

const BEHIND: &str = "
    SELECT account, endpoint, count(*), min(at) FROM deliveries
    WHERE due_at IS NOT NULL
    GROUP BY account, endpoint ORDER BY min(at), account, endpoint LIMIT $1";

const WAITING: &str = "SELECT count(*), min(at) FROM deliveries WHERE due_at IS NOT NULL";

const GIVEN_UP: &str = "SELECT count(*) FROM deliveries WHERE parked_at IS NOT NULL";

const BYTES: &str = "SELECT pg_database_size(current_database())";

const READ_ONLY: &str = "SELECT current_setting('transaction_read_only')::boolean";

/// Any account will do: each writer writes for some.
const ASKED_AS: &str = "writer";

fn open_payments(row: &PgRow) -> Result<OpenPayments, PortError> {
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

fn pool(name: &'static str, pool: &PgPool) -> PoolState {
    PoolState {
        name,
        open: pool.size(),
        idle: u32::try_from(pool.num_idle()).unwrap_or(u32::MAX),
    }
}

#[async_trait]
impl Backlog for PostgresStore {
    async fn open_payments(&self, now: Timestamp) -> Result<Vec<OpenPayments>, PortError> {
        let mut query = sqlx::query(OPEN);
        for moment in opened_up_to(now) {
            query = query.bind(moment);
        }
        let rows = query.fetch_all(&self.pages).in_time().await;
        let rows = rows.map_err(failed("count what is open"))?;
        rows.iter().map(open_payments).collect()
    }

    async fn webhook_events(&self, endpoints_max: u32) -> Result<WebhookBacklog, PortError> {
        let cannot = || failed("count the events that wait");
        let waiting: (i64, Option<i64>) = sqlx::query_as(WAITING)
            .fetch_one(&self.pages)
            .in_time()
            .await
            .map_err(cannot())?;
        let given_up: i64 = sqlx::query_scalar(GIVEN_UP)
            .fetch_one(&self.pages)
            .in_time()
            .await
            .map_err(cannot())?;
        let behind: Vec<EndpointBacklogColumns> = sqlx::query_as(BEHIND)
            .bind(i64::from(endpoints_max))
            .fetch_all(&self.pages)
            .in_time()
            .await
            .map_err(cannot())?;
        webhook_backlog(waiting, given_up, behind)
    }

    async fn read_state(&self) -> Result<StoreState, PortError> {
        let cannot = || failed("ask for the state of the database");
        let mut connection = self.reads.acquire().in_time().await.map_err(cannot())?;
        let bytes: i64 = sqlx::query_scalar(BYTES)
            .fetch_one(&mut *connection)
            .in_time()
            .await
            .map_err(cannot())?;
        let micros = database_time(&mut connection).await?;
        let pools = [
            pool("reads", &self.reads),
            pool("lists", &self.pages),
            pool("steps", &self.steps),
        ];
        let standby = self.standby.as_ref();
        let standby = standby.map(|standby| pool("standby", standby.pool()));
        Ok(StoreState {
            bytes: Some(u64::try_from(bytes).unwrap_or_default()),
            clock: Some(Timestamp::from_millis(micros / 1_000)),
            standby_behind_bytes: self.standby.as_ref().and_then(Standby::behind),
            pools: pools.into_iter().chain(standby).collect(),
        })
    }

    async fn await_writer(&self) -> Result<(), PortError> {
        let any = AccountId::parse(ASKED_AS);
        let any = any.map_err(|error| PortError::caused(PART, ASKED_AS, error))?;
        self.alone(&any, |writer| Box::pin(writer.could_write()))
            .await
    }
}

impl PostgresWriter {
    /// Begins what a write begins, on the server that writes go to.
    async fn could_write(&mut self) -> Result<(), PortError> {
        let cannot = || failed("begin to write");
        let mut step = self.step().await?;
        let is_read_only: bool = sqlx::query_scalar(READ_ONLY)
            .fetch_one(&mut *step)
            .await
            .map_err(cannot())?;
        step.rollback().await.map_err(cannot())?;
        if is_read_only {
            return Err(PortError::new(PART, "the database takes no writes"));
        }
        Ok(())
    }
}
