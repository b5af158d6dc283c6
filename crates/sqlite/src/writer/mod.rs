//! The one connection that writes. Each step must shut out every other writer, of this process or
//! another, before it reads what it decides on.

mod booking;
pub(crate) mod collecting;
mod invoicing;
pub(crate) mod load;
pub(crate) mod queue;
mod rows;
pub(crate) mod save;
pub(crate) mod vouchers;
mod wallet_row;

use crate::connection;
use crate::error::{failed, refused};
use crate::integrity::Integrity;
use crate::outbox::lease_table::LeaseTable;
use async_trait::async_trait;
use load::{LastIds, LoadedRows};
use ports::PortError;
use sqlx::sqlite::SqliteConnection;
use sqlx::{Connection, Sqlite, Transaction};
use std::collections::HashMap;
use std::sync::Arc;
use storage_sql::field_cipher::FieldCipher;
use storage_sql::group_commit::{BatchStore, CommitError};
use storage_sql::planner::{BatchPlan, ReadSet, WorkingSet};

/// Rows of transactions, by account and the number each has there.
#[derive(Debug, Default)]
pub(crate) struct RowIds(HashMap<String, HashMap<u64, i64>>);

impl RowIds {
    fn insert(&mut self, account: &str, number: u64, row: i64) {
        // Looked up first: most accounts of a batch are in it more than once.
        if let Some(numbers) = self.0.get_mut(account) {
            numbers.insert(number, row);
        } else {
            self.0
                .insert(account.to_owned(), HashMap::from([(number, row)]));
        }
    }

    fn get(&self, account: &str, number: u64) -> Option<i64> {
        self.0.get(account)?.get(&number).copied()
    }

    fn clear(&mut self) {
        self.0.clear();
    }
}

/// The writing connection, owned by the writer task.
#[derive(Debug)]
pub(crate) struct SqliteWriter {
    connection: SqliteConnection,
    /// The rows of the transactions that the batch under way has read.
    ids: RowIds,
    /// The greatest keys when that batch began.
    last: LastIds,
    shared: SqliteWriterShared,
}

/// What the writer shares with the store.
#[derive(Debug)]
pub(crate) struct SqliteWriterShared {
    /// The deliveries that are claimed; some of what is written lets go of them.
    pub(crate) held: Arc<LeaseTable>,
    pub(crate) integrity: Arc<Integrity>,
    pub(crate) cipher: Arc<FieldCipher>,
}

impl SqliteWriter {
    pub(crate) fn new(connection: SqliteConnection, shared: SqliteWriterShared) -> Self {
        Self {
            connection,
            ids: RowIds::default(),
            last: LastIds::default(),
            shared,
        }
    }

    pub(crate) fn suspended(&self) -> &LeaseTable {
        &self.shared.held
    }

    /// What confidential fields are sealed with.
    pub(crate) fn cipher(&self) -> Arc<FieldCipher> {
        Arc::clone(&self.shared.cipher)
    }

    /// The connection, for a statement that is a step of its own.
    pub(crate) fn connection(&mut self) -> &mut SqliteConnection {
        &mut self.connection
    }

    /// A step of its own, rolled back unless it is committed.
    pub(crate) async fn step(&mut self) -> Result<Transaction<'_, Sqlite>, PortError> {
        let step = self.connection.begin_with("BEGIN IMMEDIATE").await;
        step.map_err(failed("begin to write"))
    }
}

#[async_trait]
impl BatchStore for SqliteWriter {
    async fn begin(&mut self, needs: &ReadSet<'_>) -> Result<WorkingSet, CommitError> {
        let loaded = load::begin(&mut self.connection, needs).await;
        let LoadedRows { mut known, last } = loaded.map_err(CommitError::Unknown)?;
        known.authenticate(self.shared.cipher.macs());
        known.open(&self.shared.cipher);
        known.held |= !self.shared.integrity.is_sound();
        self.last = last;
        self.ids.clear();
        for row in &known.transactions {
            // A number outside its range belongs to no transaction the planner can move.
            if let Ok(number) = u64::try_from(row.number) {
                self.ids.insert(&row.account, number, row.id);
            }
        }
        Ok(known)
    }

    async fn commit(&mut self, plan: &BatchPlan<'_>) -> Result<(), CommitError> {
        let rows = (&mut self.ids, self.last, &*self.shared.cipher);
        save::plan(&mut self.connection, plan, rows).await?;
        vouchers::write(&mut self.connection, &plan.vouchers).await?;
        collecting::write(&mut self.connection, &plan.collected).await?;
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

#[cfg(test)]
mod tests {
    use super::{SqliteWriter, save};
    use crate::cipher::cipher;
    use crate::store::{SqliteOptions, SqliteStore};
    use domain::change_set::ChangeSet;
    use ports::accounts::Accounts;
    use ports::audit::{Audit, CheckOutcome, Serving};
    use ports::ledger_store::{CommitOutcome, LedgerStore};
    use ports::transactions::Transactions;
    use std::path::Path;
    use storage_sql::group_commit::BatchStore;
    use storage_sql::planner::{ReadSet, plan};
    use testkit::builders::{START, account, account_id, airtime, reference};

    async fn shop(dir: &Path) -> SqliteStore {
        let store = SqliteStore::connect(dir, SqliteOptions::default(), cipher())
            .await
            .unwrap();
        let new = account("shop").with_balance("1,000.00").new_account();
        store.create(&new).await.unwrap();
        store
    }

    fn buy(n: u64) -> ChangeSet {
        airtime().nth(n).priced("1.00").change()
    }

    async fn is_clean(store: &SqliteStore) {
        for result in store.audit(START, Serving::Yes).await.unwrap() {
            assert!(
                matches!(result.outcome, CheckOutcome::Holds { .. }),
                "{result:?}"
            );
        }
    }

    async fn has(store: &SqliteStore, n: u64) -> bool {
        let name = reference(&format!("order-{n}"));
        store
            .by_reference(&account_id("shop"), &name)
            .await
            .unwrap()
            .is_some()
    }

    async fn set(store: &SqliteStore, pragma: &'static str) {
        let run = store.writer.alone(move |writer| {
            let run = sqlx::raw_sql(pragma).execute(&mut writer.connection);
            Box::pin(async move { run.await.map(drop) })
        });
        run.await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn what_is_committed_is_on_the_disk_before_it_is_acknowledged() {
        let dir = tempfile::tempdir().unwrap();
        let store = shop(dir.path()).await;
        let settings = store.writer.alone(|writer| {
            let query =
                "SELECT * FROM pragma_synchronous, pragma_journal_mode, pragma_foreign_keys";
            Box::pin(sqlx::query_as(query).fetch_one(&mut writer.connection))
        });
        let settings: (i64, String, i64) = settings.await.unwrap().unwrap();
        assert_eq!(settings, (2, "wal".to_owned(), 1));
    }

    #[tokio::test]
    async fn readers_cannot_write() {
        let dir = tempfile::tempdir().unwrap();
        let store = shop(dir.path()).await;
        let write = sqlx::query("UPDATE wallets SET debits = 0")
            .execute(&store.reads)
            .await;
        let error = write.unwrap_err().to_string();
        assert!(error.contains("readonly"), "{error}");
    }

    #[tokio::test]
    async fn a_full_disk_refuses_without_a_trace_and_passes_when_there_is_room() {
        let dir = tempfile::tempdir().unwrap();
        let store = shop(dir.path()).await;
        assert_eq!(store.commit(buy(1)).await.unwrap(), CommitOutcome::Done);
        // The limit is never below the present size, so from now on there is no room for growth.
        set(&store, "PRAGMA max_page_count = 1").await;
        let mut refused = 0;
        for n in 2..=60 {
            if let Err(error) = store.commit(buy(n)).await {
                let cause = std::error::Error::source(&error).map(ToString::to_string);
                assert!(cause.unwrap_or_default().contains("full"), "{error:?}");
                assert!(!has(&store, n).await);
                refused += 1;
            }
        }
        assert!(refused > 0);
        set(&store, "PRAGMA max_page_count = 1000000").await;
        assert_eq!(store.commit(buy(100)).await.unwrap(), CommitOutcome::Done);
        is_clean(&store).await;
    }

    #[tokio::test]
    async fn a_crash_before_the_commit_leaves_nothing_of_the_batch() {
        let dir = tempfile::tempdir().unwrap();
        let store = shop(dir.path()).await;
        assert_eq!(store.commit(buy(1)).await.unwrap(), CommitOutcome::Done);
        // Written, spilled into the log where the cache is full, and never committed.
        set(&store, "PRAGMA cache_size = 1").await;
        let written = store
            .writer
            .alone(|writer| Box::pin(write_without_commit(writer)));
        written.await.unwrap();
        let crashed = tempfile::tempdir().unwrap();
        for file in ["manilla.db", "manilla.db-wal"] {
            std::fs::copy(dir.path().join(file), crashed.path().join(file)).unwrap();
        }
        let revived = SqliteStore::connect(crashed.path(), SqliteOptions::default(), cipher())
            .await
            .unwrap();
        assert!(has(&revived, 1).await && !has(&revived, 2).await);
        is_clean(&revived).await;
        assert_eq!(revived.commit(buy(2)).await.unwrap(), CommitOutcome::Done);
    }

    async fn write_without_commit(writer: &mut SqliteWriter) {
        let changes: Vec<_> = (2..200).map(buy).collect();
        let known = writer.begin(&ReadSet::of(&changes)).await.unwrap();
        let plan = plan(&changes, &known);
        let cipher = writer.cipher();
        let keys = (&mut writer.ids, writer.last, &*cipher);
        save::plan(&mut writer.connection, &plan, keys)
            .await
            .unwrap();
    }
}
