//! Keys that merchants make. A key must never cross this port in the clear, and a row must come
//! back with its seal: the store cannot judge whether it was altered.

use crate::PortError;
use crate::account_changes::SealedChange;
use crate::account_users::SealedUser;
use crate::allowlists::SealedAllowlist;
use async_trait::async_trait;
use domain::access::AccessKey;
use domain::account::AccountId;
use domain::credential::KeyId;
use domain::environment::Environment;
use domain::time::Timestamp;
use std::fmt;

/// A keyed hash over everything that a row says. Only a holder of the installation's pepper can
/// make one, so a row with a right seal was written by a gateway, as it is and where it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct RowSeal(pub [u8; 32]);

impl fmt::Debug for RowSeal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RowSeal(…)")
    }
}

/// A key with the seal of its row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedAccessKey {
    /// The key.
    pub key: AccessKey,
    /// The seal.
    pub seal: RowSeal,
}

/// A key that is not revoked, with the user it belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveAccessKey {
    /// The key.
    pub sealed: SealedAccessKey,
    /// The user that it names; `None` where it names none, or one there is not.
    pub user: Option<SealedUser>,
    /// When it ends because another one takes its place.
    pub ends_at: Option<Timestamp>,
}

/// A key that takes the place of another one of its account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRotation {
    /// The key.
    pub sealed: SealedAccessKey,
    /// The one whose place it takes.
    pub replaced: KeyId,
    /// When that one ends.
    pub ends_at: Timestamp,
    /// The version of the allowlist of that one that was seen; 0 where it has none.
    pub allowlist_seen: u32,
    /// The same networks for the new one, where there are any.
    pub allowlist: Option<SealedAllowlist>,
}

/// What became of storing a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessKeyCreation {
    /// Stored.
    Done,
    /// The number is in use.
    IdTaken,
    /// Another key of the account begins with the same characters.
    HintTaken,
    /// Two keys of the name work ([`domain::access::ACCESS_KEYS_PER_NAME_MAX`]).
    NameTaken,
    /// Keys of as many names work as may ([`domain::access::ACCESS_KEY_NAMES_MAX`]).
    TooManyNames,
    /// Too many were made within 24 hours ([`domain::access::ACCESS_KEYS_PER_DAY_MAX`]).
    TooManyToday,
    /// No such account.
    AccountUnknown,
    /// The key whose place it would take is not there, was revoked, or is replaced already.
    ReplacedGone,
    /// The allowlist of the key whose place it would take was changed meanwhile.
    AllowlistChanged,
}

/// What became of revoking a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessKeyRevocation {
    /// Revoked now.
    Done,
    /// Revoked before.
    Before(Timestamp),
    /// The account made no key of this number.
    Unknown,
}

/// A row that may have been altered, for the audit.
#[derive(Debug)]
pub enum AuditedRow {
    /// A key, revoked or not, and the environment of its account.
    Key(SealedAccessKey, Environment),
    /// A user with its steps.
    User(SealedUser),
    /// A row that breaks a rule.
    Unreadable(PortError),
}

/// Keys that merchants make.
#[async_trait]
pub trait AccessKeys: Send + Sync + fmt::Debug {
    /// Stores a key of an account. Keys of the account that have expired by the moment it is made
    /// are revoked in the same step, so that those that are not revoked are few.
    ///
    /// # Errors
    /// When the store failed.
    async fn make_access_key(
        &self,
        key: &SealedAccessKey,
        noted: &SealedChange,
    ) -> Result<AccessKeyCreation, PortError>;

    /// Stores a key that takes the place of another one, and when that one ends, in one step.
    ///
    /// # Errors
    /// When the store failed.
    async fn rotate_access_key(
        &self,
        rotation: &KeyRotation,
        noted: &SealedChange,
    ) -> Result<AccessKeyCreation, PortError>;

    /// The key of a number, revoked or not.
    ///
    /// # Errors
    /// When the store failed, or the row breaks a rule.
    async fn access_key(
        &self,
        account: &AccountId,
        id: KeyId,
    ) -> Result<Option<SealedAccessKey>, PortError>;

    /// Revokes a key, for good. It stops working on every instance within a second.
    ///
    /// # Errors
    /// When the store failed.
    async fn revoke_access_key(
        &self,
        account: &AccountId,
        key: (KeyId, Timestamp),
        noted: &SealedChange,
    ) -> Result<AccessKeyRevocation, PortError>;

    /// Every key and every user of every account.
    ///
    /// # Errors
    /// When the store failed.
    async fn audited_rows(&self) -> Result<Vec<AuditedRow>, PortError>;
}
