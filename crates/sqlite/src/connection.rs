//! How connections to the file are set up. Every connection that writes must wait for the disk on
//! commit; those that read must not be able to write.

use crate::error::{PART, failed};
use crate::version;
use ports::PortError;
use sqlx::migrate::{MigrateError, Migrator};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePool, SqlitePoolOptions,
    SqliteSynchronous,
};
use sqlx::{ConnectOptions, Connection};
use std::fs::File;
use std::path::Path;
use std::time::Duration;
use storage_sql::schema_version::{StoredVersion, check_later, compatible_since};

static MIGRATOR: Migrator = sqlx::migrate!();

/// The database, inside the data folder.
pub(crate) const FILE: &str = "manilla.db";

/// Held while the schema is brought up to date, so that two processes never do it at once.
const MIGRATE_LOCK: &str = "migrate.lock";

/// How long a writer waits for another process. An administrative command writes for milliseconds.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Page cache of the writer in KiB: the newest pages of every table and the upper levels of every
/// index stay in memory.
const WRITER_CACHE_KIB: i32 = 32 * 1024;

/// Page cache of one reader in KiB; the operating system's cache is behind it.
const READER_CACHE_KIB: i32 = 4 * 1024;

/// Pages in the log before it is copied into the database (4 MiB). Every payment of the moment
/// waits for a copy, so it must be short: with four times as many, p99 doubled and nothing was
/// faster.
const CHECKPOINT_PAGES: u32 = 1000;

/// Rows a connection may produce ahead of its reader; more than a page or a batch asks for.
const ROWS_AHEAD: usize = 512;

/// Different statements this crate has, with room to spare: each is prepared once per connection.
const STATEMENTS: usize = 64;

/// Which programs may serve beside a version that they do not know; made with the first that says
/// so, before the version itself.
const COMPATIBILITY: &str = "
    CREATE TABLE IF NOT EXISTS schema_compatibility (
        version INTEGER PRIMARY KEY,
        compatible_since INTEGER NOT NULL
    ) STRICT";

/// The version of a schema, if it is one that this program or one before it made, or a newer one
/// that says that this program may serve beside it.
pub(crate) async fn released_version(connection: &mut SqliteConnection) -> Result<i64, PortError> {
    let mut newest = None;
    let mut later = Vec::new();
    let mut known = 0_usize;
    for stored in stored_versions(connection).await? {
        newest = Some(stored.version);
        let ours = MIGRATOR.iter().find(|it| it.version == stored.version);
        let Some(ours) = ours else {
            later.push(stored);
            continue;
        };
        if ours.checksum.as_ref() != stored.checksum {
            let what = format!(
                "version {} of its schema is none that this program knows; use the program that \
                 made it, or a newer one",
                stored.version
            );
            return Err(PortError::new(PART, what));
        }
        known = known.saturating_add(1);
    }
    // What is later was made of all that this program knows, or this program serves on none of it.
    let is_whole = known == MIGRATOR.iter().count();
    check_later(if is_whole { newest_version() } else { 0 }, &later)?;
    newest.ok_or_else(|| PortError::new(PART, "it is no database of the gateway"))
}

/// The versions of a database.
async fn stored_versions(
    connection: &mut SqliteConnection,
) -> Result<Vec<StoredVersion>, PortError> {
    let is_said: bool = sqlx::query_scalar(
        "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'schema_compatibility'",
    )
    .fetch_one(&mut *connection)
    .await
    .map_err(failed("look for what serves beside the schema"))?;
    let versions = if is_said {
        "SELECT version, checksum, compatible_since FROM _sqlx_migrations
        LEFT JOIN schema_compatibility USING (version) ORDER BY version"
    } else {
        "SELECT version, checksum, NULL FROM _sqlx_migrations ORDER BY version"
    };
    let stored: Vec<(i64, Vec<u8>, Option<i64>)> = sqlx::query_as(versions)
        .fetch_all(connection)
        .await
        .map_err(failed("read the version of the schema"))?;
    let stored = stored.into_iter();
    let stored = stored.map(|(version, checksum, compatible_since)| StoredVersion {
        version,
        checksum,
        compatible_since,
    });
    Ok(stored.collect())
}

/// Notes which programs may serve beside the versions that are about to be made. Nothing is made of
/// a note whose version is not there.
async fn note_compatibility<'a>(
    connection: &mut SqliteConnection,
    migrations: impl Iterator<Item = (i64, &'a str)> + Send,
) -> Result<(), PortError> {
    let note = "INSERT OR REPLACE INTO schema_compatibility VALUES (?1, ?2)";
    for (version, sql) in migrations {
        let Some(since) = compatible_since(sql) else {
            continue;
        };
        sqlx::query(COMPATIBILITY)
            .execute(&mut *connection)
            .await
            .map_err(failed("make the table of what serves beside a version"))?;
        sqlx::query(note)
            .bind(version)
            .bind(since)
            .execute(&mut *connection)
            .await
            .map_err(failed("note what serves beside a version"))?;
    }
    Ok(())
}

/// Brings a schema up to date; one that a newer program made is left as it is where that program
/// says that this one may serve on it.
async fn migrate(dir: &Path, connection: &mut SqliteConnection) -> Result<(), PortError> {
    let stored = stored_versions(connection).await.unwrap_or_default();
    // A new file has no table of versions yet.
    let newest = stored.last().map_or(0, |it| it.version);
    if newest > newest_version() {
        let judged = released_version(connection).await;
        return judged.map(drop).map_err(|error| newer(dir, error));
    }
    let ahead = MIGRATOR.iter().filter(|it| it.version > newest);
    let ahead = ahead.map(|it| (it.version, it.sql.as_str()));
    note_compatibility(connection, ahead).await?;
    let migrated = MIGRATOR.run_direct(None, connection, false).await;
    migrated.map_err(|error| outdated(dir, error))
}

fn newer(dir: &Path, error: PortError) -> PortError {
    let what = format!(
        "{} was written by a newer version of the gateway; use that one",
        dir.display()
    );
    PortError::caused(PART, what, error)
}

/// The version that this program brings a schema to.
pub(crate) fn newest_version() -> i64 {
    let versions = MIGRATOR.iter().map(|it| it.version);
    versions.max().unwrap_or_default()
}

/// A database in memory with the schema that this program makes.
pub(crate) async fn migrated_in_memory() -> Result<SqliteConnection, PortError> {
    let connected = SqliteConnectOptions::new().in_memory(true).connect().await;
    let mut connection = connected.map_err(failed("open a database in memory"))?;
    let migrated = MIGRATOR.run_direct(None, &mut connection, false).await;
    let unmade = |error| PortError::caused(PART, "make the schema in memory", error);
    migrated.map_err(unmade)?;
    Ok(connection)
}

pub(crate) fn options(dir: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(dir.join(FILE))
        .foreign_keys(true)
        .busy_timeout(BUSY_TIMEOUT)
        .statement_cache_capacity(STATEMENTS)
        .row_buffer_size(ROWS_AHEAD)
        .pragma("temp_store", "memory")
        .pragma("trusted_schema", "off")
        .disable_statement_logging()
}

/// Opens the connection that writes, creating the file and its schema where needed.
pub(crate) async fn writer(dir: &Path) -> Result<SqliteConnection, PortError> {
    let options = options(dir)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        // On macOS an ordinary sync returns before the disk has the data.
        .pragma("fullfsync", "on")
        .pragma("checkpoint_fullfsync", "on")
        .pragma("cache_size", (-WRITER_CACHE_KIB).to_string())
        .pragma("wal_autocheckpoint", CHECKPOINT_PAGES.to_string());
    let lock = migration_lock(dir).await?;
    let mut connection = options
        .connect()
        .await
        .map_err(failed("open the database"))?;
    let version: String = sqlx::query_scalar("SELECT sqlite_version()")
        .fetch_one(&mut connection)
        .await
        .map_err(failed("ask for the version"))?;
    version::check(&version)?;
    refuse_unreleased(dir, &mut connection).await?;
    migrate(dir, &mut connection).await?;
    drop(lock);
    Ok(connection)
}

/// Refuses a schema that was made by a version of the gateway before the first release.
async fn refuse_unreleased(dir: &Path, connection: &mut SqliteConnection) -> Result<(), PortError> {
    let stored = sqlx::query_scalar("SELECT checksum FROM _sqlx_migrations WHERE version = 1");
    // A new file has no table of versions yet.
    let stored: Option<Vec<u8>> = stored.fetch_optional(connection).await.unwrap_or(None);
    let released = MIGRATOR.iter().next().map(|it| it.checksum.as_ref());
    if stored.is_none() || stored.as_deref() == released {
        return Ok(());
    }
    let what = format!(
        "{} was made by a version of the gateway that was never released; move it away and start \
         with a new data folder",
        dir.display()
    );
    Err(PortError::new(PART, what))
}

/// Connections that only read.
pub(crate) async fn readers(dir: &Path, count: u32) -> Result<SqlitePool, PortError> {
    let options = options(dir)
        .read_only(true)
        .pragma("query_only", "on")
        .pragma("cache_size", (-READER_CACHE_KIB).to_string());
    SqlitePoolOptions::new()
        .max_connections(count)
        .min_connections(1)
        .idle_timeout(None)
        .max_lifetime(None)
        // The database is a file of this process: a connection to it does not go away by itself.
        .test_before_acquire(false)
        .connect_with(options)
        .await
        .map_err(failed("open the database for reading"))
}

/// Closes the writing connection, which folds the log into the database.
pub(crate) async fn close(connection: SqliteConnection) {
    if let Err(error) = connection.close().await {
        tracing::warn!(%error, "the database did not close cleanly; its log is kept");
    }
}

pub(crate) async fn migration_lock(dir: &Path) -> Result<File, PortError> {
    let path = dir.join(MIGRATE_LOCK);
    let cannot = |error| PortError::caused(PART, "wait for another process to migrate", error);
    let take = move || {
        let file = File::create(path)?;
        file.lock()?;
        Ok(file)
    };
    let taken = tokio::task::spawn_blocking(take).await;
    taken
        .map_err(std::io::Error::from)
        .flatten()
        .map_err(cannot)
}

fn outdated(dir: &Path, error: MigrateError) -> PortError {
    let what = if matches!(error, MigrateError::VersionMissing(_)) {
        format!(
            "{} was written by a newer version of the gateway; use that one",
            dir.display()
        )
    } else {
        "bring the schema up to date".to_owned()
    };
    PortError::caused(PART, what, error)
}
