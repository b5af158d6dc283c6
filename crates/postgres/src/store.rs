//! The store as the composition root holds it: writers behind their queues, connections that read,
//! and a few for steps that are no change sets. It must not offer a way to write money that goes
//! past the queues.

use crate::connection::{self, StatementAnswer};
use crate::database_identity::DatabaseIdentity;
use crate::durability_check;
use crate::error::failed;
use crate::gathered::Gathered;
use crate::instance_slot::InstanceSlot;
use crate::lookups::StoreLookup;
use crate::migrate;
use crate::peers::channel::NotifyChannel;
use crate::permits::MaySend;
use crate::row_codes;
use crate::sealing::MessageSealing;
use crate::standby::Standby;
use crate::writer::{PostgresWriter, WriterShared, WriterStep};
use async_trait::async_trait;
use domain::account::AccountId;
use domain::change_set::ChangeSet;
use ports::PortError;
use ports::ledger_store::{CommitOutcome, LedgerStore};
use ports::measurements::{Measurements, Unmeasured};
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnectOptions, PgPool, Postgres};
use std::sync::Arc;
use std::time::Duration;
use storage_sql::fair_share::QueuePass;
use storage_sql::field_cipher::FieldCipher;
use storage_sql::group_commit::Writers;

/// How a store is run.
#[derive(Debug, Clone)]
pub struct PostgresOptions {
    /// How many writers share the accounts, at least 1; each has a connection of its own.
    pub writers: u32,
    /// How many reads run at a time, at least 1; each has a connection of its own.
    pub readers: u32,
    /// Counts and times the commits.
    pub measurements: Arc<dyn Measurements>,
}

impl PostgresOptions {
    /// How many connections an instance has at most.
    #[must_use]
    pub fn connections_max(&self) -> u32 {
        // One more receives what other instances say.
        let kinds = [
            self.writers.max(1),
            self.readers.max(1),
            STEPS,
            LOOKUPS,
            PERMITS,
        ];
        let all = kinds.into_iter().fold(1_u32, u32::saturating_add);
        all.saturating_add(PAGE_READERS)
    }
}

impl Default for PostgresOptions {
    fn default() -> Self {
        Self {
            writers: 2,
            readers: 8,
            measurements: Arc::new(Unmeasured),
        }
    }
}

/// Connections for claims, heartbeats and messages between instances.
const STEPS: u32 = 4;

/// Connections that find transactions: while one waits for the server, the other gathers.
const LOOKUPS: u32 = 2;

/// Connections that say whether attempts may be sent.
const PERMITS: u32 = 2;

/// Connections that read lists.
const PAGE_READERS: u32 = 2;

/// The store in one database.
#[derive(Debug)]
pub struct PostgresStore {
    pub(crate) writers: Writers<PostgresWriter>,
    pub(crate) lookups: Gathered<StoreLookup>,
    pub(crate) permits: Gathered<MaySend>,
    pub(crate) reads: PgPool,
    /// For lists: a long one must not keep a login or a payment waiting.
    pub(crate) pages: PgPool,
    /// Where lists are read instead, where it has all that the database has.
    pub(crate) standby: Option<Standby>,
    pub(crate) steps: PgPool,
    pub(crate) shared: Arc<WriterShared>,
    pub(crate) channel: NotifyChannel,
    /// How far its claims have come between the ends of the queue.
    pub(crate) pass: QueuePass,
}

/// What a store is opened for.
#[derive(Debug, Clone, Copy)]
enum Opened {
    ToWork,
    ToRead,
}

impl PostgresStore {
    /// Opens the store in a database, with what its confidential fields and messages to other
    /// processes over it are sealed with. The server must keep what it promises, and the schema
    /// must be up to date.
    ///
    /// # Errors
    /// When the database cannot be reached, would lose what it confirms, or has another schema; the
    /// error says what to do.
    pub async fn connect(
        url: &str,
        options: &PostgresOptions,
        sealing: MessageSealing,
    ) -> Result<Self, PortError> {
        let at = connection::options(url)?;
        Self::over(at, options, (sealing, Opened::ToWork)).await
    }

    /// The same to look into it: nothing can be written, so that a database that took over is not
    /// noticed by this.
    ///
    /// # Errors
    /// As for [`Self::connect`].
    pub async fn open_to_read(
        url: &str,
        options: &PostgresOptions,
        sealing: MessageSealing,
    ) -> Result<Self, PortError> {
        let at = connection::reading(&connection::options(url)?);
        Self::over(at, options, (sealing, Opened::ToRead)).await
    }

    async fn over(
        at: PgConnectOptions,
        options: &PostgresOptions,
        (sealing, opened): (MessageSealing, Opened),
    ) -> Result<Self, PortError> {
        let shared = Arc::new(WriterShared {
            options: at.clone(),
            generation: DatabaseIdentity::default(),
            place: Arc::default(),
            sealing,
        });
        // The first connection finds out whether this can work at all.
        let mut first = connection::connect(&at).await?;
        durability_check::server(&mut first).await?;
        migrate::check(&mut first).await?;
        match opened {
            Opened::ToWork => {
                shared.generation.look(&mut first).await?;
                if row_codes::are_required(&mut first).await? {
                    shared.sealing.fields().macs().require();
                }
            }
            Opened::ToRead => {}
        }
        let now = connection::database_time(&mut first).await?;
        shared.sealing.at(now);
        connection::close(first).await;
        let writer = |_| PostgresWriter::new(Arc::clone(&shared));
        let writers = (0..options.writers.max(1)).map(writer).collect();
        Ok(Self {
            writers: Writers::new(writers, &options.measurements),
            lookups: Gathered::new(&at, LOOKUPS),
            permits: Gathered::new(&at, PERMITS),
            reads: connection::readers(&at, options.readers.max(1)),
            pages: connection::readers(&at, PAGE_READERS),
            standby: None,
            steps: connection::steps(&at, STEPS),
            channel: NotifyChannel::since(shared.sealing.seen_at()),
            shared,
            pass: QueuePass::default(),
        })
    }

    /// Has lists and reports read from a standby of the database, once it has replayed all that the
    /// primary had; where that takes longer than `wait`, the primary is read.
    ///
    /// # Errors
    /// When the address is none of a server.
    pub fn with_standby(
        mut self,
        url: &str,
        (wait, measurements): (Duration, Arc<dyn Measurements>),
    ) -> Result<Self, PortError> {
        let at = connection::options(url)?;
        self.standby = Some(Standby::new(&at, wait, measurements));
        Ok(self)
    }

    /// Reads a list from the standby where it has all of it, and from the primary otherwise.
    pub(crate) async fn listed<T, F>(
        &self,
        read: impl Fn(PoolConnection<Postgres>) -> F + Send + Sync,
    ) -> Result<T, PortError>
    where
        F: Future<Output = Result<T, PortError>> + Send,
    {
        if let Some(standby) = &self.standby {
            if let Some(connection) = standby.with_all_of(&self.reads).await {
                match read(connection).await {
                    Ok(list) => {
                        standby.was_read();
                        return Ok(list);
                    }
                    Err(error) => standby.failed(&error),
                }
            }
            standby.was_not_read();
        }
        let primary = self.pages.acquire().in_time().await;
        read(primary.map_err(failed("connect to read a list"))?).await
    }

    /// Makes authentication codes of rows under another generation of the key ring from now on, or
    /// under the newest: an instance that was not restarted since cannot check its codes.
    pub fn make_codes_under(&self, generation: Option<u32>) {
        self.cipher().macs().make_under(generation);
    }

    /// What seals the fields of rows.
    pub(crate) fn cipher(&self) -> &FieldCipher {
        self.shared.sealing.fields()
    }

    /// The place this instance has once it has joined.
    pub fn instance_slot(&self) -> &InstanceSlot {
        &self.shared.place
    }

    /// Whether the database was used, so that a pepper and a key ring belong to it.
    ///
    /// # Errors
    /// When the database failed.
    pub async fn was_used(&self) -> Result<bool, PortError> {
        sqlx::query_scalar(
            "SELECT EXISTS (SELECT 1 FROM accounts)
                OR EXISTS (SELECT 1 FROM database_identity WHERE pepper IS NOT NULL)
                OR EXISTS (SELECT 1 FROM secret_proofs)",
        )
        .fetch_one(&self.reads)
        .in_time()
        .await
        .map_err(failed("look whether the database was used"))
    }

    /// Runs work on the writer of an account, see [`PostgresWriter::alone`].
    pub(crate) async fn alone<T: Send + 'static>(
        &self,
        account: &AccountId,
        work: impl for<'w> FnOnce(&'w mut PostgresWriter) -> WriterStep<'w, T> + Send + 'static,
    ) -> Result<T, PortError> {
        let alone = self
            .writers
            .alone(account, move |writer| Box::pin(writer.alone(work)));
        alone.await?
    }

    /// Finishes what is queued, accepts nothing more, and closes every connection.
    pub async fn close(&self) {
        self.writers.close().await;
        self.reads.close().await;
        self.pages.close().await;
        if let Some(standby) = &self.standby {
            standby.pool().close().await;
        }
        self.steps.close().await;
    }
}

#[async_trait]
impl LedgerStore for PostgresStore {
    async fn commit(&self, change: ChangeSet) -> Result<CommitOutcome, PortError> {
        self.writers.commit(change).await
    }
}
