//! Batches and which transactions each has, in the order they were stored.

use super::ledger_store::verdict;
use super::{MemoryStore, MemoryTables};
use async_trait::async_trait;
use domain::account::AccountId;
use domain::batch::{Batch, BatchKind, BatchNumber, BatchOpening, BatchProgress, OnFailure};
use domain::reference::{MerchantReference, TransactionNumber};
use domain::statement::Sort;
use domain::transaction::{State, Transaction};
use ports::PortError;
use ports::batches::{BatchPage, Batches, PageOf};
use ports::ledger_store::CommitOutcome;

#[derive(Debug, Clone)]
pub(super) struct BatchRow {
    batch: Batch,
    /// In the order of the request.
    pub(super) items: Vec<TransactionNumber>,
}

impl BatchRow {
    pub(super) const fn batch(&self) -> &Batch {
        &self.batch
    }
}

impl MemoryTables {
    /// The batch of an account under a reference.
    pub(super) fn batch_under(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Option<&BatchRow> {
        let mut rows = self.batches.iter();
        rows.find(|row| row.batch.account == *account && row.batch.reference == *reference)
    }

    fn batch_under_key_of(&self, batch: &Batch) -> Option<&Batch> {
        let key = &batch.idempotency.as_ref()?.key;
        let has_key = |row: &&BatchRow| {
            let used = row.batch.idempotency.as_ref().map(|used| &used.key);
            row.batch.account == batch.account && used == Some(key)
        };
        self.batches.iter().find(has_key).map(BatchRow::batch)
    }

    /// Opens each in its turn on a copy, which takes the place of the tables where all were opened.
    pub(super) fn open_batch(&mut self, opening: &BatchOpening) -> CommitOutcome {
        let (batch, items) = (opening.batch(), opening.items());
        let first = items.first().expect("a batch has a payment");
        if let Some(refused) = self.may_not_open(first) {
            return refused;
        }
        if let Some(earlier) = self.batch_under_key_of(batch) {
            return CommitOutcome::BatchTaken(Box::new(earlier.clone()));
        }
        if let Some(earlier) = self.under_reference(&batch.account, &batch.reference) {
            return CommitOutcome::ReferenceTaken(Box::new(earlier));
        }
        if let Some(earlier) = self.batch_under(&batch.account, &batch.reference) {
            return CommitOutcome::BatchTaken(Box::new(earlier.batch.clone()));
        }
        // Whatever one of them is refused for comes before that the wallet does not hold all.
        for item in items {
            if let Some(refused) = self.may_not_be_opened(item) {
                return refused;
            }
        }
        let mut after = self.clone();
        for item in items {
            let opened = after.open_silently(item.clone());
            if opened != CommitOutcome::Done {
                let holds: Vec<_> = items.iter().map(|item| item.hold.clone()).collect();
                return match self.wallets_after(&holds) {
                    Ok(_) => opened,
                    Err(unbookable) => verdict(unbookable),
                };
            }
        }
        let before = std::mem::replace(self, after);
        let numbers = items.iter().map(|item| item.transaction.number);
        self.batches.push(BatchRow {
            batch: batch.clone(),
            items: numbers.collect(),
        });
        self.notify_if_low((&batch.account, batch.price.currency()), &before);
        CommitOutcome::Done
    }

    fn progress(&self, row: &BatchRow) -> BatchProgress {
        let mut progress = BatchProgress::default();
        for tx in self.items_of(row) {
            progress.count(&tx.state);
        }
        progress
    }

    /// The transactions of a batch in the order of its request.
    pub(super) fn items_of(&self, row: &BatchRow) -> Vec<&Transaction> {
        let account = &row.batch.account;
        let stored = |number| self.numbered(account, number).map(|row| &row.transaction);
        row.items
            .iter()
            .filter_map(|number| stored(*number))
            .collect()
    }
}

#[async_trait]
impl Batches for MemoryStore {
    async fn batch(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Result<Option<(Batch, BatchProgress)>, PortError> {
        let tables = self.tables();
        let found = tables.batch_under(account, reference);
        Ok(found.map(|row| (row.batch.clone(), tables.progress(row))))
    }

    async fn batch_items(
        &self,
        account: &AccountId,
        batch: BatchNumber,
        page: PageOf,
    ) -> Result<Vec<Transaction>, PortError> {
        let tables = self.tables();
        let mut rows = tables.batches.iter();
        let found = rows.find(|row| row.batch.account == *account && row.batch.number == batch);
        let items = found.map_or_else(Vec::new, |row| tables.items_of(row));
        Ok(part(items, page).into_iter().cloned().collect())
    }

    async fn batches(
        &self,
        account: &AccountId,
        kind: BatchKind,
        page: PageOf,
    ) -> Result<BatchPage, PortError> {
        let tables = self.tables();
        let rows = tables.batches.iter();
        let is_wanted = |row: &&BatchRow| row.batch.account == *account && row.batch.kind == kind;
        let found: Vec<_> = rows.filter(is_wanted).collect();
        let total = u64::try_from(found.len()).unwrap_or(u64::MAX);
        let shown = part(found, page).into_iter();
        let batches = shown.map(|row| (row.batch.clone(), tables.progress(row)));
        Ok(BatchPage {
            batches: batches.collect(),
            total,
        })
    }

    async fn stopped(
        &self,
        transactions: &[(AccountId, TransactionNumber)],
    ) -> Result<Vec<usize>, PortError> {
        let tables = self.tables();
        let has_failed = |row: &BatchRow| {
            let items = tables.items_of(row);
            items.iter().any(|tx| matches!(tx.state, State::Failed(_)))
        };
        let is_stopped = |(account, number): &(AccountId, TransactionNumber)| {
            tables.batches.iter().any(|row| {
                let is_of_it = row.batch.account == *account && row.items.contains(number);
                is_of_it && row.batch.on_failure == OnFailure::Stop && has_failed(row)
            })
        };
        let places = transactions.iter().enumerate();
        let places = places.filter(|(_, it)| is_stopped(it));
        Ok(places.map(|(place, _)| place).collect())
    }
}

fn part<T>(mut all: Vec<T>, page: PageOf) -> Vec<T> {
    if page.sort == Sort::Descending {
        all.reverse();
    }
    let skipped = usize::try_from(page.offset).unwrap_or(usize::MAX);
    let taken = usize::try_from(page.length).unwrap_or(usize::MAX);
    all.into_iter().skip(skipped).take(taken).collect()
}
