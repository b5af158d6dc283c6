//! Versions of the catalogue. They must be written through the one writer, and never be changed.

use crate::error::{failed, wrote};
use crate::store::SqliteStore;
use crate::writer::SqliteWriter;
use async_trait::async_trait;
use domain::time::Timestamp;
use ports::PortError;
use ports::catalogue_versions::{
    CataloguePublication, CatalogueReading, CatalogueVersions, LEAD_MIN, NewCatalogueVersion,
};
use sqlx::Connection;
use storage_sql::record::{CatalogueVersionColumns, catalogue_version, change_lines};

/// The store's time: that of the machine, since one process serves it.
const NOW: &str = "SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER)";

const FOLLOWS: &str = "SELECT coalesce(max(number), 0) = ?1 - 1 FROM catalogue_versions";

const AFTER: &str = "
    SELECT number, effective_from, published_at, published_by, reason, digest, changes
    FROM catalogue_versions WHERE number > ?1 ORDER BY number";

const DOCUMENT: &str = "SELECT document FROM catalogue_versions WHERE number = ?1";

const PUBLISH: &str = "
    INSERT INTO catalogue_versions (
        number, effective_from, published_at, published_by, reason, digest, changes, document
    )
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";

#[async_trait]
impl CatalogueVersions for SqliteStore {
    async fn versions(&self, after: u32) -> Result<CatalogueReading, PortError> {
        let read = failed("read the versions of the catalogue");
        // In one transaction, and the time first: what is published later begins after it.
        let rows = async {
            let mut connection = self.reads.acquire().await?;
            let mut snapshot = connection.begin().await?;
            let now: i64 = sqlx::query_scalar(NOW).fetch_one(&mut *snapshot).await?;
            let rows: Vec<CatalogueVersionColumns> = sqlx::query_as(AFTER)
                .bind(i64::from(after))
                .fetch_all(&mut *snapshot)
                .await?;
            Ok((now, rows))
        };
        let (now, rows) = rows.await.map_err(read)?;
        let versions: Result<_, _> = rows.into_iter().map(catalogue_version).collect();
        Ok(CatalogueReading {
            now: Timestamp::from_millis(now),
            versions: versions?,
        })
    }

    async fn document(&self, number: u32) -> Result<Option<String>, PortError> {
        sqlx::query_scalar(DOCUMENT)
            .bind(i64::from(number))
            .fetch_optional(&self.reads)
            .await
            .map_err(failed("read a version of the catalogue"))
    }

    async fn publish(
        &self,
        version: &NewCatalogueVersion,
    ) -> Result<CataloguePublication, PortError> {
        let version = version.clone();
        self.writer
            .alone(move |writer| Box::pin(writer.publish_catalogue(version)))
            .await?
    }
}

impl SqliteWriter {
    async fn publish_catalogue(
        &mut self,
        version: NewCatalogueVersion,
    ) -> Result<CataloguePublication, PortError> {
        let mut step = self.step().await?;
        let follows: bool = sqlx::query_scalar(FOLLOWS)
            .bind(i64::from(version.number))
            .fetch_one(&mut *step)
            .await
            .map_err(failed("read the versions of the catalogue"))?;
        if !follows {
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
            .bind(i64::from(version.number))
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
        wrote(
            inserted.rows_affected(),
            1,
            "publish a version of the catalogue",
        )?;
        step.commit()
            .await
            .map_err(failed("commit a version of the catalogue"))?;
        Ok(CataloguePublication::Done)
    }
}
