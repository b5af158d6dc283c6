//! Accounts and their keys. A key must never cross this port in the clear: only its keyed hash.

use crate::PortError;
use crate::access_keys::LiveAccessKey;
use crate::allowlists::StoredAllowlist;
use crate::freezes::StoredFreeze;
use crate::spending_limits::StoredLimit;
use async_trait::async_trait;
use domain::account::{Account, AccountContact, AccountId, AccountIdentity, AccountStatus};
use domain::change_set::Funding;
use domain::credential::KeyRecord;
use domain::environment::Environment;
use domain::ledger::Wallet;
use domain::money::{Currency, Money};
use domain::time::Timestamp;

/// An account to open, with its first key and what is paid in at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAccount {
    /// The account.
    pub account: Account,
    /// Its first key.
    pub key: KeyRecord,
    /// The opening balance, if any.
    pub funding: Option<Funding>,
}

/// What became of opening an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Created {
    /// Opened and durable.
    Done,
    /// The identity is in use.
    IdentityTaken,
}

/// What became of a change of how an account is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContactChange {
    /// Changed and durable.
    Done,
    /// There is no such account.
    AccountUnknown,
    /// It is not reached as the caller knew: another change came before.
    Behind,
    /// Another account of its environment has the e-mail address.
    EmailTaken,
    /// Another account of its environment has the phone number.
    PhoneTaken,
}

/// An account with the keys that work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credentials {
    /// The account.
    pub account: Account,
    /// Its live keys, oldest first, at most [`domain::credential::LIVE_KEYS_MAX`].
    pub keys: Vec<KeyRecord>,
    /// The keys its merchant made that are not revoked, oldest first, whether they have expired or
    /// not. A row that breaks a rule is left out.
    pub access: Vec<LiveAccessKey>,
    /// The latest version of each of its limits.
    pub limits: Vec<StoredLimit>,
    /// The latest version of each of its freezes, but those of keys that work no longer.
    pub freezes: Vec<StoredFreeze>,
    /// The latest version of the allowlist of each of its keys that work.
    pub allowlists: Vec<StoredAllowlist>,
}

/// Accounts and their keys.
#[async_trait]
pub trait Accounts: Send + Sync + std::fmt::Debug {
    /// Opens an account, a wallet of it in every currency, its key and opening balance, wholly or
    /// not at all.
    ///
    /// # Errors
    /// When the store failed.
    async fn create(&self, new: &NewAccount) -> Result<Created, PortError>;

    /// An account and its live keys.
    ///
    /// # Errors
    /// When the store failed.
    async fn credentials(&self, id: &AccountId) -> Result<Option<Credentials>, PortError>;

    /// The account of an environment that has an identity, an e-mail address or a phone number.
    ///
    /// # Errors
    /// When the store failed.
    async fn account_by_identity(
        &self,
        environment: Environment,
        identity: &AccountIdentity,
    ) -> Result<Option<Account>, PortError>;

    /// Every account by identity, with its wallets in the order of [`Currency::ALL`].
    ///
    /// # Errors
    /// When the store failed.
    async fn list(&self) -> Result<Vec<(Account, Vec<Wallet>)>, PortError>;

    /// Sets the status; `false` where there is no such account.
    ///
    /// # Errors
    /// When the store failed.
    async fn set_status(&self, id: &AccountId, status: AccountStatus) -> Result<bool, PortError>;

    /// Sets how an account is reached, the e-mail address and the phone number, or that there is
    /// none; nothing where it is not `known` any more.
    ///
    /// # Errors
    /// When the store failed.
    async fn set_contact(
        &self,
        id: &AccountId,
        known: &AccountContact,
        contact: &AccountContact,
    ) -> Result<ContactChange, PortError>;

    /// Sets which wallet messages are charged to; `false` where there is no such account.
    ///
    /// # Errors
    /// When the store failed.
    async fn set_message_currency(
        &self,
        id: &AccountId,
        currency: Currency,
    ) -> Result<bool, PortError>;

    /// Sets or removes the low-balance threshold of an account in a currency; `false` where there
    /// is no such account.
    ///
    /// # Errors
    /// When the store failed.
    async fn set_low_balance(
        &self,
        id: &AccountId,
        currency: Currency,
        below: Option<Money>,
    ) -> Result<bool, PortError>;

    /// Adds a key; the oldest live keys beyond [`domain::credential::LIVE_KEYS_MAX`] are revoked in
    /// the same step. `false` where there is no such account.
    ///
    /// # Errors
    /// When the store failed.
    async fn add_key(&self, id: &AccountId, key: &KeyRecord) -> Result<bool, PortError>;

    /// Revokes live keys whose hint is `hint`, or every live key; returns how many. A hint that
    /// two keys share revokes both: better one key too few than one too many.
    ///
    /// # Errors
    /// When the store failed.
    async fn revoke_keys(
        &self,
        id: &AccountId,
        hint: Option<&str>,
        now: Timestamp,
    ) -> Result<u64, PortError>;
}
