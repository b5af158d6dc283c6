//! Requests of accounts. Nothing here may wait for what payments lock, nor lock what they need.

use crate::batches::in_direction;
use crate::connection::StatementAnswer;
use crate::error::failed;
use crate::rows::bigint;
use crate::store::PostgresStore;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::request_log::{LoggedRequest, RequestLogQuery, StatusFilter};
use domain::time::Timestamp;
use ports::PortError;
use ports::request_log::{RequestExcess, RequestLog, RequestLogPage};
use sqlx::Row;
use sqlx::postgres::PgRow;
use storage_sql::record::LoggedRequestRow;

/// The columns that [`request_row`] reads.
macro_rules! request_columns {
    () => {
        "account, number, at, method, path, status, latency, key_prefix, address, request_id"
    };
}

/// Which of the requests of an account are asked for.
macro_rules! asked_for {
    () => {
        " FROM request_log WHERE account = $1
        AND ($2::bigint IS NULL OR at >= $2) AND ($3::bigint IS NULL OR at < $3)
        AND ($4::integer IS NULL OR status >= $4) AND ($5::integer IS NULL OR status <= $5)
        AND ($6::text IS NULL OR request_id = $6)"
    };
}

const PAGES: [&str; 2] = [
    concat!(
        "SELECT ",
        request_columns!(),
        asked_for!(),
        " ORDER BY at, number LIMIT $8 OFFSET $7"
    ),
    concat!(
        "SELECT ",
        request_columns!(),
        asked_for!(),
        " ORDER BY at DESC, number DESC LIMIT $8 OFFSET $7"
    ),
];

const FOUND: &str = concat!("SELECT count(*)", asked_for!());

const TOTAL: &str = "SELECT count(*) FROM request_log WHERE account = $1";

/// A row for each place of the lists.
const INSERT: &str = concat!(
    "INSERT INTO request_log (",
    request_columns!(),
    ") SELECT * FROM unnest(
        $1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::integer[], $7::bigint[],
        $8::text[], $9::text[], $10::text[]
    )"
);

/// At most `$3` of the requests of an account that `$2` newer ones follow, the oldest first. Each
/// is found by its key: an equality would let the server walk through an index beside them.
const FORGET_EXCESS: &str = "
    WITH excess AS MATERIALIZED (
        SELECT at, number FROM request_log WHERE account = $1 AND (at, number) <= (
            SELECT at, number FROM request_log WHERE account = $1
            ORDER BY at DESC, number DESC LIMIT 1 OFFSET $2
        )
        ORDER BY at, number LIMIT $3
    )
    DELETE FROM request_log AS l USING excess
    WHERE l.account = ANY (ARRAY[$1::text]) AND l.at = ANY (ARRAY[excess.at])
        AND l.number = ANY (ARRAY[excess.number])";

/// At most `$2` of the requests that were answered before `$1`. Another instance may do the same.
pub(crate) const FORGET_OLD: &str = "
    WITH old AS MATERIALIZED (
        SELECT account, at, number FROM request_log WHERE at < $1 ORDER BY at LIMIT $2
    )
    DELETE FROM request_log AS l USING old
    WHERE l.account = ANY (ARRAY[old.account]) AND l.at = ANY (ARRAY[old.at])
        AND l.number = ANY (ARRAY[old.number])";

/// Every statement here, for the tests of how the server runs them.
#[cfg(test)]
pub(crate) const STATEMENTS: [&str; 7] = [
    FORGET_EXCESS,
    FORGET_OLD,
    FOUND,
    INSERT,
    PAGES[0],
    PAGES[1],
    TOTAL,
];

#[async_trait]
impl RequestLog for PostgresStore {
    async fn record_requests(&self, requests: &[LoggedRequest]) -> Result<(), PortError> {
        let rows: Vec<_> = requests.iter().map(LoggedRequestRow::of).collect();
        let texts = |of: fn(&LoggedRequestRow) -> &str| rows.iter().map(of).collect::<Vec<_>>();
        let numbers = |of: fn(&LoggedRequestRow) -> i64| rows.iter().map(of).collect::<Vec<_>>();
        let statuses: Vec<i32> = rows.iter().map(|row| row.status).collect();
        sqlx::query(INSERT)
            .bind(texts(|row| &row.account))
            .bind(numbers(|row| row.number))
            .bind(numbers(|row| row.at))
            .bind(texts(|row| &row.method))
            .bind(texts(|row| &row.path))
            .bind(statuses)
            .bind(numbers(|row| row.latency))
            .bind(texts(|row| &row.key_prefix))
            .bind(texts(|row| &row.address))
            .bind(texts(|row| &row.request_id))
            .execute(&self.steps)
            .in_time()
            .await
            .map_err(failed("record requests"))?;
        Ok(())
    }

    async fn logged_requests(
        &self,
        account: &AccountId,
        query: &RequestLogQuery,
    ) -> Result<RequestLogPage, PortError> {
        let from = query.from.map(Timestamp::as_millis);
        let before = query.before.map(Timestamp::as_millis);
        let (first, last) = query.status.map(StatusFilter::bounds).unzip();
        let (first, last) = (first.map(i32::from), last.map(i32::from));
        let rows = sqlx::query(in_direction(PAGES, query.sort))
            .bind(account.as_str())
            .bind(from)
            .bind(before)
            .bind(first)
            .bind(last)
            .bind(query.request_id.as_deref())
            .bind(bigint(query.offset))
            .bind(i64::from(query.length))
            .fetch_all(&self.pages)
            .in_time()
            .await
            .map_err(failed("list the requests of an account"))?;
        let found: i64 = sqlx::query_scalar(FOUND)
            .bind(account.as_str())
            .bind(from)
            .bind(before)
            .bind(first)
            .bind(last)
            .bind(query.request_id.as_deref())
            .fetch_one(&self.pages)
            .in_time()
            .await
            .map_err(failed("count the requests that are asked for"))?;
        let total: i64 = sqlx::query_scalar(TOTAL)
            .bind(account.as_str())
            .fetch_one(&self.pages)
            .in_time()
            .await
            .map_err(failed("count the requests of an account"))?;
        Ok(RequestLogPage {
            // A row that was forged must not hide the others.
            requests: rows.iter().filter_map(|row| restored(row).ok()).collect(),
            total: u64::try_from(total).unwrap_or_default(),
            found: u64::try_from(found).unwrap_or_default(),
        })
    }

    async fn forget_excess(&self, excess: RequestExcess<'_>) -> Result<u64, PortError> {
        let forgotten = sqlx::query(FORGET_EXCESS)
            .bind(excess.account.as_str())
            .bind(i64::from(excess.kept))
            .bind(i64::from(excess.most))
            .execute(&self.steps)
            .in_time()
            .await
            .map_err(failed("forget requests"))?;
        Ok(forgotten.rows_affected())
    }
}

fn restored(row: &PgRow) -> Result<LoggedRequest, PortError> {
    request_row(row)
        .map_err(failed("read a request of an account"))?
        .restore()
}

fn request_row(row: &PgRow) -> Result<LoggedRequestRow, sqlx::Error> {
    Ok(LoggedRequestRow {
        account: row.try_get(0)?,
        number: row.try_get(1)?,
        at: row.try_get(2)?,
        method: row.try_get(3)?,
        path: row.try_get(4)?,
        status: row.try_get(5)?,
        latency: row.try_get(6)?,
        key_prefix: row.try_get(7)?,
        address: row.try_get(8)?,
        request_id: row.try_get(9)?,
    })
}
