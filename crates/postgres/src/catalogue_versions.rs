//! Versions of the catalogue. A reader must see every version that could begin within the next
//! minute: a publication that is under way is waited for.

use crate::connection::StatementAnswer;
use crate::error::failed;
use crate::store::PostgresStore;
use crate::writer::PostgresWriter;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::time::Timestamp;
use ports::PortError;
use ports::catalogue_versions::{
    CataloguePublication, CatalogueReading, CatalogueVersions, LEAD_MIN, NewCatalogueVersion,
};
use sqlx::Connection;
use storage_sql::record::{CatalogueVersionColumns, catalogue_version, change_lines};

/// Held by a publication until its commit is visible, and by each who reads the versions: "catalog"
/// in ASCII.
const LOCK: i64 = 0x0063_6174_616c_6f67;

const LOCK_TO_READ: &str = "SELECT pg_advisory_xact_lock_shared($1)";

const LOCK_TO_PUBLISH: &str = "SELECT pg_advisory_xact_lock($1)";

const NOW: &str = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint";

const AFTER: &str = "
    SELECT number::bigint, effective_from, published_at, published_by, reason, digest, changes
    FROM catalogue_versions WHERE number > $1 ORDER BY number";

const DOCUMENT: &str = "SELECT document FROM catalogue_versions WHERE number = $1";

const LAST: &str = "SELECT coalesce(max(number), 0)::bigint FROM catalogue_versions";

const PUBLISH: &str = "
    INSERT INTO catalogue_versions (
        number, effective_from, published_at, published_by, reason, digest, changes, document
    )
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (number) DO NOTHING";

/// The writer that takes publications is found by a name, as that of an account is.
const WRITER: &str = "operators";

#[async_trait]
impl CatalogueVersions for PostgresStore {
    async fn versions(&self, after: u32) -> Result<CatalogueReading, PortError> {
        // The lock is taken before the time is asked for and before the rows are read: what is
        // published after it is dated after that time.
        let read = async {
            let mut connection = self.steps.acquire().await?;
            let mut step = connection.begin().await?;
            sqlx::query(LOCK_TO_READ)
                .bind(LOCK)
                .execute(&mut *step)
                .await?;
            let now: i64 = sqlx::query_scalar(NOW).fetch_one(&mut *step).await?;
            let rows: Vec<CatalogueVersionColumns> = sqlx::query_as(AFTER)
                .bind(i32::try_from(after).unwrap_or(i32::MAX))
                .fetch_all(&mut *step)
                .await?;
            step.rollback().await?;
            Ok((now, rows))
        };
        let read = read.in_time().await;
        let (now, rows) = read.map_err(failed("read the versions of the catalogue"))?;
        let versions: Result<_, _> = rows.into_iter().map(catalogue_version).collect();
        Ok(CatalogueReading {
            now: Timestamp::from_millis(now),
            versions: versions?,
        })
    }

    async fn document(&self, number: u32) -> Result<Option<String>, PortError> {
        sqlx::query_scalar(DOCUMENT)
            .bind(i32::try_from(number).unwrap_or(i32::MAX))
            .fetch_optional(&self.pages)
            .in_time()
            .await
            .map_err(failed("read a version of the catalogue"))
    }

    async fn publish(
        &self,
        version: &NewCatalogueVersion,
    ) -> Result<CataloguePublication, PortError> {
        let version = version.clone();
        let writer = AccountId::parse(WRITER);
        let writer = writer.map_err(|error| PortError::caused("postgres", WRITER, error))?;
        self.alone(&writer, move |writer| {
            Box::pin(writer.publish_catalogue(version))
        })
        .await
    }
}

impl PostgresWriter {
    async fn publish_catalogue(
        &mut self,
        version: NewCatalogueVersion,
    ) -> Result<CataloguePublication, PortError> {
        let mut step = self.step().await?;
        sqlx::query(LOCK_TO_PUBLISH)
            .bind(LOCK)
            .execute(&mut *step)
            .await
            .map_err(failed("wait for other publications"))?;
        let last: i64 = sqlx::query_scalar(LAST)
            .fetch_one(&mut *step)
            .await
            .map_err(failed("read the versions of the catalogue"))?;
        if last.checked_add(1) != Some(i64::from(version.number)) {
            return Ok(CataloguePublication::OutOfTurn);
        }
        let now: i64 = sqlx::query_scalar(NOW)
            .fetch_one(&mut *step)
            .await
            .map_err(failed("ask the database for the time"))?;
        let now = Timestamp::from_millis(now);
        if version.effective_from < now.plus(LEAD_MIN) {
            return Ok(CataloguePublication::TooSoon(now));
        }
        let inserted = sqlx::query(PUBLISH)
            .bind(i32::try_from(version.number).unwrap_or(i32::MAX))
            .bind(version.effective_from.as_millis())
            .bind(now.as_millis())
            .bind(version.published_by)
            .bind(version.reason)
            .bind(version.digest.to_vec())
            .bind(change_lines(&version.changes))
            .bind(version.document)
            .execute(&mut *step)
            .await
            .map_err(failed("publish a version of the catalogue"))?;
        if inserted.rows_affected() == 0 {
            return Ok(CataloguePublication::OutOfTurn);
        }
        step.commit()
            .await
            .map_err(failed("commit a version of the catalogue"))?;
        Ok(CataloguePublication::Done)
    }
}
