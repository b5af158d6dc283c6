//! The one connection that writes. Each step must shut out every other writer, of this process or
//! another, before it reads what it decides on.

pub(crate) mod load;
mod rows;
pub(crate) mod save;

use crate::connection;
use crate::error::{failed, refused};
use async_trait::async_trait;
use load::{LastIds, Loaded};
use ports::PortError;
use sqlx::sqlite::SqliteConnection;
use sqlx::{Connection, Sqlite, Transaction};
use std::collections::HashMap;
use storage_sql::group_commit::{BatchStore, CommitError};
use storage_sql::planner::{BatchPlan, Needs, WorkingSet};

/// The writing connection, owned by the writer task.
#[derive(Debug)]
pub(crate) struct Writer {
    connection: SqliteConnection,
    /// Row by number of the transactions that the batch under way has read.
    ids: HashMap<u64, i64>,
    /// The greatest keys when that batch began.
    last: LastIds,
}

impl Writer {
    pub(crate) fn new(connection: SqliteConnection) -> Self {
        Self {
            connection,
            ids: HashMap::new(),
            last: LastIds::default(),
        }
    }

    /// A step of its own, rolled back unless it is committed.
    pub(crate) async fn step(&mut self) -> Result<Transaction<'_, Sqlite>, PortError> {
        let step = self.connection.begin_with("BEGIN IMMEDIATE").await;
        step.map_err(failed("begin to write"))
    }
}

#[async_trait]
impl BatchStore for Writer {
    async fn begin(&mut self, needs: &Needs<'_>) -> Result<WorkingSet, PortError> {
        let Loaded { known, last } = load::begin(&mut self.connection, needs).await?;
        self.last = last;
        self.ids.clear();
        let numbers = known.transactions.iter();
        // A number outside its range belongs to no transaction the planner can move.
        self.ids
            .extend(numbers.filter_map(|row| Some((u64::try_from(row.number).ok()?, row.id))));
        Ok(known)
    }

    async fn commit(&mut self, plan: &BatchPlan<'_>) -> Result<(), CommitError> {
        save::plan(&mut self.connection, plan, (&mut self.ids, self.last)).await?;
        let committed = sqlx::query("COMMIT").execute(&mut self.connection).await;
        committed.map_err(refused("commit")).map(drop)
    }

    async fn abandon(&mut self) {
        // There is nothing to roll back where `begin` itself failed or the database did it already.
        if let Err(error) = sqlx::query("ROLLBACK").execute(&mut self.connection).await {
            tracing::debug!(%error, "nothing was rolled back");
        }
    }

    async fn close(self) {
        connection::close(self.connection).await;
    }
}
