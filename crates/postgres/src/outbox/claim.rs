//! Claiming deliveries. The choice locks nothing; then only chosen rows are locked and leased, in a
//! table of its own, so that no index of deliveries is written. The cost must not grow with the
//! queue: a choice reads little more than is leased and may be taken. Rows that another writer is
//! claiming or recording are skipped, never waited for.

use super::rows::{DELIVERY_COLUMNS, delivery, delivery_columns, incoming_of_delivery};
use crate::accounts::account;
use crate::connection::StatementAnswer;
use crate::endpoints::{ENDPOINT_COLUMNS, endpoint, endpoint_columns, key};
use crate::error::failed;
use crate::store::PostgresStore;
use domain::time::Timestamp;
use ports::PortError;
use ports::webhooks::{Claimed, DeliveryClaim};
use sqlx::postgres::PgRow;
use std::collections::HashSet;
use storage_sql::fair_share::{CHOICES_MAX, EndpointKey, Sharing, WINDOW};
use storage_sql::field_cipher::FieldCipher;
use storage_sql::readable;
use storage_sql::webhook::lease_end;

/// Whether delivery `x` is leased in its round at a moment. The offset keeps the server from
/// joining all leases.
macro_rules! is_leased {
    ($now:literal) => {
        concat!(
            "EXISTS (
                SELECT 1 FROM delivery_leases AS l
                WHERE l.account = ANY (ARRAY[x.account]) AND l.endpoint = x.endpoint
                    AND l.number = x.number AND l.sequence = x.sequence
                    AND l.currency = x.currency AND l.round = x.replay_count AND l.until > ",
            $now,
            " OFFSET 0
            )"
        )
    };
}

/// The endpoints of the first `$2` deliveries due at `$1` that are not leased at `$3`, longest due
/// first: whether each is served, and how many deliveries were looked at.
pub(crate) const WINDOW_OF_DUE: &str = concat!(
    "WITH next AS MATERIALIZED (
        (
            SELECT account, endpoint, requested, due_at FROM deliveries AS x
            WHERE requested AND due_at IS NOT NULL AND NOT ",
    is_leased!("$3"),
    " ORDER BY due_at LIMIT $2
        )
        UNION ALL
        (
            SELECT account, endpoint, requested, due_at FROM deliveries AS x
            WHERE NOT requested AND due_at <= $1 AND NOT ",
    is_leased!("$3"),
    " ORDER BY due_at LIMIT $2
        )
    )
    SELECT n.account, n.endpoint,
        EXISTS (
            SELECT 1 FROM endpoints AS e
            WHERE e.account = ANY (ARRAY[n.account]) AND e.id = n.endpoint
                AND e.disabled_at IS NULL
        ),
        (SELECT count(*) FROM next)
    FROM (
        SELECT account, endpoint, bool_or(requested) AS requested, min(due_at) AS due_at
        FROM next GROUP BY account, endpoint
    ) AS n
    ORDER BY n.requested DESC, n.due_at"
);

/// At most `$2` endpoints with a delivery due at `$1` that is not leased at `$5`, and that are not
/// among `$3` and `$4`, longest due first, found by leaps along the index; a query that names the
/// account in another order could only read all of it.
pub(crate) const LEAPS_TO_DUE: &str = concat!(
    "WITH RECURSIVE waiting AS (
        (
            SELECT account, endpoint FROM deliveries WHERE due_at IS NOT NULL
            ORDER BY account COLLATE ucs_basic, endpoint, requested DESC, due_at LIMIT 1
        )
        UNION ALL
        SELECT n.account, n.endpoint
        FROM waiting AS w CROSS JOIN LATERAL (
            SELECT account, endpoint FROM deliveries
            WHERE due_at IS NOT NULL
                AND (account COLLATE ucs_basic, endpoint) > (w.account, w.endpoint)
            ORDER BY account COLLATE ucs_basic, endpoint, requested DESC, due_at LIMIT 1
        ) AS n
    )
    SELECT w.account, w.endpoint
    FROM waiting AS w
    JOIN endpoints AS e ON e.account = ANY (ARRAY[w.account]) AND e.id = w.endpoint
        AND e.disabled_at IS NULL
    CROSS JOIN LATERAL (
        SELECT x.requested, x.due_at FROM deliveries AS x
        WHERE x.account = w.account COLLATE ucs_basic AND x.endpoint = w.endpoint
            AND x.due_at IS NOT NULL AND NOT ",
    is_leased!("$5"),
    " ORDER BY x.requested DESC, x.due_at LIMIT 1
    ) AS f
    WHERE (f.requested OR f.due_at <= $1) AND NOT EXISTS (
        SELECT 1 FROM unnest($3::text[], $4::bigint[]) AS busy (account, endpoint)
        WHERE busy.account = w.account AND busy.endpoint = w.endpoint
    )
    ORDER BY f.requested DESC, f.due_at LIMIT $2"
);

/// The first `$4` deliveries of endpoint `w` that are due by a condition and not leased at `$5`.
/// What happened later waits while an earlier event of its transaction was not even tried.
macro_rules! first_due {
    ($when:literal) => {
        concat!(
            "(
                SELECT x.account, x.endpoint, x.number, x.sequence, x.currency, x.requested,
                    x.due_at
                FROM deliveries AS x
                WHERE x.account = w.account COLLATE ucs_basic AND x.endpoint = w.endpoint
                    AND ",
            $when,
            " AND NOT ",
            is_leased!("$5"),
            " AND NOT EXISTS (
                        SELECT 1 FROM deliveries AS y
                        WHERE y.account = ANY (ARRAY[x.account]) AND y.endpoint = x.endpoint
                            AND y.number = x.number AND y.sequence > 0
                            AND y.sequence < x.sequence
                            AND num_nonnulls(y.due_at) = 1 AND y.attempts = 0
                    )
                ORDER BY x.due_at LIMIT $4
            )"
        )
    };
}

/// The first `$4` deliveries to each of the endpoints `$1` and `$2` that were requested or are due
/// at `$3` and not leased at `$5`, those first, then longest due first.
pub(crate) const CHOOSE: &str = concat!(
    "SELECT x.account, x.endpoint, x.number, x.sequence, x.currency
    FROM unnest($1::text[], $2::bigint[]) AS w (account, endpoint)
    CROSS JOIN LATERAL (
        SELECT * FROM (",
    first_due!("x.requested AND x.due_at IS NOT NULL"),
    " UNION ALL ",
    first_due!("NOT x.requested AND x.due_at <= $3"),
    ") AS x
        ORDER BY x.requested DESC, x.due_at LIMIT $4
    ) AS x
    ORDER BY x.requested DESC, x.due_at, x.number, x.sequence"
);

/// Leases at `$8` until `$6` the deliveries in `$1` to `$4` and `$7` that are still due at `$5`,
/// may still be delivered and have no other lease, one statement and so one commit. The row of a
/// delivery is locked, so that no result of it is recorded meanwhile. The due time is read in a
/// form that no index knows, or a plan might walk through the index of due deliveries.
pub(crate) const CLAIM: &str = concat!(
    "WITH due AS MATERIALIZED (
        SELECT x.*
        FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::integer[], $7::text[])
            AS w (account, endpoint, number, sequence, currency)
        JOIN endpoints AS e ON e.account = ANY (ARRAY[w.account]) AND e.id = w.endpoint
            AND e.disabled_at IS NULL
        CROSS JOIN LATERAL (
            SELECT x.* FROM deliveries AS x
            WHERE x.account = ANY (ARRAY[w.account]) AND x.endpoint = w.endpoint
                AND x.number = w.number AND x.sequence = w.sequence
                AND x.currency = w.currency
                AND num_nonnulls(x.due_at) = 1 AND (x.requested OR coalesce(x.due_at <= $5, false))
                AND NOT EXISTS (
                    SELECT 1 FROM deliveries AS y
                    WHERE y.account = ANY (ARRAY[x.account]) AND y.endpoint = x.endpoint
                        AND y.number = x.number AND y.sequence > 0 AND y.sequence < x.sequence
                        AND num_nonnulls(y.due_at) = 1 AND y.attempts = 0
                )
            LIMIT 1
            FOR NO KEY UPDATE SKIP LOCKED
        ) AS x
    ),
    leased AS (
        INSERT INTO delivery_leases AS l (
            account, endpoint, number, sequence, currency, round, until
        )
        SELECT account, endpoint, number, sequence, currency, replay_count, $6 FROM due
        ON CONFLICT (account, endpoint, number, sequence, currency) DO UPDATE
            SET round = excluded.round, until = excluded.until
            WHERE l.until <= $8 OR l.round <> excluded.round
        RETURNING account, endpoint, number, sequence, currency
    )
    SELECT ",
    delivery_columns!(),
    ", ",
    endpoint_columns!(),
    ", a.id, a.status, a.currency, a.message_currency, a.name, a.time_zone, a.opened_at,
        a.environment, a.email, a.phone
    FROM due AS d
    JOIN leased AS l ON l.account = d.account AND l.endpoint = d.endpoint
        AND l.number = d.number AND l.sequence = d.sequence AND l.currency = d.currency
    JOIN endpoints AS e ON e.account = ANY (ARRAY[d.account]) AND e.id = d.endpoint
    JOIN accounts AS a ON a.id = ANY (ARRAY[d.account])
    LEFT JOIN transactions AS t ON t.account = ANY (ARRAY[d.account]) AND t.number = d.number
        AND d.sequence > 0",
    incoming_of_delivery!(),
    "ORDER BY d.requested DESC, d.due_at, d.number, d.sequence"
);

/// Where among the columns of [`CLAIM`] the endpoint is, then the account.
const ENDPOINT: usize = DELIVERY_COLUMNS;
const ACCOUNT: usize = ENDPOINT + ENDPOINT_COLUMNS;

/// The key of a delivery.
type Name = (String, i64, i64, i32, String);

pub(super) async fn deliveries(
    store: &PostgresStore,
    claim: &DeliveryClaim,
) -> Result<Vec<Claimed>, PortError> {
    if !store.shared.place.may_claim() {
        return Ok(Vec::new());
    }
    for _ in 0..CHOICES_MAX {
        let chosen = chosen(store, claim).await?;
        if chosen.is_empty() {
            break;
        }
        let rows = lease(store, claim, chosen).await?;
        // Where nothing is left, another instance took it.
        if !rows.is_empty() {
            let what = "a delivery that is due cannot be made";
            let until = lease_end(claim);
            let claimed = rows.iter().map(|row| claimed(row, until, store.cipher()));
            return Ok(readable(claimed, what).collect());
        }
    }
    Ok(Vec::new())
}

/// What a claim may take, longest due first.
async fn chosen(store: &PostgresStore, claim: &DeliveryClaim) -> Result<Vec<Name>, PortError> {
    let endpoints = due_endpoints(store, claim).await?;
    let Some(mut sharing) = Sharing::among(endpoints.len(), claim) else {
        return Ok(Vec::new());
    };
    let wanted: (Vec<String>, Vec<i64>) = endpoints.into_iter().unzip();
    loop {
        let found: Vec<Name> = sqlx::query_as(CHOOSE)
            .bind(&wanted.0)
            .bind(&wanted.1)
            .bind(due_by(claim))
            .bind(i64::from(sharing.each()))
            .bind(claim.now.as_millis())
            .fetch_all(&store.steps)
            .in_time()
            .await
            .map_err(failed("choose deliveries that are due"))?;
        let found = found
            .into_iter()
            .map(|name| ((name.0.clone(), name.1), name));
        if let Some(taken) = sharing.pick(&found.collect::<Vec<_>>()) {
            return Ok(taken);
        }
    }
}

/// The endpoints that something is due for, at most as many as deliveries may be taken.
async fn due_endpoints(
    store: &PostgresStore,
    claim: &DeliveryClaim,
) -> Result<Vec<EndpointKey>, PortError> {
    let seen: Vec<(String, i64, bool, i64)> = sqlx::query_as(WINDOW_OF_DUE)
        .bind(due_by(claim))
        .bind(WINDOW)
        .bind(claim.now.as_millis())
        .fetch_all(&store.steps)
        .in_time()
        .await
        .map_err(failed("look for deliveries that are due"))?;
    let except = claim.except.iter();
    let except = except.map(|(id, to)| (id.to_string(), key(*to)));
    if seen
        .first()
        .is_some_and(|(.., looked_at)| *looked_at >= WINDOW)
    {
        let except: (Vec<String>, Vec<i64>) = except.unzip();
        return sqlx::query_as(LEAPS_TO_DUE)
            .bind(due_by(claim))
            .bind(i64::from(claim.limit))
            .bind(except.0)
            .bind(except.1)
            .bind(claim.now.as_millis())
            .fetch_all(&store.steps)
            .in_time()
            .await
            .map_err(failed("find endpoints that something is due for"));
    }
    let except: HashSet<EndpointKey> = except.collect();
    let served = seen.into_iter().filter(|(_, _, is_served, _)| *is_served);
    let served = served.map(|(account, endpoint, ..)| (account, endpoint));
    let limit = usize::try_from(claim.limit).unwrap_or(usize::MAX);
    Ok(served
        .filter(|to| !except.contains(to))
        .take(limit)
        .collect())
}

async fn lease(
    store: &PostgresStore,
    claim: &DeliveryClaim,
    chosen: Vec<Name>,
) -> Result<Vec<PgRow>, PortError> {
    let (mut account, mut endpoint) = (Vec::new(), Vec::new());
    let (mut number, mut sequence) = (Vec::new(), Vec::new());
    let mut currency = Vec::new();
    for name in chosen {
        account.push(name.0);
        endpoint.push(name.1);
        number.push(name.2);
        sequence.push(name.3);
        currency.push(name.4);
    }
    sqlx::query(CLAIM)
        .bind(account)
        .bind(endpoint)
        .bind(number)
        .bind(sequence)
        .bind(due_by(claim))
        .bind(lease_end(claim).as_millis())
        .bind(currency)
        .bind(claim.now.as_millis())
        .fetch_all(&store.steps)
        .in_time()
        .await
        .map_err(failed("claim deliveries"))
}

/// By when what no merchant requested must be due.
fn due_by(claim: &DeliveryClaim) -> Option<i64> {
    claim.due_by().map(Timestamp::as_millis)
}

fn claimed(row: &PgRow, until: Timestamp, cipher: &FieldCipher) -> Result<Claimed, PortError> {
    let mut stored = delivery(row, 0)?.opened(cipher);
    stored.due_at = Some(until.as_millis());
    stored.requested = false;
    Ok(Claimed {
        delivery: stored.restore()?,
        endpoint: endpoint(row, ENDPOINT, cipher)?,
        account: account(row, ACCOUNT)?,
    })
}
