//! What was changed of accounts. Rows must be chained as the stores chain them.

use super::{MemoryStore, MemoryTables};
use async_trait::async_trait;
use domain::account::AccountId;
use domain::account_change::{AccountChangesQuery, ChainHash};
use domain::statement::Sort;
use ports::PortError;
use ports::account_changes::{AccountChanges, AccountChangesPage, ChainedChange, SealedChange};

#[async_trait]
impl AccountChanges for MemoryStore {
    async fn account_changes(
        &self,
        account: &AccountId,
        query: &AccountChangesQuery,
    ) -> Result<AccountChangesPage, PortError> {
        let tables = self.tables();
        let own = tables.changes_of(account);
        let total = own.len();
        let wanted = own.into_iter().filter(|it| query.wants(&it.sealed.change));
        let mut wanted: Vec<_> = wanted.cloned().collect();
        if query.sort == Sort::Descending {
            wanted.reverse();
        }
        let offset = usize::try_from(query.offset).unwrap_or(usize::MAX);
        let part = wanted.iter().skip(offset).take(query.length as usize);
        Ok(AccountChangesPage {
            changes: part.cloned().collect(),
            total: total as u64,
            found: wanted.len() as u64,
        })
    }

    async fn audited_changes(&self) -> Result<Vec<Result<ChainedChange, PortError>>, PortError> {
        let mut all = self.tables().account_changes.clone();
        all.sort_by_key(|row| (row.sealed.change.account.clone(), row.number));
        Ok(all.into_iter().map(Ok).collect())
    }
}

impl MemoryTables {
    fn changes_of(&self, account: &AccountId) -> Vec<&ChainedChange> {
        let rows = self.account_changes.iter();
        rows.filter(|row| row.sealed.change.account == *account)
            .collect()
    }

    /// Records a change, after the last one of its account.
    pub(super) fn record_change(&mut self, sealed: &SealedChange) {
        let own = self.changes_of(&sealed.change.account);
        let last = own.last().map(|row| (row.number, row.hash));
        let last = last.unwrap_or((0, ChainHash::NONE));
        self.account_changes
            .push(ChainedChange::after(last, sealed.clone()));
    }
}

impl MemoryStore {
    /// Loses the changes of a number, as none may be lost.
    pub fn forget_change(&self, number: u64) {
        let mut tables = self.tables();
        tables.account_changes.retain(|row| row.number != number);
    }

    /// Alters the changes of a number, as none may be altered.
    pub fn alter_change(&self, number: u64, alter: impl Fn(&mut ChainedChange)) {
        let mut tables = self.tables();
        let rows = tables.account_changes.iter_mut();
        rows.filter(|row| row.number == number).for_each(alter);
    }
}
