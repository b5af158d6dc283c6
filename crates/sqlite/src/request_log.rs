//! Requests of accounts. The writer must never be given more than a bounded number of rows:
//! payments wait for it.

use crate::batches::{in_direction, integer};
use crate::error::failed;
use crate::rows::json;
use crate::store::SqliteStore;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::request_log::{LoggedRequest, RequestLogQuery, StatusFilter};
use domain::time::Timestamp;
use ports::PortError;
use ports::request_log::{RequestExcess, RequestLog, RequestLogPage};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;
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
        " FROM request_log WHERE account = ?1
        AND (?2 IS NULL OR at >= ?2) AND (?3 IS NULL OR at < ?3)
        AND (?4 IS NULL OR status >= ?4) AND (?5 IS NULL OR status <= ?5)
        AND (?6 IS NULL OR request_id = ?6)"
    };
}

const PAGES: [&str; 2] = [
    concat!(
        "SELECT ",
        request_columns!(),
        asked_for!(),
        " ORDER BY at, number LIMIT ?8 OFFSET ?7"
    ),
    concat!(
        "SELECT ",
        request_columns!(),
        asked_for!(),
        " ORDER BY at DESC, number DESC LIMIT ?8 OFFSET ?7"
    ),
];

const FOUND: &str = concat!("SELECT count(*)", asked_for!());

const TOTAL: &str = "SELECT count(*) FROM request_log WHERE account = ?1";

/// Every row of a list.
const INSERT: &str = concat!(
    "INSERT INTO request_log (",
    request_columns!(),
    ") SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5,
        value ->> 6, value ->> 7, value ->> 8, value ->> 9
    FROM json_each(?1)"
);

/// The newest request of an account that `?2` newer ones follow.
const LAST_KEPT: &str = "
    SELECT at, number FROM request_log WHERE account = ?1
    ORDER BY at DESC, number DESC LIMIT 1 OFFSET ?2";

/// At most `?4` of the requests of an account up to one, the oldest first.
const FORGET_EXCESS: &str = "
    DELETE FROM request_log WHERE account = ?1 AND (at, number) IN (
        SELECT at, number FROM request_log WHERE account = ?1 AND (at, number) <= (?2, ?3)
        ORDER BY at, number LIMIT ?4
    )";

/// At most `?2` of the requests that were answered before `?1`.
pub(crate) const FORGET_OLD: &str = "
    DELETE FROM request_log WHERE (account, at, number) IN (
        SELECT account, at, number FROM request_log WHERE at < ?1 ORDER BY at LIMIT ?2
    )";

/// Every statement here, for the tests of how `SQLite` runs them.
#[cfg(test)]
pub(crate) const STATEMENTS: [&str; 8] = [
    FORGET_EXCESS,
    FORGET_OLD,
    FOUND,
    INSERT,
    LAST_KEPT,
    PAGES[0],
    PAGES[1],
    TOTAL,
];

#[async_trait]
impl RequestLog for SqliteStore {
    async fn record_requests(&self, requests: &[LoggedRequest]) -> Result<(), PortError> {
        let rows = requests.iter().map(LoggedRequestRow::of).map(|row| {
            (
                row.account,
                row.number,
                row.at,
                row.method,
                row.path,
                row.status,
                row.latency,
                row.key_prefix,
                row.address,
                row.request_id,
            )
        });
        let rows = json(&rows.collect::<Vec<_>>())?;
        let recorded = self.writer.alone(move |writer| {
            let inserted = sqlx::query(INSERT).bind(rows).execute(writer.connection());
            Box::pin(inserted)
        });
        recorded.await?.map_err(failed("record requests"))?;
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
        let rows = sqlx::query(in_direction(PAGES, query.sort))
            .bind(account.as_str())
            .bind(from)
            .bind(before)
            .bind(first)
            .bind(last)
            .bind(query.request_id.as_deref())
            .bind(integer(query.offset))
            .bind(i64::from(query.length))
            .fetch_all(&self.pages)
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
            .await
            .map_err(failed("count the requests that are asked for"))?;
        let total: i64 = sqlx::query_scalar(TOTAL)
            .bind(account.as_str())
            .fetch_one(&self.pages)
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
        // Looked for beside the writer.
        let last: Option<(i64, i64)> = sqlx::query_as(LAST_KEPT)
            .bind(excess.account.as_str())
            .bind(i64::from(excess.kept))
            .fetch_optional(&self.pages)
            .await
            .map_err(failed("look for requests that need not be kept"))?;
        let Some((at, number)) = last else {
            return Ok(0);
        };
        let (account, most) = (excess.account.clone(), excess.most);
        let forgotten = self.writer.alone(move |writer| {
            Box::pin(async move {
                sqlx::query(FORGET_EXCESS)
                    .bind(account.as_str())
                    .bind(at)
                    .bind(number)
                    .bind(i64::from(most))
                    .execute(writer.connection())
                    .await
            })
        });
        let forgotten = forgotten.await?.map_err(failed("forget requests"))?;
        Ok(forgotten.rows_affected())
    }
}

fn restored(row: &SqliteRow) -> Result<LoggedRequest, PortError> {
    request_row(row)
        .map_err(failed("read a request of an account"))?
        .restore()
}

fn request_row(row: &SqliteRow) -> Result<LoggedRequestRow, sqlx::Error> {
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
