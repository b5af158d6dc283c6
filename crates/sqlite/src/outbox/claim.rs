//! Claiming deliveries. What to take is chosen and leased without the one writer, which payments
//! wait for. The cost of a choice must not grow with what waits: it looks at little more than what
//! is held and what may be taken.

use super::lease_table::{Lease, Round};
use super::rows::{delivery, delivery_columns, incoming_of_delivery};
use crate::accounts::account;
use crate::endpoints::{ENDPOINT_COLUMNS, endpoint, endpoint_columns, key};
use crate::error::failed;
use crate::rows::json;
use crate::store::SqliteStore;
use domain::account::Account;
use domain::time::Timestamp;
use domain::webhook::Endpoint;
use ports::PortError;
use ports::webhooks::{Claimed, DeliveryClaim};
use sqlx::Row;
use sqlx::sqlite::{SqlitePool, SqliteRow};
use std::collections::{HashMap, HashSet};
use storage_sql::fair_share::{CHOICES_MAX, EndpointKey, Sharing, WINDOW};
use storage_sql::field_cipher::FieldCipher;
use storage_sql::readable;
use storage_sql::record::DeliveryRow;
use storage_sql::webhook::lease_end;

/// The endpoints of the first `?2` deliveries due at `?1` that are not held, which those of `?3`
/// are: whether each is served, and how many deliveries were looked at.
pub(crate) const WINDOW_OF_DUE: &str = "
    WITH next AS MATERIALIZED (
        SELECT * FROM (
            SELECT account, endpoint, requested, due_at FROM deliveries
            WHERE requested = 1 AND due_at IS NOT NULL
                AND ((id << 16) | (replay_count & 65535)) NOT IN (
                    SELECT value FROM json_each(?3)
                )
            ORDER BY due_at LIMIT ?2
        )
        UNION ALL
        SELECT * FROM (
            SELECT account, endpoint, requested, due_at FROM deliveries
            WHERE requested = 0 AND due_at <= ?1
                AND ((id << 16) | (replay_count & 65535)) NOT IN (
                    SELECT value FROM json_each(?3)
                )
            ORDER BY due_at LIMIT ?2
        )
    )
    SELECT n.account, n.endpoint,
        EXISTS (
            SELECT 1 FROM endpoints AS e
            WHERE e.account = n.account AND e.id = n.endpoint AND e.disabled_at IS NULL
        ),
        (SELECT count(*) FROM next)
    FROM next AS n
    GROUP BY n.account, n.endpoint ORDER BY max(n.requested) DESC, min(n.due_at)";

/// At most `?2` endpoints that something is due for at `?1` that is not held, as `?4` are, and that
/// are not among `?3`, longest due first, found by leaps from endpoint to endpoint along the index.
/// A leap is two searches, for one on both columns would read all of an account.
pub(crate) const LEAPS_TO_DUE: &str = "
    WITH RECURSIVE first (id) AS (
        SELECT (
            SELECT id FROM deliveries WHERE due_at IS NOT NULL
            ORDER BY account, endpoint, requested DESC, due_at LIMIT 1
        )
        UNION ALL
        SELECT coalesce(
            (
                SELECT n.id FROM deliveries AS n
                WHERE n.due_at IS NOT NULL AND n.account = w.account AND n.endpoint > w.endpoint
                ORDER BY n.account, n.endpoint, n.requested DESC, n.due_at LIMIT 1
            ),
            (
                SELECT n.id FROM deliveries AS n
                WHERE n.due_at IS NOT NULL AND n.account > w.account
                ORDER BY n.account, n.endpoint, n.requested DESC, n.due_at LIMIT 1
            )
        )
        FROM first CROSS JOIN deliveries AS w ON w.id = first.id
    )
    SELECT w.account, w.endpoint
    FROM first
    CROSS JOIN deliveries AS f ON f.id = first.id
    CROSS JOIN deliveries AS w ON w.id = coalesce(
        (
            SELECT x.id FROM deliveries AS x
            WHERE x.account = f.account AND x.endpoint = f.endpoint AND x.requested = 1
                AND x.due_at IS NOT NULL AND ((x.id << 16) | (x.replay_count & 65535)) NOT IN (
                    SELECT value FROM json_each(?4)
                )
            ORDER BY x.due_at LIMIT 1
        ),
        (
            SELECT x.id FROM deliveries AS x
            WHERE x.account = f.account AND x.endpoint = f.endpoint AND x.requested = 0
                AND x.due_at <= ?1 AND ((x.id << 16) | (x.replay_count & 65535)) NOT IN (
                    SELECT value FROM json_each(?4)
                )
            ORDER BY x.due_at LIMIT 1
        )
    )
    CROSS JOIN endpoints AS e
        ON e.account = w.account AND e.id = w.endpoint AND e.disabled_at IS NULL
    WHERE NOT EXISTS (
        SELECT 1 FROM json_each(?3) AS busy
        WHERE busy.value ->> 0 = e.account AND busy.value ->> 1 = e.id
    )
    ORDER BY w.requested DESC, w.due_at LIMIT ?2";

/// Whether `$x` waits: what happened later waits while an earlier event of its transaction was not
/// even tried.
macro_rules! waits_for_its_turn {
    ($x:literal) => {
        concat!(
            "EXISTS (
                SELECT 1 FROM deliveries AS y
                WHERE y.account = ",
            $x,
            ".account AND y.endpoint = ",
            $x,
            ".endpoint AND y.number = ",
            $x,
            ".number AND y.sequence > 0 AND y.sequence < ",
            $x,
            ".sequence AND y.due_at IS NOT NULL AND y.attempts = 0
            )"
        )
    };
}

/// The first `?3` deliveries due at `?2` to each of the endpoints `?1` that are not among `?4`,
/// longest due first.
pub(crate) const CHOOSE: &str = concat!(
    "SELECT d.account, d.endpoint, d.id, d.replay_count
    FROM json_each(?1) AS wanted
    CROSS JOIN deliveries AS d ON d.id IN (
        SELECT id FROM (
            SELECT * FROM (
                SELECT x.id, x.requested, x.due_at FROM deliveries AS x
                WHERE x.account = wanted.value ->> 0 AND x.endpoint = wanted.value ->> 1
                    AND x.requested = 1 AND x.due_at IS NOT NULL
                    AND ((x.id << 16) | (x.replay_count & 65535)) NOT IN (
                        SELECT value FROM json_each(?4)
                    ) AND NOT ",
    waits_for_its_turn!("x"),
    "
                ORDER BY x.due_at LIMIT ?3
            )
            UNION ALL
            SELECT * FROM (
                SELECT x.id, x.requested, x.due_at FROM deliveries AS x
                WHERE x.account = wanted.value ->> 0 AND x.endpoint = wanted.value ->> 1
                    AND x.requested = 0 AND x.due_at <= ?2
                    AND ((x.id << 16) | (x.replay_count & 65535)) NOT IN (
                        SELECT value FROM json_each(?4)
                    ) AND NOT ",
    waits_for_its_turn!("x"),
    "
                ORDER BY x.due_at LIMIT ?3
            )
            ORDER BY 2 DESC, 3 LIMIT ?3
        )
    )
    ORDER BY d.requested DESC, d.due_at, d.id"
);

/// What of `?1` is still due at `?2` and may still be delivered.
pub(crate) const TAKEN: &str = concat!(
    "SELECT d.id, ",
    delivery_columns!(),
    "
    FROM json_each(?1) AS taken
    CROSS JOIN deliveries AS d ON d.id = taken.value
        AND d.due_at IS NOT NULL AND (d.requested = 1 OR d.due_at <= ?2)
    LEFT JOIN transactions AS t
        ON t.account = d.account AND t.number = d.number AND d.sequence > 0",
    incoming_of_delivery!(),
    "WHERE NOT ",
    waits_for_its_turn!("d"),
    " ORDER BY taken.key"
);

/// The endpoints `?1` that are served, each with its account.
pub(crate) const SERVED: &str = concat!(
    "SELECT ",
    endpoint_columns!(),
    ", a.id, a.status, a.currency, a.message_currency, a.name, a.time_zone, a.opened_at,
        a.environment, a.email, a.phone
    FROM json_each(?1) AS wanted
    CROSS JOIN endpoints AS e ON e.account = wanted.value ->> 0 AND e.id = wanted.value ->> 1
        AND e.disabled_at IS NULL
    CROSS JOIN accounts AS a ON a.id = e.account"
);

/// What becomes of a delivery that cannot be read: it is passed over.
const UNREADABLE: &str = "a delivery that is due cannot be made";

pub(super) async fn deliveries(
    store: &SqliteStore,
    claim: &DeliveryClaim,
) -> Result<Vec<Claimed>, PortError> {
    for _ in 0..CHOICES_MAX {
        let chosen = chosen(store, claim).await?;
        if chosen.is_empty() {
            break;
        }
        let taken = store.held.take(chosen);
        // Only now is it certain that they have not been delivered meanwhile.
        let rows = sqlx::query(TAKEN)
            .bind(json(&taken.rows())?)
            .bind(due_by(claim))
            .fetch_all(&store.reads)
            .await
            .map_err(failed("read deliveries that are due"))?;
        let until = lease_end(claim);
        let stored = rows.iter().map(|row| stored(row, until, &store.cipher));
        let stored = readable(stored, UNREADABLE);
        let (leases, stored): (Vec<_>, Vec<_>) = stored.unzip();
        let to = leases.iter().map(|(_, lease): &(i64, Lease)| &lease.to);
        let served = served(store, to.clone().collect()).await?;
        let claimed = to.zip(&stored).filter_map(|(to, delivery)| {
            let (endpoint, account) = served.get(to)?;
            Some(claimed(delivery, (endpoint, account)))
        });
        let claimed: Vec<_> = readable(claimed, UNREADABLE).collect();
        taken.lease(leases);
        if !claimed.is_empty() {
            return Ok(claimed);
        }
        // Another claim has them, or their endpoint is gone.
    }
    Ok(Vec::new())
}

/// By when what no merchant requested must be due.
fn due_by(claim: &DeliveryClaim) -> Option<i64> {
    claim.due_by().map(Timestamp::as_millis)
}

/// A row in its round as one number, which is found among many faster than two: the statements make
/// the same of their columns.
const fn code((row, round): Round) -> i64 {
    (row << 16) | (round & 65535)
}

/// What a claim may take, longest due first.
async fn chosen(store: &SqliteStore, claim: &DeliveryClaim) -> Result<Vec<Round>, PortError> {
    let held = store.held.by(claim.now).into_iter().map(code);
    let held = json(&held.collect::<Vec<_>>())?;
    let endpoints = due_endpoints(&store.reads, (claim, &held)).await?;
    let Some(mut sharing) = Sharing::among(endpoints.len(), claim) else {
        return Ok(Vec::new());
    };
    let wanted = json(&endpoints)?;
    loop {
        let found: Vec<(String, i64, i64, i64)> = sqlx::query_as(CHOOSE)
            .bind(&wanted)
            .bind(due_by(claim))
            .bind(i64::from(sharing.each()))
            .bind(&held)
            .fetch_all(&store.reads)
            .await
            .map_err(failed("choose deliveries that are due"))?;
        let found = found
            .into_iter()
            .map(|(account, to, id, round)| ((account, to), (id, round)));
        if let Some(taken) = sharing.pick(&found.collect::<Vec<_>>()) {
            return Ok(taken);
        }
    }
}

/// The endpoints that something is due for, at most as many as deliveries may be taken.
async fn due_endpoints(
    reads: &SqlitePool,
    (claim, held): (&DeliveryClaim, &str),
) -> Result<Vec<EndpointKey>, PortError> {
    let except = claim.except.iter();
    let except: HashSet<EndpointKey> = except.map(|(id, to)| (id.to_string(), key(*to))).collect();
    let seen: Vec<(String, i64, bool, i64)> = sqlx::query_as(WINDOW_OF_DUE)
        .bind(due_by(claim))
        .bind(WINDOW)
        .bind(held)
        .fetch_all(reads)
        .await
        .map_err(failed("look for deliveries that are due"))?;
    if seen
        .first()
        .is_some_and(|(.., looked_at)| *looked_at >= WINDOW)
    {
        return sqlx::query_as(LEAPS_TO_DUE)
            .bind(due_by(claim))
            .bind(i64::from(claim.limit))
            .bind(json(&except)?)
            .bind(held)
            .fetch_all(reads)
            .await
            .map_err(failed("find endpoints that something is due for"));
    }
    let served = seen.into_iter().filter(|(_, _, is_served, _)| *is_served);
    let served = served.map(|(account, endpoint, ..)| (account, endpoint));
    let limit = usize::try_from(claim.limit).unwrap_or(usize::MAX);
    let free = served.filter(|to| !except.contains(to)).take(limit);
    Ok(free.collect())
}

/// What was read of a delivery, with the lease it is claimed under even where it cannot be read any
/// further: it would be in the way of every claim.
fn stored(
    row: &SqliteRow,
    until: Timestamp,
    cipher: &FieldCipher,
) -> Result<((i64, Lease), DeliveryRow), PortError> {
    let id = row.try_get(0).map_err(failed("read a delivery"))?;
    let mut stored = delivery(row, 1)?.opened(cipher);
    stored.due_at = Some(until.as_millis());
    stored.requested = false;
    let lease = Lease {
        to: (stored.account.clone(), stored.endpoint),
        until,
    };
    Ok(((id, lease), stored))
}

/// Those of some endpoints that are served, each read once however much waits for it.
async fn served(
    store: &SqliteStore,
    to: HashSet<&EndpointKey>,
) -> Result<HashMap<EndpointKey, (Endpoint, Account)>, PortError> {
    let rows = sqlx::query(SERVED)
        .bind(json(&to)?)
        .fetch_all(&store.reads)
        .await
        .map_err(failed("read endpoints that something is due for"))?;
    let served = rows.iter().map(|row| {
        let endpoint = endpoint(row, 0, &store.cipher)?;
        let account = account(row, ENDPOINT_COLUMNS)?;
        let to = (account.id.to_string(), key(endpoint.id));
        Ok((to, (endpoint, account)))
    });
    Ok(readable(served, UNREADABLE).collect())
}

fn claimed(
    delivery: &DeliveryRow,
    (endpoint, account): (&Endpoint, &Account),
) -> Result<Claimed, PortError> {
    Ok(Claimed {
        delivery: delivery.restore()?,
        endpoint: endpoint.clone(),
        account: account.clone(),
    })
}
