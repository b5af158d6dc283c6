//! Copies of the database that are made while it is used, and whether one can be restored. A copy
//! must be of one moment, and nothing here may change what it is made of.

use crate::connection;
use crate::error::{PART, failed};
use crate::store::create_private_file;
use domain::time::Timestamp;
use ports::PortError;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection};
use std::path::Path;

/// Problems of a file that are named; one is enough to refuse it.
const PROBLEMS_MAX: usize = 10;

/// What a copy has in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackupContents {
    /// The version of its schema.
    pub schema: i64,
    /// How many transactions.
    pub transactions: u64,
    /// When the newest of them was accepted.
    pub newest_at: Option<Timestamp>,
}

/// Copies the database of a data folder, as it stands now, into a new file that only its owner can
/// read. A server may go on meanwhile; its log grows until the copy is made.
///
/// # Errors
/// When the file exists, or there is no room for it.
pub async fn back_up(dir: &Path, to: &Path) -> Result<(), PortError> {
    if to.exists() {
        let what = format!("{} is there already", to.display());
        return Err(PortError::new(PART, what).with_nothing_done());
    }
    let cannot = |error| PortError::caused(PART, format!("create {}", to.display()), error);
    create_private_file(to).map_err(cannot)?;
    let options = connection::options(dir).read_only(true);
    let opened = options.connect().await;
    let mut connection = opened.map_err(failed("open the database"))?;
    // The only statement that may write into a file: an empty one, which this is.
    let copied = sqlx::query("VACUUM INTO ?1")
        .bind(to.to_string_lossy().into_owned())
        .execute(&mut connection)
        .await;
    let copied = copied.map_err(failed("copy the database"));
    connection
        .close()
        .await
        .map_err(failed("close the database"))?;
    copied.map(drop)
}

/// What a copy has in it, once every page, index and reference of it was checked.
///
/// # Errors
/// When it is damaged, is no database of the gateway, or was made by a newer version.
pub async fn verify_backup(file: &Path) -> Result<BackupContents, PortError> {
    let options = SqliteConnectOptions::new()
        .filename(file)
        .read_only(true)
        .immutable(true)
        .disable_statement_logging();
    let opened = options.connect().await;
    let mut connection = opened.map_err(failed("open the copy"))?;
    let contents = read(&mut connection).await;
    connection.close().await.map_err(failed("close the copy"))?;
    contents
}

async fn read(connection: &mut SqliteConnection) -> Result<BackupContents, PortError> {
    let problems: Vec<String> = sqlx::query_scalar("PRAGMA integrity_check")
        .fetch_all(&mut *connection)
        .await
        .map_err(failed("check the copy"))?;
    if problems != ["ok"] {
        let named: Vec<_> = problems.iter().take(PROBLEMS_MAX).cloned().collect();
        let what = format!("the copy is damaged: {}", named.join("; "));
        return Err(PortError::new(PART, what));
    }
    let dangling = sqlx::query("PRAGMA foreign_key_check")
        .fetch_optional(&mut *connection)
        .await
        .map_err(failed("check the references of the copy"))?;
    if dangling.is_some() {
        let what = "the copy is damaged: a row refers to one that is not there";
        return Err(PortError::new(PART, what));
    }
    let schema: i64 = sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations")
        .fetch_one(&mut *connection)
        .await
        .map_err(failed("read the version of the copy"))?;
    let newest = connection::newest_version();
    if schema > newest {
        let what = format!(
            "the copy has version {schema} of the schema, and this program knows {newest}; use the \
             program that made it, or a newer one"
        );
        return Err(PortError::new(PART, what));
    }
    let (transactions, newest_at): (i64, Option<i64>) =
        sqlx::query_as("SELECT count(*), max(opened_at) FROM transactions")
            .fetch_one(&mut *connection)
            .await
            .map_err(failed("count the transactions of the copy"))?;
    Ok(BackupContents {
        schema,
        transactions: u64::try_from(transactions).unwrap_or_default(),
        newest_at: newest_at.map(Timestamp::from_millis),
    })
}
