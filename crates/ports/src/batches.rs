//! Reading batches. How far one has come must be counted from its transactions, which are stored
//! once.

use crate::PortError;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::batch::{Batch, BatchKind, BatchNumber, BatchProgress};
use domain::reference::{MerchantReference, TransactionNumber};
use domain::statement::Sort;
use domain::transaction::Transaction;

/// A part of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageOf {
    /// How many entries come before it.
    pub offset: u64,
    /// Most entries.
    pub length: u32,
    /// By when they were stored.
    pub sort: Sort,
}

/// Some batches of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchPage {
    /// The batches of the part.
    pub batches: Vec<(Batch, BatchProgress)>,
    /// How many there are.
    pub total: u64,
}

/// Reading what was committed of batches.
#[async_trait]
pub trait Batches: Send + Sync + std::fmt::Debug {
    /// The batch of an account under a reference, and how far it has come.
    ///
    /// # Errors
    /// When the store failed.
    async fn batch(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Result<Option<(Batch, BatchProgress)>, PortError>;

    /// A part of the transactions of a batch; ascending, they are in the order of its request.
    ///
    /// # Errors
    /// When the store failed.
    async fn batch_items(
        &self,
        account: &AccountId,
        batch: BatchNumber,
        page: PageOf,
    ) -> Result<Vec<Transaction>, PortError>;

    /// A part of the batches of one kind.
    ///
    /// # Errors
    /// When the store failed.
    async fn batches(
        &self,
        account: &AccountId,
        kind: BatchKind,
        page: PageOf,
    ) -> Result<BatchPage, PortError>;

    /// Which of some transactions belong to a batch that stops with its first failure, and has one:
    /// their places in the list, rising.
    ///
    /// # Errors
    /// When the store failed.
    async fn stopped(
        &self,
        transactions: &[(AccountId, TransactionNumber)],
    ) -> Result<Vec<usize>, PortError>;
}
