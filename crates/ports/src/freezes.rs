//! Freezes of accounts, keys and services. A row must come back with its seal: the store cannot
//! judge whether it was altered.

use crate::PortError;
use crate::access_keys::RowSeal;
use crate::account_changes::SealedChange;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::credential::KeyId;
use domain::freeze::{Freeze, FrozenServices};

/// A version of a freeze with the seal of its row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedFreeze {
    /// The version.
    pub freeze: Freeze,
    /// The seal.
    pub seal: RowSeal,
}

/// A version of a freeze as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoredFreeze {
    /// A row that keeps to the rules; whether it was altered follows from its seal.
    Sealed(SealedFreeze),
    /// A row that breaks a rule.
    Unreadable {
        /// The key that it is of, where it is of one.
        key: Option<KeyId>,
        /// What is wrong with it.
        why: String,
    },
}

/// What became of setting a freeze.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FreezeChange {
    /// Stored.
    Done,
    /// The freeze has another version than the one before this, which is this; 0 where it has none.
    VersionConflict(u32),
    /// Too many were lifted within 24 hours ([`domain::freeze::UNFREEZES_PER_DAY_MAX`]).
    TooManyToday,
    /// No such account.
    AccountUnknown,
}

/// Everything stored of freezes, for the audit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditedFreezes {
    /// Every version of every freeze of every account, each after the one before it.
    pub versions: Vec<StoredFreeze>,
    /// What is kept with each wallet of each account.
    pub wallets: Vec<(AccountId, FrozenServices)>,
}

/// Freezes of accounts, keys and services.
#[async_trait]
pub trait Freezes: Send + Sync + std::fmt::Debug {
    /// Stores the version that follows the latest one, and what it stops with each wallet of the
    /// account, under the locks that money is moved under: once this is answered, nothing more is
    /// opened or sent from the queue that it stops. It counts on every instance within a second.
    ///
    /// # Errors
    /// When the store failed.
    async fn set_freeze(
        &self,
        freeze: &SealedFreeze,
        noted: &SealedChange,
    ) -> Result<FreezeChange, PortError>;

    /// Everything that is stored of freezes.
    ///
    /// # Errors
    /// When the store failed.
    async fn audited_freezes(&self) -> Result<AuditedFreezes, PortError>;
}
