//! The store as the composition root holds it: one writer behind a queue, and a pool of readers. It
//! must not offer a way to write that goes past the queue.

use crate::connection;
use crate::error::PART;
use crate::integrity::Integrity;
use crate::outbox::lease_table::LeaseTable;
use crate::writer::{SqliteWriter, SqliteWriterShared};
use async_trait::async_trait;
use domain::change_set::ChangeSet;
use ports::PortError;
use ports::ledger_store::{CommitOutcome, LedgerStore};
use ports::measurements::{Measurements, Unmeasured};
use sqlx::sqlite::SqlitePool;
use std::path::Path;
use std::sync::Arc;
use storage_sql::fair_share::QueuePass;
use storage_sql::field_cipher::FieldCipher;
use storage_sql::group_commit::GroupCommit;

/// How a store is run.
#[derive(Debug, Clone)]
pub struct SqliteOptions {
    /// How many reads run at a time, at least 1; each has a thread and a cache of its own.
    pub readers: u32,
    /// Counts and times the commits.
    pub measurements: Arc<dyn Measurements>,
}

impl Default for SqliteOptions {
    fn default() -> Self {
        Self {
            readers: 4,
            measurements: Arc::new(Unmeasured),
        }
    }
}

/// Connections that read lists.
pub(crate) const PAGE_READERS: u32 = 2;

/// The embedded store of one data folder.
#[derive(Debug)]
pub struct SqliteStore {
    pub(crate) writer: GroupCommit<SqliteWriter>,
    pub(crate) reads: SqlitePool,
    /// For lists: a long one must not keep a login or a payment waiting.
    pub(crate) pages: SqlitePool,
    /// The deliveries that are claimed.
    pub(crate) held: Arc<LeaseTable>,
    pub(crate) cipher: Arc<FieldCipher>,
    pub(crate) integrity: Arc<Integrity>,
    /// How far its claims have come between the ends of the queue.
    pub(crate) pass: QueuePass,
}

impl SqliteStore {
    /// Opens the store of a data folder, with what its confidential fields are sealed with; creates
    /// what is missing and brings its schema up to date. Several processes may have one folder
    /// open; one at a time should serve it, see [`crate::ServeLock`].
    ///
    /// # Errors
    /// When the file cannot be opened, was written by a newer version, or the library is too old.
    pub async fn connect(
        dir: &Path,
        options: SqliteOptions,
        cipher: FieldCipher,
    ) -> Result<Self, PortError> {
        let cannot = |error| PortError::caused(PART, format!("create {}", dir.display()), error);
        create_private(dir).map_err(cannot)?;
        create_private_file(&dir.join(connection::FILE)).map_err(cannot)?;
        let held = Arc::<LeaseTable>::default();
        let integrity = Arc::<Integrity>::default();
        let cipher = Arc::new(cipher);
        cipher.macs().require();
        let shared = SqliteWriterShared {
            held: Arc::clone(&held),
            integrity: Arc::clone(&integrity),
            cipher: Arc::clone(&cipher),
        };
        let writer = SqliteWriter::new(connection::writer(dir).await?, shared);
        let reads = connection::readers(dir, options.readers.max(1)).await?;
        let pages = connection::readers(dir, PAGE_READERS).await?;
        Ok(Self {
            writer: GroupCommit::new(writer, options.measurements),
            reads,
            pages,
            held,
            cipher,
            integrity,
            pass: QueuePass::default(),
        })
    }

    /// Finishes what is queued, accepts nothing more, and closes the file.
    pub async fn close(&self) {
        self.reads.close().await;
        self.pages.close().await;
        self.writer.close().await;
    }
}

/// Creates a folder that only its owner can look into: the keys lie beside the database.
fn create_private(dir: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)
}

/// Creates the database file for its owner alone, whatever the mode of the folder; its log and
/// shared memory get the same mode from it.
fn create_private_file(path: &Path) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

/// Creates a file for its owner alone; refuses one that is there.
pub(crate) fn create_new_private_file(path: &Path) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

#[async_trait]
impl LedgerStore for SqliteStore {
    async fn commit(&self, change: ChangeSet) -> Result<CommitOutcome, PortError> {
        self.writer.commit(change).await
    }
}
