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
    AccessKeyCreation, AccessKeyRevocation, AccessKeys, AuditedRow, KeyRotation, LiveAccessKey,
    SealedAccessKey,
};
use ports::account_changes::SealedChange;
use std::collections::BTreeSet;
use std::time::Duration;

#[async_trait]
impl AccessKeys for MemoryStore {
    async fn make_access_key(
        &self,
        made: &SealedAccessKey,
        noted: &SealedChange,
    ) -> Result<AccessKeyCreation, PortError> {
        Ok(self.tables().make_access_key((made, noted), None))
    }

    async fn rotate_access_key(
        &self,
        rotation: &KeyRotation,
        noted: &SealedChange,
    ) -> Result<AccessKeyCreation, PortError> {
        let mut tables = self.tables();
        Ok(tables.make_access_key((&rotation.sealed, noted), Some(rotation)))
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
        (id, at): (KeyId, Timestamp),
        noted: &SealedChange,
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
        tables.record_change(noted);
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
    fn make_access_key(
        &mut self,
        (made, noted): (&SealedAccessKey, &SealedChange),
        rotation: Option<&KeyRotation>,
    ) -> AccessKeyCreation {
        let (key, now) = (&made.key, made.key.created_at);
        if self.account(&key.account).is_none() {
            return AccessKeyCreation::AccountUnknown;
        }
        let of_account = self.access_keys.iter().map(|row| &row.key);
        let of_account = of_account.filter(|it| it.account == key.account);
        let of_account: Vec<AccessKey> = of_account.cloned().collect();
        if of_account.iter().any(|it| it.id == key.id) {
            return AccessKeyCreation::IdTaken;
        }
        if of_account.iter().any(|it| it.hint == key.hint) {
            return AccessKeyCreation::HintTaken;
        }
        if let Some(rotation) = rotation {
            if !self.is_replaceable(&key.account, rotation.replaced) {
                return AccessKeyCreation::ReplacedGone;
            }
            let version = self.allowlist_version(&key.account, rotation.replaced);
            if version != rotation.allowlist_seen {
                return AccessKeyCreation::AllowlistChanged;
            }
        }
        let is_live = |it: &&AccessKey| {
            let named = (key.account.clone(), it.id);
            !self.access_revocations.contains_key(&named)
        };
        let live = of_account.iter().filter(is_live);
        let (over, live): (Vec<&AccessKey>, Vec<&AccessKey>) =
            live.partition(|it| it.terms.are_over(now) || self.has_ended(it, now));
        let of_name = live.iter().filter(|it| it.name == key.name).count();
        if of_name >= ACCESS_KEYS_PER_NAME_MAX as usize {
            return AccessKeyCreation::NameTaken;
        }
        let names: BTreeSet<_> = live.iter().map(|it| &it.name).collect();
        if of_name == 0 && names.len() >= ACCESS_KEY_NAMES_MAX as usize {
            return AccessKeyCreation::TooManyNames;
        }
        let since = now.minus(Duration::from_hours(24));
        let today = of_account.iter().filter(|it| it.created_at > since).count();
        if today >= ACCESS_KEYS_PER_DAY_MAX as usize {
            return AccessKeyCreation::TooManyToday;
        }
        let over: Vec<_> = over.iter().map(|it| (it.account.clone(), it.id)).collect();
        for expired in over {
            self.access_revocations.insert(expired, now);
        }
        self.access_keys.push(made.clone());
        if let Some(rotation) = rotation {
            let ended = (key.account.clone(), rotation.replaced);
            self.access_ends.insert(ended, rotation.ends_at);
            self.allowlists.extend(rotation.allowlist.clone());
        }
        self.record_change(noted);
        AccessKeyCreation::Done
    }

    /// Whether a key is not revoked, and replaced by none.
    fn is_replaceable(&self, account: &AccountId, id: KeyId) -> bool {
        let named = (account.clone(), id);
        self.access_key(account, id).is_some()
            && !self.access_revocations.contains_key(&named)
            && !self.access_ends.contains_key(&named)
    }

    fn has_ended(&self, key: &AccessKey, now: Timestamp) -> bool {
        let ends = self.access_ends.get(&(key.account.clone(), key.id));
        ends.is_some_and(|ends| *ends <= now)
    }

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
            let named = (account.clone(), sealed.key.id);
            let ends_at = self.access_ends.get(&named).copied();
            LiveAccessKey {
                sealed,
                user,
                ends_at,
            }
        };
        live.into_iter().map(with_user).collect()
    }
}
