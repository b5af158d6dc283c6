//! Keys that merchants make. A revoked key must be gone from the next read on.

use super::{MemoryStore, MemoryTables};
use async_trait::async_trait;
use domain::access::{
    ACCESS_KEY_NAMES_MAX, ACCESS_KEYS_PER_DAY_MAX, ACCESS_KEYS_PER_NAME_MAX, AccessKey,
};
use domain::account::AccountId;
use domain::credential::KeyId;
use domain::environment::Environment;
use domain::time::Timestamp;
use ports::PortError;
use ports::access_keys::{
    AccessKeyCreation, AccessKeyRevocation, AccessKeys, AuditedRow, LiveAccessKey, SealedAccessKey,
};
use std::collections::BTreeSet;
use std::time::Duration;

#[async_trait]
impl AccessKeys for MemoryStore {
    async fn make_access_key(
        &self,
        made: &SealedAccessKey,
    ) -> Result<AccessKeyCreation, PortError> {
        let mut tables = self.tables();
        let (key, now) = (&made.key, made.key.created_at);
        if tables.account(&key.account).is_none() {
            return Ok(AccessKeyCreation::AccountUnknown);
        }
        let of_account = tables.access_keys.iter().map(|row| &row.key);
        let of_account = of_account.filter(|it| it.account == key.account);
        let of_account: Vec<AccessKey> = of_account.cloned().collect();
        if of_account.iter().any(|it| it.id == key.id) {
            return Ok(AccessKeyCreation::IdTaken);
        }
        if of_account.iter().any(|it| it.hint == key.hint) {
            return Ok(AccessKeyCreation::HintTaken);
        }
        let is_live = |it: &&AccessKey| {
            let named = (key.account.clone(), it.id);
            !tables.access_revocations.contains_key(&named)
        };
        let live = of_account.iter().filter(is_live);
        let (over, live): (Vec<&AccessKey>, Vec<&AccessKey>) =
            live.partition(|it| it.terms.are_over(now));
        let of_name = live.iter().filter(|it| it.name == key.name).count();
        if of_name >= ACCESS_KEYS_PER_NAME_MAX as usize {
            return Ok(AccessKeyCreation::NameTaken);
        }
        let names: BTreeSet<_> = live.iter().map(|it| &it.name).collect();
        if of_name == 0 && names.len() >= ACCESS_KEY_NAMES_MAX as usize {
            return Ok(AccessKeyCreation::TooManyNames);
        }
        let since = now.minus(Duration::from_hours(24));
        let today = of_account.iter().filter(|it| it.created_at > since).count();
        if today >= ACCESS_KEYS_PER_DAY_MAX as usize {
            return Ok(AccessKeyCreation::TooManyToday);
        }
        let over: Vec<_> = over.iter().map(|it| (it.account.clone(), it.id)).collect();
        for expired in over {
            tables.access_revocations.insert(expired, now);
        }
        tables.access_keys.push(made.clone());
        Ok(AccessKeyCreation::Done)
    }

    async fn access_key(
        &self,
        account: &AccountId,
        id: KeyId,
    ) -> Result<Option<SealedAccessKey>, PortError> {
        Ok(self.tables().access_key(account, id).cloned())
    }

    async fn revoke_access_key(
        &self,
        account: &AccountId,
        id: KeyId,
        at: Timestamp,
    ) -> Result<AccessKeyRevocation, PortError> {
        let mut tables = self.tables();
        if tables.access_key(account, id).is_none() {
            return Ok(AccessKeyRevocation::Unknown);
        }
        let named = (account.clone(), id);
        if let Some(before) = tables.access_revocations.get(&named) {
            return Ok(AccessKeyRevocation::Before(*before));
        }
        tables.access_revocations.insert(named, at);
        Ok(AccessKeyRevocation::Done)
    }

    async fn audited_rows(&self) -> Result<Vec<AuditedRow>, PortError> {
        let tables = self.tables();
        let keys = tables.access_keys.iter().map(|row| {
            let account = tables.account(&row.key.account);
            let environment = account.map_or(Environment::Test, |it| it.account.environment);
            AuditedRow::Key(row.clone(), environment)
        });
        let users = tables.account_users.iter().cloned().map(AuditedRow::User);
        Ok(keys.chain(users).collect())
    }
}

impl MemoryTables {
    fn access_key(&self, account: &AccountId, id: KeyId) -> Option<&SealedAccessKey> {
        let mut keys = self.access_keys.iter();
        keys.find(|row| row.key.account == *account && row.key.id == id)
    }

    /// The keys of an account that are not revoked, oldest first, each with its user.
    pub(super) fn live_access_keys(&self, account: &AccountId) -> Vec<LiveAccessKey> {
        let is_live = |row: &&SealedAccessKey| {
            let named = (account.clone(), row.key.id);
            row.key.account == *account && !self.access_revocations.contains_key(&named)
        };
        let mut live: Vec<_> = self.access_keys.iter().filter(is_live).cloned().collect();
        live.sort_by_key(|row| (row.key.created_at, row.key.id));
        let with_user = |sealed: SealedAccessKey| {
            let id = sealed.key.user;
            let user = id.and_then(|id| self.account_user(account, id).cloned());
            LiveAccessKey { sealed, user }
        };
        live.into_iter().map(with_user).collect()
    }
}
