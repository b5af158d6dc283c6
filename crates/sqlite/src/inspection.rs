//! The store of a data folder for a person who looks: read, and nothing else. No file may be made,
//! written or removed, whether a server works on it or not.

use crate::connection;
use crate::error::{PART, failed};
use crate::integrity::Integrity;
use crate::outbox::lease_table::LeaseTable;
use crate::store::{PAGE_READERS, SqliteStore};
use crate::writer::{SqliteWriter, SqliteWriterShared};
use ports::PortError;
use ports::measurements::{Measurements, Unmeasured};
use sqlx::sqlite::{SqliteConnectOptions, SqlitePool, SqlitePoolOptions};
use sqlx::{ConnectOptions, Connection as _};
use std::path::Path;
use std::sync::Arc;
use storage_sql::fair_share::QueuePass;
use storage_sql::field_cipher::FieldCipher;
use storage_sql::group_commit::GroupCommit;

/// The version of a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SchemaVersion {
    /// Of the file.
    pub stored: i64,
    /// Which this program brings a file to that is older.
    pub newest: i64,
}

/// The log of the database while some process has it open, or where one ended without closing it.
const LOG: &str = "manilla.db-wal";

/// Connections that read.
const READERS: u32 = 2;

/// The version of the schema in a data folder.
///
/// # Errors
/// When the file cannot be read, or was made by a newer program that does not allow this one.
pub async fn schema_version(dir: &Path) -> Result<SchemaVersion, PortError> {
    let opened = options(dir).connect().await;
    let mut connection = opened.map_err(failed("open the database"))?;
    let stored = connection::released_version(&mut connection).await;
    connection
        .close()
        .await
        .map_err(failed("close the database"))?;
    Ok(SchemaVersion {
        stored: stored?,
        newest: connection::newest_version(),
    })
}

impl SqliteStore {
    /// Opens the store of a data folder to be read; what would write is refused. Its schema must be
    /// up to date.
    ///
    /// # Errors
    /// When the file cannot be opened, or is of a version that this program may not serve.
    pub async fn open_to_read(dir: &Path, cipher: FieldCipher) -> Result<Self, PortError> {
        let version = schema_version(dir).await?;
        if version.stored < version.newest {
            let what = "its schema is brought up to date by whatever opens it next";
            return Err(PortError::new(PART, what));
        }
        let held = Arc::<LeaseTable>::default();
        let integrity = Arc::<Integrity>::default();
        let cipher = Arc::new(cipher);
        let shared = SqliteWriterShared {
            held: Arc::clone(&held),
            integrity: Arc::clone(&integrity),
            cipher: Arc::clone(&cipher),
        };
        let connected = options(dir).connect().await;
        let writer = SqliteWriter::new(connected.map_err(failed("open the database"))?, shared);
        let measurements: Arc<dyn Measurements> = Arc::new(Unmeasured);
        Ok(Self {
            writer: GroupCommit::new(writer, measurements),
            reads: pool(dir, READERS).await?,
            pages: pool(dir, PAGE_READERS).await?,
            held,
            cipher,
            integrity,
            pass: QueuePass::default(),
        })
    }
}

async fn pool(dir: &Path, count: u32) -> Result<SqlitePool, PortError> {
    let pool = SqlitePoolOptions::new().max_connections(count);
    let connected = pool.connect_with(options(dir)).await;
    connected.map_err(failed("open the database for reading"))
}

/// Without a log no process has the database open, and the file alone is the whole of it: opened as
/// one that does not change, it is given none.
fn options(dir: &Path) -> SqliteConnectOptions {
    connection::options(dir)
        .read_only(true)
        .immutable(!dir.join(LOG).exists())
        .pragma("query_only", "on")
}
