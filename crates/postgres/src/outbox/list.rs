//! Pages of deliveries. A page must be read with one statement, so that it and its counts are of
//! one moment.

use super::rows::{DELIVERY_COLUMNS, delivery, delivery_columns, incoming_of_delivery};
use crate::connection::StatementAnswer;
use crate::endpoints::key;
use crate::error::failed;
use crate::rows::key as transaction_key;
use crate::store::PostgresStore;
use domain::account::AccountId;
use domain::reference::TransactionNumber;
use domain::statement::Sort;
use domain::webhook::{ATTEMPTS_SHOWN, Attempt, COUNTED_MAX, Delivery};
use ports::PortError;
use ports::webhooks::{DeliveryPage, DeliveryQuery};
use sqlx::Row;
use sqlx::postgres::PgRow;
use storage_sql::field_cipher::FieldCipher;
use storage_sql::readable;
use storage_sql::record::log;

/// The newest attempts at delivery `d`, `$most` of them, oldest first.
macro_rules! attempts_shown {
    ($most:literal) => {
        concat!(
            "(
                SELECT json_agg(json_build_object(
                    'at', a.at, 'took', a.took, 'status', a.status, 'retry_after', a.retry_after,
                    'failure', a.failure,
                    'excerpt', CASE WHEN a.at = d.answered_at THEN d.answer END
                ) ORDER BY a.at, a.id)::text
                FROM (
                    SELECT * FROM delivery_attempts AS n
                    WHERE n.account = d.account AND n.endpoint = d.endpoint
                        AND n.number = d.number AND n.sequence = d.sequence
                        AND n.currency = d.currency
                    ORDER BY n.id DESC LIMIT ",
            $most,
            "
                ) AS a
            )"
        )
    };
}

/// The lease `l` on delivery `d`, where an instance makes it now.
macro_rules! lease_of_delivery {
    () => {
        "LEFT JOIN delivery_leases AS l ON l.account = ANY (ARRAY[d.account])
            AND l.endpoint = d.endpoint AND l.number = d.number
            AND l.sequence = d.sequence AND l.currency = d.currency
            AND l.round = d.replay_count
        "
    };
}

/// Deliveries `d` to endpoints `e` of account `$1`, as many as are counted.
macro_rules! counted {
    ($which:literal) => {
        concat!(
            "(
                SELECT count(*) FROM (
                    SELECT 1 FROM endpoints AS e
                    JOIN deliveries AS d ON d.account = e.account COLLATE \"POSIX\"
                        AND d.endpoint = e.id AND d.at >= '-9223372036854775808'::bigint
                    WHERE e.account = $1 AND e.removed_at IS NULL",
            $which,
            " LIMIT $5
                ) AS counted
            )"
        )
    };
}

/// How many deliveries account `$1` has, how many of them match the filter, each counted up to
/// `$5`, and at most `$3` after `$4` of these, each with its newest `$6` attempts; without any
/// there is one row with the counts alone. Deliveries of a removed endpoint are invisible.
macro_rules! list {
    ($of:literal, $found:expr, $way:literal) => {
        concat!(
            "WITH page AS MATERIALIZED (
                SELECT * FROM deliveries AS d
                WHERE account = $1 COLLATE \"POSIX\"",
            $of,
            " AND EXISTS (
                    SELECT 1 FROM endpoints AS e
                    WHERE e.account = ANY (ARRAY[d.account]) AND e.id = d.endpoint
                        AND e.removed_at IS NULL
                )
                ORDER BY account COLLATE \"POSIX\", at ",
            $way,
            ", currency = '' ",
            $way,
            ", number ",
            $way,
            ", currency ",
            $way,
            ", sequence ",
            $way,
            ", endpoint ",
            $way,
            " LIMIT $3 OFFSET $4
            )
            SELECT counted.total, counted.found, ",
            delivery_columns!(),
            ", ",
            attempts_shown!("$6"),
            ", d.number, l.until
            FROM (
                SELECT ",
            counted!(""),
            " AS total, ",
            $found,
            " AS found
            ) AS counted
            LEFT JOIN page AS d ON true
            LEFT JOIN transactions AS t ON t.account = ANY (ARRAY[d.account])
                AND t.number = d.number AND d.sequence > 0",
            incoming_of_delivery!(),
            lease_of_delivery!(),
            "ORDER BY d.at ",
            $way,
            ", d.currency = '' ",
            $way,
            ", d.number ",
            $way,
            ", d.currency ",
            $way,
            ", d.sequence ",
            $way,
            ", d.endpoint ",
            $way
        )
    };
}

/// The same list from either end, the oldest first. `$of` says which deliveries are asked for,
/// `$which` the same for those that are counted.
macro_rules! either_way {
    ($of:literal, $which:literal) => {
        [
            list!($of, counted!($which), "ASC"),
            list!($of, counted!($which), "DESC"),
        ]
    };
}

pub(crate) const ALL: [&str; 2] = either_way!(" AND $2::bigint IS NULL", "");
pub(crate) const PARKED: [&str; 2] = either_way!(
    " AND $2::bigint IS NULL AND parked_at IS NOT NULL",
    " AND d.parked_at IS NOT NULL"
);

/// Those to endpoint `$2`: that they have a moment leads to the index.
pub(crate) const TO_ONE: [&str; 2] = either_way!(
    " AND endpoint = $2 AND at >= '-9223372036854775808'::bigint",
    " AND e.id = $2"
);
pub(crate) const PARKED_TO_ONE: [&str; 2] = either_way!(
    " AND endpoint = $2 AND at >= '-9223372036854775808'::bigint AND parked_at IS NOT NULL",
    " AND e.id = $2 AND d.parked_at IS NOT NULL"
);

/// The deliveries of the events of transaction `$2` of account `$1`, each with its newest `$3`
/// attempts.
pub(crate) const OF_TRANSACTION: &str = concat!(
    "SELECT 0::bigint, 0::bigint, ",
    delivery_columns!(),
    ", ",
    attempts_shown!("$3"),
    ", d.number, l.until
    FROM endpoints AS e
    JOIN deliveries AS d ON d.account = ANY (ARRAY[e.account]) AND d.endpoint = e.id
        AND d.number = $2 AND d.sequence > 0
    JOIN transactions AS t ON t.account = ANY (ARRAY[d.account]) AND t.number = d.number",
    incoming_of_delivery!(),
    lease_of_delivery!(),
    "WHERE e.account = $1 AND e.removed_at IS NULL ORDER BY d.at, d.sequence, d.endpoint"
);

/// The farthest a page may begin: beyond any list, and sums with it stay in range.
const OFFSET_MAX: i64 = i64::MAX / 4;

/// Where the delivery begins, after the counts; where its attempts are, and whether there is one.
const DELIVERY: usize = 2;
const ATTEMPTS: usize = DELIVERY + DELIVERY_COLUMNS;
const KEY: usize = ATTEMPTS + 1;
const LEASE: usize = KEY + 1;

/// The part of an account's deliveries that a query asks for.
pub(super) async fn page(
    store: &PostgresStore,
    account: &AccountId,
    query: &DeliveryQuery,
) -> Result<DeliveryPage, PortError> {
    let [oldest, newest] = match (query.parked, query.endpoint) {
        (false, None) => ALL,
        (true, None) => PARKED,
        (false, Some(_)) => TO_ONE,
        (true, Some(_)) => PARKED_TO_ONE,
    };
    let statement = match query.sort {
        Sort::Ascending => oldest,
        Sort::Descending => newest,
    };
    let rows = sqlx::query(statement)
        .bind(account.as_str())
        .bind(query.endpoint.map(key))
        .bind(i64::from(query.length))
        .bind(
            i64::try_from(query.offset)
                .unwrap_or(OFFSET_MAX)
                .min(OFFSET_MAX),
        )
        .bind(i64::try_from(COUNTED_MAX).unwrap_or(i64::MAX))
        .bind(i64::try_from(ATTEMPTS_SHOWN).unwrap_or(i64::MAX))
        .fetch_all(&store.pages)
        .in_time()
        .await
        .map_err(failed("list deliveries"))?;
    let mut page = DeliveryPage::default();
    for row in &rows {
        let counts = || Ok((row.try_get(0)?, row.try_get(1)?, row.try_get(KEY)?));
        let counts: Result<(i64, i64, Option<i64>), sqlx::Error> = counts();
        let (total, found, key) = counts.map_err(failed("count deliveries"))?;
        page.total = u64::try_from(total).unwrap_or_default();
        page.found = u64::try_from(found).unwrap_or_default();
        if key.is_some() {
            let shown = readable(
                [with_attempts(row, store.cipher())],
                "a delivery cannot be shown",
            );
            page.deliveries.extend(shown);
        }
    }
    Ok(page)
}

/// The deliveries of the events of a transaction.
pub(super) async fn of_transaction(
    store: &PostgresStore,
    account: &AccountId,
    number: TransactionNumber,
) -> Result<Vec<(Delivery, Vec<Attempt>)>, PortError> {
    let rows = sqlx::query(OF_TRANSACTION)
        .bind(account.as_str())
        .bind(transaction_key(number))
        .bind(i64::try_from(ATTEMPTS_SHOWN).unwrap_or(i64::MAX))
        .fetch_all(&store.pages)
        .in_time()
        .await
        .map_err(failed("list the deliveries of a transaction"))?;
    let rows = rows.iter().map(|row| with_attempts(row, store.cipher()));
    Ok(readable(rows, "a delivery cannot be shown").collect())
}

fn with_attempts(row: &PgRow, cipher: &FieldCipher) -> Result<(Delivery, Vec<Attempt>), PortError> {
    let attempts: Option<String> = row
        .try_get(ATTEMPTS)
        .map_err(failed("read attempts to deliver"))?;
    let until: Option<i64> = row.try_get(LEASE).map_err(failed("read a lease"))?;
    let mut stored = delivery(row, DELIVERY)?.opened(cipher);
    if stored.due_at.is_some() && until.is_some() {
        stored.due_at = until;
        stored.requested = false;
    }
    let delivery = stored.restore()?;
    let attempts = match attempts {
        Some(attempts) => log(&attempts, &delivery, cipher)?,
        None => Vec::new(),
    };
    Ok((delivery, attempts))
}
