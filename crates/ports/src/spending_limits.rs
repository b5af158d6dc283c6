//! Limits on what accounts spend, and the payments that wait because of one. A row must come back
//! with its seal: the store cannot judge whether it was altered.

use crate::PortError;
use crate::access_keys::RowSeal;
use crate::account_changes::SealedChange;
use crate::batches::PageOf;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::spending::SpendingLimit;
use domain::transaction::Transaction;

/// A version of a limit with the seal of its row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedLimit {
    /// The version.
    pub limit: SpendingLimit,
    /// The seal.
    pub seal: RowSeal,
}

/// The latest version of a limit as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoredLimit {
    /// A row that keeps to the rules; whether it was altered follows from its seal.
    Sealed(SealedLimit),
    /// A row that breaks a rule; what is wrong with it.
    Unreadable(String),
}

/// What became of setting a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitChange {
    /// Stored.
    Done,
    /// The limit has another version than the one before this, which is this; 0 where it has none.
    VersionConflict(u32),
    /// Too many were set within 24 hours ([`domain::spending::LIMIT_CHANGES_PER_DAY_MAX`]).
    TooManyToday,
    /// No such account.
    AccountUnknown,
}

/// Payments of an account that wait for an approval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovalPage {
    /// The payments of the part.
    pub payments: Vec<Transaction>,
    /// How many there are.
    pub total: u64,
}

/// Limits on what accounts spend.
#[async_trait]
pub trait SpendingLimits: Send + Sync + std::fmt::Debug {
    /// Stores the version that follows the latest one. It counts on every instance within a second.
    ///
    /// # Errors
    /// When the store failed.
    async fn set_spending_limit(
        &self,
        limit: &SealedLimit,
        noted: &SealedChange,
    ) -> Result<LimitChange, PortError>;

    /// Every version of every limit of every account.
    ///
    /// # Errors
    /// When the store failed.
    async fn spending_limit_versions(&self) -> Result<Vec<StoredLimit>, PortError>;

    /// A part of the payments of an account that wait for an approval, by when they were accepted.
    ///
    /// # Errors
    /// When the store failed.
    async fn awaiting_approval(
        &self,
        account: &AccountId,
        page: PageOf,
    ) -> Result<ApprovalPage, PortError>;
}
