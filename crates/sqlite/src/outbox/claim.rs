//! Claiming deliveries. The cost of a claim must not grow with what waits: it looks at each
//! endpoint that something waits for, and there at little more than it may take.

use super::rows::{DELIVERY_COLUMNS, delivery, delivery_columns};
use crate::accounts::account;
use crate::endpoints::{endpoint, endpoint_columns};
use crate::error::{failed, wrote};
use crate::rows::json;
use crate::writer::Writer;
use domain::time::Timestamp;
use ports::PortError;
use ports::webhooks::{Claimed, DeliveryClaim};
use sqlx::Row;
use sqlx::sqlite::{SqlitePool, SqliteRow};

/// One delivery of each endpoint that something waits for, found by leaps from endpoint to endpoint
/// along the index. A leap is two searches, for one on both columns would read all of an account.
macro_rules! waiting {
    () => {
        "WITH RECURSIVE first (id) AS (
            SELECT (
                SELECT id FROM deliveries WHERE due_at IS NOT NULL
                ORDER BY account, endpoint LIMIT 1
            )
            UNION ALL
            SELECT coalesce(
                (
                    SELECT n.id FROM deliveries AS n
                    WHERE n.due_at IS NOT NULL AND n.account = w.account
                        AND n.endpoint > w.endpoint
                    ORDER BY n.account, n.endpoint LIMIT 1
                ),
                (
                    SELECT n.id FROM deliveries AS n
                    WHERE n.due_at IS NOT NULL AND n.account > w.account
                    ORDER BY n.account, n.endpoint LIMIT 1
                )
            )
            FROM first CROSS JOIN deliveries AS w ON w.id = first.id
        ) "
    };
}

/// Whether anything is due at `?1` for an enabled endpoint.
pub(crate) const IS_ANY_DUE: &str = concat!(
    waiting!(),
    "SELECT 1 FROM first
    CROSS JOIN deliveries AS w ON w.id = first.id
    CROSS JOIN endpoints AS e
        ON e.account = w.account AND e.id = w.endpoint AND e.disabled_at IS NULL
    WHERE EXISTS (
        SELECT 1 FROM deliveries AS x
        WHERE x.account = w.account AND x.endpoint = w.endpoint AND x.due_at <= ?1
    )
    LIMIT 1"
);

/// At most `?2` deliveries due at `?1`, at most `?3` to each endpoint that is not among `?4`. What
/// happened later waits while an earlier event of its transaction was not even tried.
pub(crate) const DUE: &str = concat!(
    waiting!(),
    "SELECT ",
    delivery_columns!(),
    ", ",
    endpoint_columns!(),
    ", a.id, a.status, a.currency, a.message_currency, a.name, a.time_zone, a.opened_at, d.id
    FROM first
    CROSS JOIN deliveries AS w ON w.id = first.id
    CROSS JOIN endpoints AS e
        ON e.account = w.account AND e.id = w.endpoint AND e.disabled_at IS NULL
    CROSS JOIN deliveries AS d ON d.id IN (
        SELECT x.id FROM deliveries AS x
        WHERE x.account = w.account AND x.endpoint = w.endpoint AND x.due_at <= ?1
            AND NOT EXISTS (
                SELECT 1 FROM deliveries AS y
                WHERE y.account = x.account AND y.endpoint = x.endpoint AND y.number = x.number
                    AND y.sequence > 0 AND y.sequence < x.sequence
                    AND y.due_at IS NOT NULL AND y.attempts = 0
            )
        ORDER BY x.due_at LIMIT ?3
    )
    CROSS JOIN accounts AS a ON a.id = e.account
    LEFT JOIN transactions AS t
        ON t.account = d.account AND t.number = d.number AND d.sequence > 0
    WHERE NOT EXISTS (
        SELECT 1 FROM json_each(?4) AS busy
        WHERE busy.value ->> 0 = e.account AND busy.value ->> 1 = e.id
    )
    ORDER BY d.due_at, d.id LIMIT ?2"
);

/// Where among the columns of [`DUE`] the endpoint is, then the account, then the key.
const ENDPOINT: usize = DELIVERY_COLUMNS;
const ACCOUNT: usize = ENDPOINT + 12;
const KEY: usize = ACCOUNT + 7;

pub(crate) const LEASE: &str = "
    UPDATE deliveries SET due_at = ?2 WHERE id IN (SELECT value FROM json_each(?1))";

/// Whether a claim may find anything.
pub(super) async fn is_any_due(reads: &SqlitePool, now: Timestamp) -> Result<bool, PortError> {
    let due: Option<i64> = sqlx::query_scalar(IS_ANY_DUE)
        .bind(now.as_millis())
        .fetch_optional(reads)
        .await
        .map_err(failed("look for deliveries that are due"))?;
    Ok(due.is_some())
}

impl Writer {
    pub(super) async fn claim_deliveries(
        &mut self,
        claim: DeliveryClaim,
    ) -> Result<Vec<Claimed>, PortError> {
        let except = claim.except.iter();
        let except: Vec<_> = except.map(|(id, to)| (id.as_str(), to.get())).collect();
        let mut step = self.step().await?;
        let due = sqlx::query(DUE)
            .bind(claim.now.as_millis())
            .bind(i64::from(claim.limit))
            .bind(i64::from(claim.per_endpoint))
            .bind(json(&except)?)
            .fetch_all(&mut *step)
            .await
            .map_err(failed("find deliveries that are due"))?;
        if due.is_empty() {
            return Ok(Vec::new());
        }
        let ids = due
            .iter()
            .map(|row| row.try_get(KEY))
            .collect::<Result<Vec<i64>, _>>();
        let ids = ids.map_err(failed("read deliveries that are due"))?;
        let until = claim.now.plus(claim.lease);
        let leased = sqlx::query(LEASE)
            .bind(json(&ids)?)
            .bind(until.as_millis())
            .execute(&mut *step)
            .await
            .map_err(failed("lease deliveries"))?;
        wrote(leased.rows_affected(), ids.len(), "lease deliveries")?;
        step.commit()
            .await
            .map_err(failed("commit a claim of deliveries"))?;
        Ok(readable(due.iter().map(|row| claimed(row, until))))
    }
}

fn claimed(row: &SqliteRow, until: Timestamp) -> Result<Claimed, PortError> {
    let mut delivery = delivery(row, 0)?;
    delivery.due_at = Some(until.as_millis());
    Ok(Claimed {
        delivery: delivery.restore()?,
        endpoint: endpoint(row, ENDPOINT)?,
        account: account(row, ACCOUNT)?,
    })
}

/// One delivery that cannot be read must not keep all others from being made.
fn readable(claimed: impl Iterator<Item = Result<Claimed, PortError>>) -> Vec<Claimed> {
    let report = |error: PortError| {
        let cause = std::error::Error::source(&error).map(ToString::to_string);
        tracing::error!(%error, cause, "a delivery that is due cannot be made");
    };
    claimed
        .filter_map(|claimed| claimed.map_err(report).ok())
        .collect()
}
