//! Copies of the database that are made while it is used, and whether one can be restored. A copy
//! must be of one moment, and nothing here may change what it is made of.

use crate::connection;
use crate::error::{PART, failed};
use crate::store::create_new_private_file;
use domain::time::Timestamp;
use ports::PortError;
use sqlx::error::DatabaseError;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection};
use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::time::Duration;

/// Problems of a file that are named; one is enough to refuse it.
const PROBLEMS_MAX: usize = 10;

/// How much of a file says what its log is: two numbers at the end of this, by the file format of
/// `SQLite`, and what they are where a part of the database may be in a log.
const HEADER_LENGTH: usize = 20;
const LOGGED: u8 = 2;

/// `SQLITE_BUSY`.
const BUSY: u32 = 5;

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
/// read. A server may go on meanwhile; its log grows until the copy is made. `to` is an absolute
/// path.
///
/// # Errors
/// When the file exists, has a name that is no UTF-8, or there is no room for it.
pub async fn back_up(dir: &Path, to: &Path) -> Result<(), PortError> {
    let name = to.to_str().ok_or_else(|| {
        let what = format!("{} is no name in UTF-8", to.display());
        PortError::new(PART, what).with_nothing_done()
    })?;
    let cannot = |error| PortError::caused(PART, format!("create {}", to.display()), error);
    create_new_private_file(to).map_err(cannot)?;
    let options = connection::options(dir).read_only(true);
    let opened = options.connect().await;
    let mut connection = opened.map_err(failed("open the database"))?;
    // The only statement that may write into a file: an empty one, which this is.
    let copied = sqlx::query("VACUUM INTO ?1")
        .bind(name)
        .execute(&mut connection)
        .await;
    let copied = copied.map_err(failed("copy the database"));
    connection
        .close()
        .await
        .map_err(failed("close the database"))?;
    copied.map(drop)
}

/// Keeps every other process from opening the database of a data folder until it is dropped. What
/// one opened before stays open.
#[derive(Debug)]
pub struct OpeningLock {
    _file: File,
}

impl OpeningLock {
    /// Waits for the processes that open it at the moment.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub async fn hold(dir: &Path) -> Result<Self, PortError> {
        let file = connection::migration_lock(dir).await?;
        Ok(Self { _file: file })
    }
}

/// What became of folding a log into its database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFolding {
    /// The file alone is the database.
    Done,
    /// Another process has the database open; nothing was changed.
    InUse,
}

/// Writes what the log of a database still has into its file, and removes the log.
///
/// # Errors
/// When the database cannot be opened, or cannot be read.
pub async fn fold_log(dir: &Path) -> Result<LogFolding, PortError> {
    let options = connection::options(dir).busy_timeout(Duration::ZERO);
    let opened = options.connect().await;
    let mut connection = opened.map_err(failed("open the database"))?;
    let mode: Result<String, sqlx::Error> = sqlx::query_scalar("PRAGMA journal_mode = DELETE")
        .fetch_one(&mut connection)
        .await;
    connection
        .close()
        .await
        .map_err(failed("close the database"))?;
    match mode {
        Ok(mode) if mode == "delete" => Ok(LogFolding::Done),
        Ok(_) => Ok(LogFolding::InUse),
        Err(error) if is_locked(&error) => Ok(LogFolding::InUse),
        Err(error) => Err(failed("end the log of the database")(error)),
    }
}

/// Whether another connection keeps this one waiting.
fn is_locked(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(DatabaseError::code);
    // An extended code has the plain one in its lowest byte.
    let code = code.and_then(|code| code.parse::<u32>().ok());
    code.is_some_and(|code| code & 0xff == BUSY)
}

/// What a copy has in it, once every page, index and reference of it was checked.
///
/// # Errors
/// When it is damaged, is no database of the gateway, was made by a newer version, or is a part of
/// a database in use.
pub async fn verify_backup(file: &Path) -> Result<BackupContents, PortError> {
    is_alone(file)?;
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

/// Refuses a file that is not all of its database: one of which a part is in a log beside it.
fn is_alone(file: &Path) -> Result<(), PortError> {
    let cannot = |error| PortError::caused(PART, format!("read {}", file.display()), error);
    if !std::fs::metadata(file).map_err(cannot)?.is_file() {
        let what = format!("{} is no file", file.display());
        return Err(PortError::new(PART, what));
    }
    let mut header = [0; HEADER_LENGTH];
    let mut opened = File::open(file).map_err(cannot)?;
    // A shorter file is no database, which is found when it is opened.
    let is_whole = opened.read_exact(&mut header).is_ok();
    if is_whole && header.ends_with(&[LOGGED, LOGGED]) {
        let what = "the file was copied from a database in use, of which a part may be in its log \
                    (-wal); make a copy with `manilla backup create`";
        return Err(PortError::new(PART, what));
    }
    Ok(())
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
    let schema = connection::released_version(connection).await?;
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
