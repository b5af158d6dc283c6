//! Templates and flows that merchants keep. An item must never be shown to another account, and
//! never change.

use crate::PortError;
use crate::batches::PageOf;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::messaging_library::{LibraryItem, LibraryItemId, LibraryKind, LibrarySummary};

/// What became of keeping an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LibraryCreation {
    /// Stored.
    Done,
    /// The number is in use, by an item of either kind.
    IdTaken,
    /// The account has as many of the kind as it may have
    /// ([`domain::messaging_library::LIBRARY_MAX`]).
    TooMany,
    /// No such account.
    AccountUnknown,
}

/// Some items of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LibraryPage {
    /// The items of the part.
    pub items: Vec<LibrarySummary>,
    /// How many there are.
    pub total: u64,
}

/// Templates and flows of accounts.
#[async_trait]
pub trait MessagingLibrary: Send + Sync + std::fmt::Debug {
    /// Stores an item of an account.
    ///
    /// # Errors
    /// When the store failed.
    async fn keep(&self, item: &LibraryItem) -> Result<LibraryCreation, PortError>;

    /// Removes an item; `false` where the account has none of the kind under the number.
    ///
    /// # Errors
    /// When the store failed.
    async fn remove_item(
        &self,
        account: &AccountId,
        item: (LibraryKind, LibraryItemId),
    ) -> Result<bool, PortError>;

    /// The item of a number.
    ///
    /// # Errors
    /// When the store failed.
    async fn item(
        &self,
        account: &AccountId,
        id: LibraryItemId,
    ) -> Result<Option<LibraryItem>, PortError>;

    /// A part of the items of a kind, by the moment they were made.
    ///
    /// # Errors
    /// When the store failed.
    async fn items(
        &self,
        account: &AccountId,
        kind: LibraryKind,
        page: PageOf,
    ) -> Result<LibraryPage, PortError>;
}
