//! Collections of accounts, and what was paid to them. Payments are written as every movement of
//! money is, by a change set; a collection must be made and changed here.

use crate::PortError;
use crate::batches::PageOf;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::collection::{
    BankSession, CollectedPayment, Collection, CollectionKind, CollectionSource, CollectionState,
};
use domain::reference::{MerchantReference, TransactionNumber};
use domain::time::Timestamp;

/// What became of storing a collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CollectionCreation {
    /// Stored.
    Done,
    /// The number is in use, or the one that payers would type.
    NumberTaken,
    /// The account made another one under the reference.
    ReferenceTaken,
    /// The account has as many virtual accounts as it may have
    /// ([`domain::collection::VIRTUAL_ACCOUNTS_MAX`]).
    TooMany,
    /// No such account.
    AccountUnknown,
}

/// What became of changing one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CollectionChange {
    /// Changed.
    Done,
    /// It has another version than the one that was read.
    Conflict,
}

/// By what a collection of an account is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CollectionName<'a> {
    /// The merchant's reference.
    Reference(&'a MerchantReference),
    /// The gateway's number.
    Number(TransactionNumber),
}

/// Which kind of collections.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CollectionSort {
    /// Account numbers.
    Account,
    /// Payment references.
    Invoice,
    /// Checkout sessions.
    Checkout,
    /// What invoices make as they are opened.
    Bill,
}

impl CollectionSort {
    /// That of a collection.
    pub const fn of(kind: &CollectionKind) -> Self {
        match kind {
            CollectionKind::Account(_) => Self::Account,
            CollectionKind::Invoice { .. } => Self::Invoice,
            CollectionKind::Checkout(_) => Self::Checkout,
            CollectionKind::Bill(_) => Self::Bill,
        }
    }

    /// The word in records.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Account => "account",
            Self::Invoice => "invoice",
            Self::Checkout => "checkout",
            Self::Bill => "bill",
        }
    }
}

/// Some collections of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CollectionPage {
    /// The collections of the part.
    pub collections: Vec<CollectionState>,
    /// How many there are.
    pub total: u64,
}

/// Which payments of an account are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CollectedPayments {
    /// Those of one collection, or of every one.
    pub collection: Option<TransactionNumber>,
    /// Recorded at this moment or later.
    pub from: Timestamp,
    /// Recorded before this one.
    pub to: Timestamp,
}

/// Some payments of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CollectedPage {
    /// The payments of the part.
    pub payments: Vec<CollectedPayment>,
    /// How many there are.
    pub total: u64,
}

/// Collections of accounts.
#[async_trait]
pub trait Collections: Send + Sync + std::fmt::Debug {
    /// Stores a collection of an account.
    ///
    /// # Errors
    /// When the store failed.
    async fn create_collection(
        &self,
        collection: &Collection,
    ) -> Result<CollectionCreation, PortError>;

    /// Stores what its merchant allows, where it has the version before still.
    ///
    /// # Errors
    /// When the store failed.
    async fn change_collection(
        &self,
        collection: &Collection,
    ) -> Result<CollectionChange, PortError>;

    /// One collection of an account.
    ///
    /// # Errors
    /// When the store failed, or the row breaks a rule.
    async fn collection(
        &self,
        account: &AccountId,
        name: CollectionName<'_>,
    ) -> Result<Option<CollectionState>, PortError>;

    /// The collection, of any account, that payers reach by a number: an account number or a
    /// payment reference.
    ///
    /// # Errors
    /// When the store failed, or the row breaks a rule.
    async fn collection_of_payee(&self, payee: &str) -> Result<Option<Collection>, PortError>;

    /// A part of the collections of an account, by the moment they were made.
    ///
    /// # Errors
    /// When the store failed, or a row breaks a rule.
    async fn collections(
        &self,
        account: &AccountId,
        sort: CollectionSort,
        page: PageOf,
    ) -> Result<CollectionPage, PortError>;

    /// The payment of a session.
    ///
    /// # Errors
    /// When the store failed, or the row breaks a rule.
    async fn collected_payment(
        &self,
        source: CollectionSource,
        session: &BankSession,
    ) -> Result<Option<CollectedPayment>, PortError>;

    /// A part of the payments of an account, by the moment they were recorded.
    ///
    /// # Errors
    /// When the store failed, or a row breaks a rule.
    async fn collected_payments(
        &self,
        account: &AccountId,
        wanted: CollectedPayments,
        page: PageOf,
    ) -> Result<CollectedPage, PortError>;
}
