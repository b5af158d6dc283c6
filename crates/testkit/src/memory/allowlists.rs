//! Allowlists of keys. The latest version of each must be the only one that counts.

use super::{MemoryStore, MemoryTables};
use async_trait::async_trait;
use domain::access::ALLOWLIST_CHANGES_PER_DAY_MAX;
use domain::account::AccountId;
use domain::credential::KeyId;
use ports::PortError;
use ports::account_changes::SealedChange;
use ports::allowlists::{AllowlistChange, Allowlists, SealedAllowlist, StoredAllowlist};
use std::time::Duration;

#[async_trait]
impl Allowlists for MemoryStore {
    async fn set_allowlist(
        &self,
        sealed: &SealedAllowlist,
        noted: &SealedChange,
    ) -> Result<AllowlistChange, PortError> {
        let mut tables = self.tables();
        let list = &sealed.list;
        if tables.account(&list.account).is_none() {
            return Ok(AllowlistChange::AccountUnknown);
        }
        let latest = tables.allowlist_version(&list.account, list.key);
        if latest + 1 != list.version {
            return Ok(AllowlistChange::VersionConflict(latest));
        }
        let since = list.created_at.minus(Duration::from_hours(24));
        let rows = tables.allowlists.iter().map(|row| &row.list);
        let today = rows.filter(|it| {
            it.account == list.account && it.created_at > since && it.created_at <= list.created_at
        });
        if today.count() >= ALLOWLIST_CHANGES_PER_DAY_MAX as usize {
            return Ok(AllowlistChange::TooManyToday);
        }
        tables.allowlists.push(sealed.clone());
        tables.record_change(noted);
        Ok(AllowlistChange::Done)
    }

    async fn allowlist_versions(&self) -> Result<Vec<StoredAllowlist>, PortError> {
        let mut versions = self.tables().allowlists.clone();
        versions.sort_by_key(|row| {
            let list = &row.list;
            (list.account.clone(), list.key, list.version)
        });
        Ok(versions.into_iter().map(StoredAllowlist::Sealed).collect())
    }
}

impl MemoryTables {
    /// The latest version of the allowlist of a key; 0 where it has none.
    pub(super) fn allowlist_version(&self, account: &AccountId, key: KeyId) -> u32 {
        let latest = self.allowlist(account, key);
        latest.map_or(0, |row| row.list.version)
    }

    fn allowlist(&self, account: &AccountId, key: KeyId) -> Option<&SealedAllowlist> {
        let mut rows = self.allowlists.iter().rev();
        rows.find(|row| row.list.account == *account && row.list.key == key)
    }

    /// The latest version of the allowlist of each key of an account that works.
    pub(super) fn latest_allowlists(&self, account: &AccountId) -> Vec<StoredAllowlist> {
        let owner = self.account(account);
        let operators = owner.into_iter().flat_map(|row| &row.keys);
        let operators = operators.map(|key| key.id);
        let access = self.live_access_keys(account).into_iter();
        let keys = operators.chain(access.map(|live| live.sealed.key.id));
        let latest = keys.filter_map(|key| self.allowlist(account, key));
        latest.cloned().map(StoredAllowlist::Sealed).collect()
    }
}

impl MemoryStore {
    /// Loses the versions of a number, as none may be lost.
    pub fn forget_allowlist(&self, version: u32) {
        let mut tables = self.tables();
        tables.allowlists.retain(|row| row.list.version != version);
    }
}
