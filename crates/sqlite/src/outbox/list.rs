//! Pages of deliveries. A page must be read with one statement, so that it and its counts are of
//! one moment.

use super::rows::{DELIVERY_COLUMNS, delivery, delivery_columns, incoming_of_delivery};
use crate::endpoints::key;
use crate::error::failed;
use crate::store::SqliteStore;
use crate::transactions::key as transaction_key;
use domain::account::AccountId;
use domain::reference::TransactionNumber;
use domain::statement::Sort;
use domain::webhook::{ATTEMPTS_SHOWN, Attempt, COUNTED_MAX, Delivery, DeliveryState};
use ports::PortError;
use ports::webhooks::{DeliveryPage, DeliveryQuery};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;
use storage_sql::field_cipher::FieldCipher;
use storage_sql::readable;
use storage_sql::record::log;

/// The newest attempts at delivery `d`, `$most` of them, oldest first.
macro_rules! attempts_shown {
    ($most:literal) => {
        concat!(
            "(
                SELECT json_group_array(json_object(
                    'at', shown.at, 'took', shown.took, 'status', shown.status,
                    'retry_after', shown.retry_after, 'failure', shown.failure,
                    'excerpt', CASE WHEN shown.at = d.answered_at THEN d.answer END
                ) ORDER BY shown.at, shown.id)
                FROM (
                    SELECT * FROM delivery_attempts AS n WHERE n.delivery_id = d.id
                    ORDER BY n.id DESC LIMIT ",
            $most,
            "
                ) AS shown
            )"
        )
    };
}

/// Deliveries `d` to endpoints `e` of account `?1`, as many as are counted.
macro_rules! counted {
    ($which:literal) => {
        concat!(
            "(
                SELECT count(*) FROM (
                    SELECT 1 FROM endpoints AS e
                    CROSS JOIN deliveries AS d ON d.account = e.account AND d.endpoint = e.id
                    WHERE e.account = ?1 AND e.removed_at IS NULL",
            $which,
            " LIMIT ?5
                ) AS counted
            )"
        )
    };
}

/// How many deliveries account `?1` has, how many of them match the filter, each counted up to
/// `?5`, and at most `?3` after `?4` of these, each with its newest `?6` attempts; without any
/// there is one row with the counts alone. `$of` is the filter of each endpoint, `$to` which
/// endpoints: all, or `?2`. Deliveries of a removed endpoint are invisible.
macro_rules! list {
    ($of:literal, $to:literal, $found:expr, $way:literal) => {
        concat!(
            "WITH page AS MATERIALIZED (
                SELECT d.id FROM deliveries AS d
                WHERE d.account = ?1",
            $to,
            $of,
            " AND EXISTS (
                    SELECT 1 FROM endpoints AS e
                    WHERE e.account = d.account AND e.id = d.endpoint AND e.removed_at IS NULL
                )
                ORDER BY d.at ",
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
            $way,
            " LIMIT ?3 OFFSET ?4
            )
            SELECT counted.total, counted.found, ",
            delivery_columns!(),
            ", ",
            attempts_shown!("?6"),
            ", d.id
            FROM (
                SELECT ",
            counted!(""),
            " AS total, ",
            $found,
            " AS found
            ) AS counted
            LEFT JOIN page ON true
            LEFT JOIN deliveries AS d ON d.id = page.id
            LEFT JOIN transactions AS t
                ON t.account = d.account AND t.number = d.number AND d.sequence > 0",
            incoming_of_delivery!(),
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

/// The same list from either end, the oldest first.
macro_rules! either_way {
    ($of:literal, $to:literal, $which:literal) => {
        [
            list!($of, $to, counted!($which), "ASC"),
            list!($of, $to, counted!($which), "DESC"),
        ]
    };
}

pub(crate) const ALL: [&str; 2] = either_way!("", "", "");
pub(crate) const PARKED: [&str; 2] = either_way!(
    " AND d.parked_at IS NOT NULL",
    "",
    " AND d.parked_at IS NOT NULL"
);
pub(crate) const TO_ONE: [&str; 2] = either_way!("", " AND d.endpoint = ?2", " AND e.id = ?2");
pub(crate) const PARKED_TO_ONE: [&str; 2] = either_way!(
    " AND d.parked_at IS NOT NULL",
    " AND d.endpoint = ?2",
    " AND e.id = ?2 AND d.parked_at IS NOT NULL"
);

/// The deliveries of the events of transaction `?2` of account `?1`, each with its newest `?3`
/// attempts.
pub(crate) const OF_TRANSACTION: &str = concat!(
    "SELECT 0, 0, ",
    delivery_columns!(),
    ", ",
    attempts_shown!("?3"),
    ", d.id
    FROM endpoints AS e
    CROSS JOIN deliveries AS d ON d.account = e.account AND d.endpoint = e.id AND d.number = ?2
    JOIN transactions AS t ON t.account = d.account AND t.number = d.number AND d.sequence > 0",
    incoming_of_delivery!(),
    "WHERE e.account = ?1 AND e.removed_at IS NULL ORDER BY d.at, d.sequence, d.endpoint"
);

/// Where the delivery begins, after the counts; where its attempts are, and whether there is one.
const DELIVERY: usize = 2;
const ATTEMPTS: usize = DELIVERY + DELIVERY_COLUMNS;
const KEY: usize = ATTEMPTS + 1;

/// The part of an account's deliveries that a query asks for.
pub(super) async fn page(
    store: &SqliteStore,
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
        .bind(i64::try_from(query.offset).unwrap_or(i64::MAX))
        .bind(i64::try_from(COUNTED_MAX).unwrap_or(i64::MAX))
        .bind(i64::try_from(ATTEMPTS_SHOWN).unwrap_or(i64::MAX))
        .fetch_all(&store.pages)
        .await
        .map_err(failed("list deliveries"))?;
    let mut page = DeliveryPage::default();
    for row in &rows {
        let counts = || Ok((row.try_get(0)?, row.try_get(1)?, row.try_get(KEY)?));
        let counts: Result<(i64, i64, Option<i64>), sqlx::Error> = counts();
        let (total, found, key) = counts.map_err(failed("count deliveries"))?;
        page.total = u64::try_from(total).unwrap_or_default();
        page.found = u64::try_from(found).unwrap_or_default();
        if let Some(key) = key {
            page.deliveries.extend(shown(store, row, key));
        }
    }
    Ok(page)
}

/// The deliveries of the events of a transaction.
pub(super) async fn of_transaction(
    store: &SqliteStore,
    account: &AccountId,
    number: TransactionNumber,
) -> Result<Vec<(Delivery, Vec<Attempt>)>, PortError> {
    let rows = sqlx::query(OF_TRANSACTION)
        .bind(account.as_str())
        .bind(transaction_key(number))
        .bind(i64::try_from(ATTEMPTS_SHOWN).unwrap_or(i64::MAX))
        .fetch_all(&store.pages)
        .await
        .map_err(failed("list the deliveries of a transaction"))?;
    let mut found = Vec::new();
    for row in &rows {
        let key = row.try_get(KEY).map_err(failed("read a delivery"))?;
        found.extend(shown(store, row, key));
    }
    Ok(found)
}

/// A delivery with its attempts, due when a lease on it ends; `None` for one that cannot be read,
/// which is logged.
fn shown(store: &SqliteStore, row: &SqliteRow, key: i64) -> Option<(Delivery, Vec<Attempt>)> {
    let read = [with_attempts(row, &store.cipher)];
    let (mut delivery, attempts) = readable(read, "a delivery cannot be shown").next()?;
    let until = store.held.until((key, i64::from(delivery.round)));
    if let (DeliveryState::Due(_), Some(until)) = (delivery.state, until) {
        delivery.state = DeliveryState::Due(until);
    }
    Some((delivery, attempts))
}

fn with_attempts(
    row: &SqliteRow,
    cipher: &FieldCipher,
) -> Result<(Delivery, Vec<Attempt>), PortError> {
    let attempts: String = row
        .try_get(ATTEMPTS)
        .map_err(failed("read attempts to deliver"))?;
    let delivery = delivery(row, DELIVERY)?.opened(cipher).restore()?;
    let attempts = log(&attempts, &delivery, cipher)?;
    Ok((delivery, attempts))
}
