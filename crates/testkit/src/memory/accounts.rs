//! Accounts and their keys. A revoked key must be gone from the next read on.

use super::{AccountRow, MemoryStore};
use async_trait::async_trait;
use domain::account::{Account, AccountContact, AccountId, AccountIdentity, AccountStatus};
use domain::credential::{KeyRecord, LIVE_KEYS_MAX};
use domain::environment::Environment;
use domain::freeze::FrozenServices;
use domain::ledger::Wallet;
use domain::money::{Currency, Money};
use domain::time::Timestamp;
use ports::PortError;
use ports::accounts::{Accounts, ContactChange, Created, Credentials, NewAccount};
use ports::ledger_store::CommitOutcome;

#[async_trait]
impl Accounts for MemoryStore {
    async fn create(&self, new: &NewAccount) -> Result<Created, PortError> {
        let mut tables = self.tables();
        let id = &new.account.id;
        if tables.account(id).is_some() {
            return Ok(Created::IdentityTaken);
        }
        tables.accounts.push(AccountRow {
            account: new.account.clone(),
            wallets: Currency::ALL.map(|it| Wallet::new(id.clone(), it)).into(),
            keys: vec![new.key.clone()],
            frozen: FrozenServices::default(),
        });
        if let Some(funding) = &new.funding {
            let funded = tables.fund(funding);
            if funded != CommitOutcome::Done {
                tables.accounts.pop();
                let what = format!("fund the new account {id}: {funded:?}");
                return Err(PortError::new("memory", what));
            }
        }
        Ok(Created::Done)
    }

    async fn credentials(&self, id: &AccountId) -> Result<Option<Credentials>, PortError> {
        let tables = self.tables();
        Ok(tables.account(id).map(|row| Credentials {
            account: row.account.clone(),
            keys: row.keys.clone(),
            access: tables.live_access_keys(id),
            limits: tables.latest_limits(id),
            freezes: tables.latest_freezes(id),
            allowlists: tables.latest_allowlists(id),
        }))
    }

    async fn account_by_identity(
        &self,
        environment: Environment,
        identity: &AccountIdentity,
    ) -> Result<Option<Account>, PortError> {
        let tables = self.tables();
        let mut accounts = tables.accounts.iter().map(|row| &row.account);
        let is_it = |account: &&Account| {
            account.environment == environment
                && match identity {
                    AccountIdentity::Id(id) => account.id == *id,
                    AccountIdentity::Email(email) => account.contact.email.as_ref() == Some(email),
                    AccountIdentity::Phone(phone) => account.contact.phone.as_ref() == Some(phone),
                }
        };
        Ok(accounts.find(is_it).cloned())
    }

    async fn list(&self) -> Result<Vec<(Account, Vec<Wallet>)>, PortError> {
        let tables = self.tables();
        let pair = |row: &AccountRow| (row.account.clone(), row.wallets.clone());
        let mut all: Vec<_> = tables.accounts.iter().map(pair).collect();
        all.sort_by(|(left, _), (right, _)| left.id.cmp(&right.id));
        Ok(all)
    }

    async fn set_status(&self, id: &AccountId, status: AccountStatus) -> Result<bool, PortError> {
        let mut tables = self.tables();
        let row = tables.account_mut(id);
        Ok(row.map(|row| row.account.status = status).is_some())
    }

    async fn set_contact(
        &self,
        id: &AccountId,
        known: &AccountContact,
        contact: &AccountContact,
    ) -> Result<ContactChange, PortError> {
        let mut tables = self.tables();
        let Some(own) = tables.account(id).map(|row| row.account.clone()) else {
            return Ok(ContactChange::AccountUnknown);
        };
        if own.contact != *known {
            return Ok(ContactChange::Behind);
        }
        let others = tables.accounts.iter().map(|row| &row.account);
        let mut others = others.filter(|it| it.id != own.id && it.environment == own.environment);
        let is_taken = |other: &Account| {
            let AccountContact { email, phone } = &other.contact;
            if email.is_some() && *email == contact.email {
                return Some(ContactChange::EmailTaken);
            }
            (phone.is_some() && *phone == contact.phone).then_some(ContactChange::PhoneTaken)
        };
        if let Some(taken) = others.find_map(is_taken) {
            return Ok(taken);
        }
        if let Some(row) = tables.account_mut(id) {
            row.account.contact = contact.clone();
        }
        Ok(ContactChange::Done)
    }

    async fn set_message_currency(
        &self,
        id: &AccountId,
        currency: Currency,
    ) -> Result<bool, PortError> {
        let mut tables = self.tables();
        let row = tables.account_mut(id);
        Ok(row
            .map(|row| row.account.message_currency = currency)
            .is_some())
    }

    async fn set_low_balance(
        &self,
        id: &AccountId,
        currency: Currency,
        below: Option<Money>,
    ) -> Result<bool, PortError> {
        let mut tables = self.tables();
        let wallets = tables.account_mut(id).map(|row| row.wallets.iter_mut());
        let mut wallets = wallets.into_iter().flatten();
        let wallet = wallets.find(|wallet| wallet.currency() == currency);
        Ok(wallet
            .map(|wallet| wallet.low_balance_threshold = below)
            .is_some())
    }

    async fn add_key(&self, id: &AccountId, key: &KeyRecord) -> Result<bool, PortError> {
        let mut tables = self.tables();
        let Some(row) = tables.account_mut(id) else {
            return Ok(false);
        };
        row.keys.push(key.clone());
        row.keys.sort_by_key(|key| key.created_at);
        let beyond = row.keys.len().saturating_sub(LIVE_KEYS_MAX);
        row.keys.drain(..beyond);
        Ok(true)
    }

    async fn revoke_keys(
        &self,
        id: &AccountId,
        hint: Option<&str>,
        _now: Timestamp,
    ) -> Result<u64, PortError> {
        let mut tables = self.tables();
        let Some(row) = tables.account_mut(id) else {
            return Ok(0);
        };
        let before = row.keys.len();
        row.keys
            .retain(|key| hint.is_some_and(|hint| key.hint != hint));
        Ok((before - row.keys.len()) as u64)
    }
}
