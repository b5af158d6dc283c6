//! Allowlists of keys. A row must come back with its seal: the store cannot judge whether it was
//! altered.

use crate::PortError;
use crate::access_keys::RowSeal;
use crate::account_changes::SealedChange;
use async_trait::async_trait;
use domain::access::KeyAllowlist;
use domain::credential::KeyId;

/// A version of an allowlist with the seal of its row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedAllowlist {
    /// The version.
    pub list: KeyAllowlist,
    /// The seal.
    pub seal: RowSeal,
}

/// A version of an allowlist as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoredAllowlist {
    /// A row that keeps to the rules; whether it was altered follows from its seal.
    Sealed(SealedAllowlist),
    /// A row that breaks a rule.
    Unreadable {
        /// The key that it is of.
        key: KeyId,
        /// Its version.
        version: u32,
        /// What is wrong with it.
        why: String,
    },
}

/// What became of changing an allowlist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AllowlistChange {
    /// Stored.
    Done,
    /// The list has another version than the one before this, which is this; 0 where it has none.
    VersionConflict(u32),
    /// Too many were changed within 24 hours
    /// ([`domain::access::ALLOWLIST_CHANGES_PER_DAY_MAX`]).
    TooManyToday,
    /// No such account.
    AccountUnknown,
}

/// Allowlists of keys.
#[async_trait]
pub trait Allowlists: Send + Sync + std::fmt::Debug {
    /// Stores the version that follows the latest one. It counts on every instance within a second.
    ///
    /// # Errors
    /// When the store failed.
    async fn set_allowlist(
        &self,
        list: &SealedAllowlist,
        noted: &SealedChange,
    ) -> Result<AllowlistChange, PortError>;

    /// Every version of every allowlist of every account, each after the one before it.
    ///
    /// # Errors
    /// When the store failed.
    async fn allowlist_versions(&self) -> Result<Vec<StoredAllowlist>, PortError>;
}
