//! A connection that writes. Each step must lock what it decides on before it reads it, and a
//! commit whose answer was lost must be asked about, never guessed.

pub(crate) mod batches;
mod booking;
pub(crate) mod collecting;
mod columns;
pub(crate) mod commit_status;
mod invoicing;
pub(crate) mod load;
pub(crate) mod queue;
pub(crate) mod save;
pub(crate) mod vouchers;

use crate::connection::{self, ANSWER_WITHIN};
use crate::database_identity::DatabaseIdentity;
use crate::durability_check;
use crate::error::{Cause, PART, cause, failed, refused, unreachable};
use crate::instance_slot::InstanceSlot;
use crate::sealing::MessageSealing;
use async_trait::async_trait;
pub(crate) use columns::Statement;
use commit_status::{CommitStatus, Lost};
use ports::{PortError, PortErrorKind};
use save::{Rows, Written};
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{Connection, Executor, Postgres, Transaction};
use std::sync::Arc;
use storage_sql::group_commit::{BatchStore, CommitError, QueuedWork};
use storage_sql::planner::{BatchPlan, ReadSet, WorkingSet};

/// A step under way that is no batch.
pub(crate) type WriterStep<'a, T> = QueuedWork<'a, Result<T, PortError>>;

/// What every writer of a store shares.
#[derive(Debug)]
pub(crate) struct WriterShared {
    pub(crate) options: PgConnectOptions,
    pub(crate) generation: DatabaseIdentity,
    pub(crate) place: Arc<InstanceSlot>,
    pub(crate) sealing: MessageSealing,
}

/// One connection that writes, owned by its writer task.
#[derive(Debug)]
pub(crate) struct PostgresWriter {
    shared: Arc<WriterShared>,
    /// None until it is needed, and after it was lost.
    connection: Option<PgConnection>,
}

impl PostgresWriter {
    pub(crate) const fn shared(&self) -> &Arc<WriterShared> {
        &self.shared
    }

    pub(crate) fn new(shared: Arc<WriterShared>) -> Self {
        Self {
            shared,
            connection: None,
        }
    }

    /// Runs a step that is no batch, and leaves nothing of it behind but what it committed: no lock
    /// waits for the next step to be let go.
    pub(crate) async fn alone<T>(
        &mut self,
        work: impl for<'a> FnOnce(&'a mut Self) -> WriterStep<'a, T> + Send,
    ) -> Result<T, PortError> {
        let ended = tokio::time::timeout(ANSWER_WITHIN, async {
            let ended = work(self).await;
            // What was not committed is rolled back by the next statement, whichever it is.
            let clean = match self.connection.as_mut() {
                Some(connection) => connection.ping().await.is_ok(),
                None => true,
            };
            (ended, clean)
        });
        let (ended, clean) = ended
            .await
            .unwrap_or_else(|elapsed| (Err(unreachable("work on an account", elapsed)), false));
        if !clean {
            self.connection = None;
        }
        ended
    }

    /// A step of its own, rolled back unless it is committed.
    pub(crate) async fn step(&mut self) -> Result<Transaction<'_, Postgres>, PortError> {
        // A connection that was lost while idle shows it now.
        let alive = match self.connection.as_mut() {
            Some(connection) => connection.ping().await.is_ok(),
            None => false,
        };
        if !alive {
            self.connection = None;
        }
        let begun = self.connected().await?.begin().await;
        begun.map_err(failed("begin to write"))
    }

    /// The connection, made where there is none. A new one must be to a database that keeps what it
    /// promises, and to the books that were promised from.
    async fn connected(&mut self) -> Result<&mut PgConnection, PortError> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.shared.connect().await?,
        };
        Ok(self.connection.insert(connection))
    }

    /// Begins a step and reads what a batch needs.
    async fn begin_and_read(&mut self, needs: &ReadSet<'_>) -> Result<WorkingSet, CommitError> {
        let connection = self.connected().await.map_err(CommitError::Refused)?;
        let begun = connection.execute("BEGIN").await;
        begun.map_err(refused("begin to write"))?;
        let mut loaded = load::inside(connection, needs).await?;
        let fields = self.shared.sealing.fields();
        if loaded.generation.is_authenticated {
            fields.macs().require();
        }
        loaded.known.authenticate(fields.macs());
        loaded.known.open(fields);
        if self.shared.generation.agrees(loaded.generation) {
            return Ok(loaded.known);
        }
        // This server may have been replaced: the next connection leads to the one that counts.
        self.connection = None;
        let what = "the server that was written to knows less than this process";
        Err(CommitError::Conflict(PortError::new(PART, what)))
    }

    async fn write(&mut self, plan: &BatchPlan<'_>) -> Result<Written, CommitError> {
        let shared = Arc::clone(&self.shared);
        let rows = Rows::of(plan, shared.sealing.fields()).map_err(CommitError::Refused)?;
        let connection = self.connected().await.map_err(CommitError::Refused)?;
        // The write below ends the step: what it counts is written last.
        vouchers::write(connection, &plan.vouchers).await?;
        collecting::write(connection, &plan.collected).await?;
        save::rows(connection, rows, shared.place.token()).await
    }

    /// Commits what was written. Where the answer was lost the database is asked what became of it.
    async fn finish(&mut self, written: &Written, plan: &BatchPlan<'_>) -> Result<(), CommitError> {
        let Some(mut connection) = self.connection.take() else {
            return Err(CommitError::Conflict(lost("commit")));
        };
        let commit = connection.execute("COMMIT");
        match tokio::time::timeout(ANSWER_WITHIN, commit).await {
            Ok(Ok(_)) => {
                self.shared.generation.has_seen(written.log_position);
                self.connection = Some(connection);
                return Ok(());
            }
            Ok(Err(error)) if cause(&error) != Cause::Lost => {
                self.connection = Some(connection);
                return Err(refused("commit")(error));
            }
            Ok(Err(error)) => tracing::warn!(%error, "the answer to a commit was lost"),
            Err(_) => tracing::warn!("a commit was not answered"),
        }
        drop(connection);
        let transaction = written.transaction.as_str();
        match commit_status::of(&self.shared, Lost { transaction, plan }).await {
            CommitStatus::Committed(connection) => {
                self.shared.generation.has_seen(written.log_position);
                self.connection = Some(connection);
                Ok(())
            }
            CommitStatus::Aborted(connection) => {
                self.connection = Some(connection);
                Err(CommitError::Conflict(lost("commit")))
            }
            CommitStatus::Unknown(error) => Err(CommitError::Unknown(error)),
        }
    }

    /// Waits for a part of a step; whatever is not answered in time is over, and so is the
    /// connection.
    async fn bounded<T>(
        &mut self,
        part: impl AsyncFnOnce(&mut Self) -> Result<T, CommitError>,
    ) -> Result<T, CommitError> {
        let ended = tokio::time::timeout(ANSWER_WITHIN, part(self)).await;
        let ended = ended.unwrap_or_else(|_| Err(CommitError::Conflict(lost("write a batch"))));
        if let Err(CommitError::Refused(error) | CommitError::Conflict(error)) = &ended
            && error.trouble == PortErrorKind::Unreachable
        {
            self.connection = None;
        }
        ended
    }
}

impl WriterShared {
    /// A connection that writes: to a server that keeps what it promises, and to the books that
    /// were promised from.
    pub(crate) async fn connect(&self) -> Result<PgConnection, PortError> {
        let fit = async {
            let mut connection = connection::connect(&self.options).await?;
            // The schema was looked at when the store was opened: one that a newer version has
            // brought up to date since is no reason to stop.
            durability_check::server(&mut connection).await?;
            self.generation.look(&mut connection).await?;
            if let Some(of) = self.place.identity() {
                self.generation
                    .look_at_heartbeat(&mut connection, of)
                    .await?;
            }
            Ok(connection)
        };
        let fit = tokio::time::timeout(ANSWER_WITHIN, fit).await;
        fit.unwrap_or_else(|elapsed| Err(unreachable("ask a new connection", elapsed)))
    }
}

fn lost(what: &str) -> PortError {
    unreachable(what, "the connection was lost")
}

#[async_trait]
impl BatchStore for PostgresWriter {
    async fn begin(&mut self, needs: &ReadSet<'_>) -> Result<WorkingSet, CommitError> {
        let had_connection = self.connection.is_some();
        let begun = self
            .bounded(async |writer| writer.begin_and_read(needs).await)
            .await;
        match begun {
            // The server may have been restarted since the last batch; a new connection shows it.
            Err(CommitError::Refused(error))
                if had_connection && error.trouble == PortErrorKind::Unreachable =>
            {
                Err(CommitError::Conflict(error))
            }
            begun => begun,
        }
    }

    async fn commit(&mut self, plan: &BatchPlan<'_>) -> Result<(), CommitError> {
        let written = self
            .bounded(async |writer| writer.write(plan).await)
            .await?;
        self.finish(&written, plan).await
    }

    async fn abandon(&mut self) {
        let Some(mut connection) = self.connection.take() else {
            return;
        };
        let rolled_back = tokio::time::timeout(ANSWER_WITHIN, connection.execute("ROLLBACK"));
        match rolled_back.await {
            Ok(Ok(_)) => self.connection = Some(connection),
            Ok(Err(error)) => tracing::debug!(%error, "a connection was lost in a step"),
            Err(_) => tracing::debug!("a rollback was not answered"),
        }
    }

    async fn close(self) {
        if let Some(connection) = self.connection {
            connection::close(connection).await;
        }
    }
}
