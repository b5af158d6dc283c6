//! Groups of bank accounts. A group must never be shown to another account, and a change must never
//! overwrite one that its author has not seen.

use crate::PortError;
use crate::batches::PageOf;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::bank::{Group, GroupContent, GroupId, GroupSummary, GroupVersion};
use domain::time::Timestamp;

/// What became of making a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupCreation {
    /// Stored.
    Done,
    /// The number is in use.
    IdTaken,
    /// The account has as many as it may have ([`domain::bank::GROUPS_MAX`]).
    TooMany,
    /// No such account.
    AccountUnknown,
}

/// A change of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupUpdate {
    /// The version that is to be replaced.
    pub replaced: GroupVersion,
    /// What it says from then on.
    pub content: GroupContent,
    /// When.
    pub at: Timestamp,
}

/// What became of changing or removing a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupChange {
    /// Done.
    Done,
    /// The account has none of this number.
    Unknown,
    /// It has another version by now; nothing was changed.
    VersionConflict,
}

impl GroupChange {
    /// Where no row had the number and the version.
    #[must_use]
    pub const fn without_row(is_known: bool) -> Self {
        if is_known {
            Self::VersionConflict
        } else {
            Self::Unknown
        }
    }
}

/// Some groups of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupPage {
    /// The groups of the part.
    pub groups: Vec<GroupSummary>,
    /// How many there are.
    pub total: u64,
}

/// Groups of accounts.
#[async_trait]
pub trait Groups: Send + Sync + std::fmt::Debug {
    /// Stores a group of an account.
    ///
    /// # Errors
    /// When the store failed.
    async fn create_group(&self, group: &Group) -> Result<GroupCreation, PortError>;

    /// Replaces what a group says, and counts its version on.
    ///
    /// # Errors
    /// When the store failed.
    async fn update_group(
        &self,
        account: &AccountId,
        id: GroupId,
        update: &GroupUpdate,
    ) -> Result<GroupChange, PortError>;

    /// Removes a group of a version.
    ///
    /// # Errors
    /// When the store failed.
    async fn remove_group(
        &self,
        account: &AccountId,
        id: GroupId,
        version: GroupVersion,
    ) -> Result<GroupChange, PortError>;

    /// The group of a number.
    ///
    /// # Errors
    /// When the store failed.
    async fn group(&self, account: &AccountId, id: GroupId) -> Result<Option<Group>, PortError>;

    /// A part of the groups of an account, by the moment they were made.
    ///
    /// # Errors
    /// When the store failed.
    async fn groups(&self, account: &AccountId, page: PageOf) -> Result<GroupPage, PortError>;
}
