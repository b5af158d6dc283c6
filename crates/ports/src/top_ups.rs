//! Top-ups that merchants announce. What is stored must never say whether the money arrived: that
//! is read from the ledger each time.

use crate::PortError;
use crate::batches::PageOf;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::reference::{MerchantReference, TransactionNumber};
use domain::time::Timestamp;
use domain::top_up::{AccountTopUp, TopUpState};

/// What became of storing a top-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TopUpCreation {
    /// Stored.
    Done,
    /// The number is in use.
    NumberTaken,
    /// The account announced another one under the reference.
    ReferenceTaken,
    /// The account has as many open as it may have ([`domain::top_up::TOP_UPS_OPEN_MAX`]).
    TooMany,
    /// No such account.
    AccountUnknown,
}

/// Some top-ups of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TopUpPage {
    /// The top-ups of the part.
    pub top_ups: Vec<TopUpState>,
    /// How many there are.
    pub total: u64,
}

/// Which top-ups an operator looks through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnconfirmedTopUps<'a> {
    /// Those of one account, or of every one.
    pub account: Option<&'a AccountId>,
    /// Those that end after this moment.
    pub ending_after: Timestamp,
    /// Most to answer.
    pub limit: u32,
}

/// Top-ups of accounts.
#[async_trait]
pub trait TopUps: Send + Sync + std::fmt::Debug {
    /// Stores a top-up of an account.
    ///
    /// # Errors
    /// When the store failed.
    async fn create_top_up(&self, top_up: &AccountTopUp) -> Result<TopUpCreation, PortError>;

    /// The top-up of a reference.
    ///
    /// # Errors
    /// When the store failed, or the row breaks a rule.
    async fn top_up(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Result<Option<TopUpState>, PortError>;

    /// The top-up of a number.
    ///
    /// # Errors
    /// When the store failed, or the row breaks a rule.
    async fn numbered_top_up(
        &self,
        account: &AccountId,
        number: TransactionNumber,
    ) -> Result<Option<TopUpState>, PortError>;

    /// A part of the top-ups of an account, by the moment they were announced.
    ///
    /// # Errors
    /// When the store failed, or a row breaks a rule.
    async fn top_ups(&self, account: &AccountId, page: PageOf) -> Result<TopUpPage, PortError>;

    /// Top-ups that are not confirmed, those that end first at the beginning.
    ///
    /// # Errors
    /// When the store failed, or a row breaks a rule.
    async fn unconfirmed_top_ups(
        &self,
        wanted: UnconfirmedTopUps<'_>,
    ) -> Result<Vec<TopUpState>, PortError>;
}
