//! Freezes. The latest version of each must be the only one that counts.

use super::{MemoryStore, MemoryTables};
use async_trait::async_trait;
use domain::account::AccountId;
use domain::freeze::{Freeze, FreezeAuthority, FreezeState, FreezeTarget, UNFREEZES_PER_DAY_MAX};
use ports::PortError;
use ports::account_changes::SealedChange;
use ports::freezes::{AuditedFreezes, FreezeChange, Freezes, SealedFreeze, StoredFreeze};
use std::time::Duration;

#[async_trait]
impl Freezes for MemoryStore {
    async fn set_freeze(
        &self,
        sealed: &SealedFreeze,
        noted: &SealedChange,
    ) -> Result<FreezeChange, PortError> {
        let mut tables = self.tables();
        let freeze = &sealed.freeze;
        if tables.account(&freeze.account).is_none() {
            return Ok(FreezeChange::AccountUnknown);
        }
        let of_account = tables.freezes.iter().map(|row| &row.freeze);
        let of_account: Vec<_> = of_account
            .filter(|it| it.account == freeze.account)
            .collect();
        let authority = freeze.made_by.authority();
        let same = of_account
            .iter()
            .filter(|it| it.is_of(authority, freeze.target));
        let latest = same.map(|it| it.version).max().unwrap_or_default();
        if latest + 1 != freeze.version {
            return Ok(FreezeChange::VersionConflict(latest));
        }
        let since = freeze.created_at.minus(Duration::from_hours(24));
        let recent = |it: &&&Freeze| {
            it.state == FreezeState::Active
                && it.made_by.key().is_some()
                && it.created_at > since
                && it.created_at <= freeze.created_at
        };
        let today = of_account.iter().filter(recent).count();
        if recent(&&freeze) && today >= UNFREEZES_PER_DAY_MAX as usize {
            return Ok(FreezeChange::TooManyToday);
        }
        let row = tables
            .accounts
            .iter_mut()
            .find(|row| row.account.id == freeze.account)
            .expect("it was found above");
        row.frozen = row.frozen.clone().with(freeze.setting());
        tables.freezes.push(sealed.clone());
        tables.record_change(noted);
        Ok(FreezeChange::Done)
    }

    async fn audited_freezes(&self) -> Result<AuditedFreezes, PortError> {
        let tables = self.tables();
        let wallets = tables.accounts.iter();
        let wallets = wallets.map(|row| (row.account.id.clone(), row.frozen.clone()));
        let versions = tables.freezes.iter().cloned();
        Ok(AuditedFreezes {
            versions: versions.map(StoredFreeze::Sealed).collect(),
            wallets: wallets.collect(),
        })
    }
}

impl MemoryTables {
    /// The latest version of each freeze of an account, but those of keys that work no longer.
    pub(super) fn latest_freezes(&self, account: &AccountId) -> Vec<StoredFreeze> {
        let owner = self.account(account);
        let operators = owner.into_iter().flat_map(|row| &row.keys);
        let operators = operators.map(|key| key.id);
        let access = self.live_access_keys(account).into_iter();
        let keys = operators.chain(access.map(|live| live.sealed.key.id));
        let targets = FreezeTarget::without_keys().chain(keys.map(FreezeTarget::Key));
        let both = |target| FreezeAuthority::ALL.map(|authority| (authority, target));
        let latest = targets.flat_map(both).filter_map(|(authority, target)| {
            let mut rows = self.freezes.iter().rev();
            rows.find(|row| row.freeze.account == *account && row.freeze.is_of(authority, target))
        });
        latest.cloned().map(StoredFreeze::Sealed).collect()
    }
}
