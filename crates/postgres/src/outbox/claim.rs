//! Claiming deliveries. The cost of a claim must not grow with what waits: it looks at each
//! endpoint that something waits for, and there at little more than it may take. Rows that somebody
//! else is claiming or recording are passed over, never waited for.

use super::rows::{DELIVERY_COLUMNS, delivery, delivery_columns};
use crate::accounts::account;
use crate::connection::Answer;
use crate::endpoints::{ENDPOINT_COLUMNS, endpoint, endpoint_columns, key};
use crate::error::failed;
use crate::store::Store;
use ports::PortError;
use ports::webhooks::{Claimed, DeliveryClaim};
use sqlx::postgres::PgRow;

/// Claims at most `$2` deliveries due at `$1` until `$4`, at most `$3` to each endpoint that is not
/// among `$5` and `$6`, one statement and so one commit. The endpoints that something waits for are
/// found by leaps along the index; whoever names the account by another order could only read all
/// of it. What happened later waits while an earlier event of its transaction was not even tried.
pub(crate) const CLAIM: &str = concat!(
    "WITH RECURSIVE waiting AS (
        (
            SELECT account, endpoint FROM deliveries WHERE due_at IS NOT NULL
            ORDER BY account COLLATE ucs_basic, endpoint LIMIT 1
        )
        UNION ALL
        SELECT n.account, n.endpoint FROM waiting AS w CROSS JOIN LATERAL (
            SELECT account, endpoint FROM deliveries
            WHERE due_at IS NOT NULL
                AND (account COLLATE ucs_basic, endpoint) > (w.account, w.endpoint)
            ORDER BY account COLLATE ucs_basic, endpoint LIMIT 1
        ) AS n
    ),
    due AS MATERIALIZED (
        SELECT x.account, x.endpoint, x.number, x.sequence, x.due_at
        FROM waiting AS w
        JOIN endpoints AS e ON e.account = ANY (ARRAY[w.account]) AND e.id = w.endpoint
            AND e.disabled_at IS NULL
        CROSS JOIN LATERAL (
            SELECT x.account, x.endpoint, x.number, x.sequence, x.due_at
            FROM deliveries AS x
            WHERE x.account = w.account COLLATE ucs_basic AND x.endpoint = w.endpoint
                AND x.due_at <= $1 AND NOT EXISTS (
                    SELECT 1 FROM deliveries AS y
                    WHERE y.account = ANY (ARRAY[x.account]) AND y.endpoint = x.endpoint
                        AND y.number = x.number AND y.sequence > 0 AND y.sequence < x.sequence
                        AND num_nonnulls(y.due_at) = 1 AND y.attempts = 0
                )
            ORDER BY x.due_at LIMIT $3
            FOR NO KEY UPDATE SKIP LOCKED
        ) AS x
        WHERE NOT EXISTS (
            SELECT 1 FROM unnest($5::text[], $6::bigint[]) AS busy (account, endpoint)
            WHERE busy.account = w.account AND busy.endpoint = w.endpoint
        )
        ORDER BY x.due_at LIMIT $2
    ),
    claimed AS (
        UPDATE deliveries AS d SET due_at = $4
        FROM due
        WHERE d.account = ANY (ARRAY[due.account]) AND d.endpoint = due.endpoint
            AND d.number = due.number AND d.sequence = due.sequence
        RETURNING d.*, due.due_at AS was_due_at
    )
    SELECT ",
    delivery_columns!(),
    ", ",
    endpoint_columns!(),
    ", a.id, a.status, a.currency, a.message_currency, a.name, a.time_zone, a.opened_at
    FROM claimed AS d
    JOIN endpoints AS e ON e.account = ANY (ARRAY[d.account]) AND e.id = d.endpoint
    JOIN accounts AS a ON a.id = ANY (ARRAY[d.account])
    LEFT JOIN transactions AS t ON t.account = ANY (ARRAY[d.account]) AND t.number = d.number
        AND d.sequence > 0
    ORDER BY d.was_due_at, d.at, d.number, d.sequence"
);

/// Where among the columns of [`CLAIM`] the endpoint is, then the account.
const ENDPOINT: usize = DELIVERY_COLUMNS;
const ACCOUNT: usize = ENDPOINT + ENDPOINT_COLUMNS;

pub(super) async fn deliveries(
    store: &Store,
    claim: &DeliveryClaim,
) -> Result<Vec<Claimed>, PortError> {
    if !store.shared.place.may_claim() {
        return Ok(Vec::new());
    }
    let except = claim.except.iter();
    let except: (Vec<&str>, Vec<i64>) = except.map(|(id, to)| (id.as_str(), key(*to))).unzip();
    let claimed = sqlx::query(CLAIM)
        .bind(claim.now.as_millis())
        .bind(i64::from(claim.limit))
        .bind(i64::from(claim.per_endpoint))
        .bind(claim.now.plus(claim.lease).as_millis())
        .bind(except.0)
        .bind(except.1)
        .fetch_all(&store.steps)
        .in_time()
        .await
        .map_err(failed("claim deliveries"))?;
    Ok(readable(&claimed))
}

fn claimed(row: &PgRow) -> Result<Claimed, PortError> {
    Ok(Claimed {
        delivery: delivery(row, 0)?.restore()?,
        endpoint: endpoint(row, ENDPOINT)?,
        account: account(row, ACCOUNT)?,
    })
}

/// One delivery that cannot be read must not keep all others from being made.
fn readable(rows: &[PgRow]) -> Vec<Claimed> {
    let report = |error: PortError| {
        let cause = std::error::Error::source(&error).map(ToString::to_string);
        tracing::error!(%error, cause, "a delivery that is due cannot be made");
    };
    let rows = rows.iter();
    rows.filter_map(|row| claimed(row).map_err(report).ok())
        .collect()
}
