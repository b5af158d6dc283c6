//! Refunds that merchants ask for. What is stored must never say whether the money came back: that
//! is read from the ledger each time.

use crate::PortError;
use crate::batches::PageOf;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::reference::{MerchantReference, TransactionNumber};
use domain::refund::{RefundDecision, RefundRequest, RefundState};

/// What became of storing a refund.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefundCreation {
    /// Stored.
    Done,
    /// The number is in use.
    NumberTaken,
    /// The account asked for another one under the reference.
    ReferenceTaken,
    /// Another refund of the payment was asked for, and was not refused.
    PaymentTaken,
    /// As many of the account wait as may ([`domain::refund::REFUNDS_OPEN_MAX`]).
    TooMany,
    /// No such account.
    AccountUnknown,
}

/// What became of a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefundDeciding {
    /// Stored, for good.
    Done,
    /// It was decided before; nothing was changed.
    Decided,
    /// No such refund.
    Unknown,
}

/// Some refunds of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefundPage {
    /// The refunds of the part.
    pub refunds: Vec<RefundState>,
    /// How many there are.
    pub total: u64,
}

/// Refunds of accounts.
#[async_trait]
pub trait Refunds: Send + Sync + std::fmt::Debug {
    /// Stores a refund that an account asks for.
    ///
    /// # Errors
    /// When the store failed.
    async fn create_refund(&self, refund: &RefundRequest) -> Result<RefundCreation, PortError>;

    /// Stores what was decided of a refund, once.
    ///
    /// # Errors
    /// When the store failed.
    async fn decide_refund(
        &self,
        account: &AccountId,
        number: TransactionNumber,
        decision: &RefundDecision,
    ) -> Result<RefundDeciding, PortError>;

    /// The refund of a reference.
    ///
    /// # Errors
    /// When the store failed, or the row breaks a rule.
    async fn refund(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Result<Option<RefundState>, PortError>;

    /// The refund of a number.
    ///
    /// # Errors
    /// When the store failed, or the row breaks a rule.
    async fn numbered_refund(
        &self,
        account: &AccountId,
        number: TransactionNumber,
    ) -> Result<Option<RefundState>, PortError>;

    /// A part of the refunds of an account, by the moment they were asked for.
    ///
    /// # Errors
    /// When the store failed, or a row breaks a rule.
    async fn refunds(&self, account: &AccountId, page: PageOf) -> Result<RefundPage, PortError>;

    /// Refunds that are neither given nor refused, of one account or all, oldest first, at most so
    /// many.
    ///
    /// # Errors
    /// When the store failed, or a row breaks a rule.
    async fn waiting_refunds(
        &self,
        account: Option<&AccountId>,
        limit: u32,
    ) -> Result<Vec<RefundState>, PortError>;
}
