//! Pages of deliveries. A page must be read with one statement, so that it and its counts are of
//! one moment.

use super::rows::{DELIVERY_COLUMNS, delivery, delivery_columns};
use crate::connection::Answer;
use crate::endpoints::key;
use crate::error::failed;
use domain::account::AccountId;
use domain::statement::Sort;
use domain::webhook::{Attempt, Delivery};
use ports::PortError;
use ports::webhooks::{DeliveryPage, DeliveryQuery};
use sqlx::Row;
use sqlx::postgres::{PgPool, PgRow};
use storage_sql::record::log;

/// What was for an endpoint that was removed is there for nobody.
macro_rules! to_one_that_is_there {
    () => {
        "EXISTS (
            SELECT 1 FROM endpoints AS e
            WHERE e.account = ANY (ARRAY[d.account]) AND e.id = d.endpoint
                AND e.removed_at IS NULL
        )"
    };
}

/// How many deliveries account `$1` has, how many of them were asked for, and at most `$3` after
/// `$4` of these, each with its attempts; without any there is one row with the counts alone. Only
/// those to endpoint `$2` are asked for, where it is given.
macro_rules! list {
    ($which:literal, $way:literal) => {
        concat!(
            "WITH page AS MATERIALIZED (
                SELECT * FROM deliveries AS d
                WHERE account = $1 COLLATE \"POSIX\" AND ($2::bigint IS NULL OR endpoint = $2)
                    AND ",
            to_one_that_is_there!(),
            $which,
            " ORDER BY account COLLATE \"POSIX\", at ",
            $way,
            ", number ",
            $way,
            ", sequence ",
            $way,
            ", endpoint ",
            $way,
            " LIMIT $3 OFFSET $4
            )
            SELECT counted.total, counted.found, ",
            delivery_columns!(),
            ", (
                SELECT json_agg(json_build_object(
                    'at', a.at, 'took', a.took, 'status', a.status, 'retry_after', a.retry_after,
                    'excerpt', a.excerpt, 'failure', a.failure
                ) ORDER BY a.at, a.id)::text
                FROM delivery_attempts AS a
                WHERE a.account = ANY (ARRAY[d.account]) AND a.endpoint = d.endpoint
                    AND a.number = d.number AND a.sequence = d.sequence
            ), d.number
            FROM (
                SELECT (
                    SELECT count(*) FROM deliveries AS d
                    WHERE account = $1 COLLATE \"POSIX\" AND ",
            to_one_that_is_there!(),
            ") AS total, (
                    SELECT count(*) FROM deliveries AS d
                    WHERE account = $1 COLLATE \"POSIX\"
                        AND ($2::bigint IS NULL OR endpoint = $2) AND ",
            to_one_that_is_there!(),
            $which,
            ") AS found
            ) AS counted
            LEFT JOIN page AS d ON true
            LEFT JOIN transactions AS t ON t.account = ANY (ARRAY[d.account])
                AND t.number = d.number AND d.sequence > 0
            ORDER BY d.at ",
            $way,
            ", d.number ",
            $way,
            ", d.sequence ",
            $way,
            ", d.endpoint ",
            $way
        )
    };
}

pub(crate) const OLDEST: &str = list!("", "ASC");
pub(crate) const NEWEST: &str = list!("", "DESC");
pub(crate) const OLDEST_PARKED: &str = list!(" AND parked_at IS NOT NULL", "ASC");
pub(crate) const NEWEST_PARKED: &str = list!(" AND parked_at IS NOT NULL", "DESC");

/// The farthest a page may begin: beyond any list, and sums with it stay in range.
const OFFSET_MAX: i64 = i64::MAX / 4;

/// Where the delivery begins, after the counts; where its attempts are, and whether there is one.
const DELIVERY: usize = 2;
const ATTEMPTS: usize = DELIVERY + DELIVERY_COLUMNS;
const KEY: usize = ATTEMPTS + 1;

/// The part of an account's deliveries that a query asks for.
pub(super) async fn page(
    reads: &PgPool,
    account: &AccountId,
    query: &DeliveryQuery,
) -> Result<DeliveryPage, PortError> {
    let statement = match (query.parked, query.sort) {
        (false, Sort::Ascending) => OLDEST,
        (false, Sort::Descending) => NEWEST,
        (true, Sort::Ascending) => OLDEST_PARKED,
        (true, Sort::Descending) => NEWEST_PARKED,
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
        .fetch_all(reads)
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
            page.deliveries.push(with_attempts(row)?);
        }
    }
    Ok(page)
}

fn with_attempts(row: &PgRow) -> Result<(Delivery, Vec<Attempt>), PortError> {
    let attempts: Option<String> = row
        .try_get(ATTEMPTS)
        .map_err(failed("read attempts to deliver"))?;
    let attempts = match attempts {
        Some(attempts) => log(&attempts)?,
        None => Vec::new(),
    };
    Ok((delivery(row, DELIVERY)?.restore()?, attempts))
}
