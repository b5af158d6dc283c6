//! The statement of a wallet: every transfer that changed what can be spent of it. Amounts held
//! show as debits when they are set aside, as the merchant sees them leave. It must never mix
//! currencies.

use crate::money::{Currency, Money};
use crate::reference::{MerchantReference, TransactionNumber};
use crate::time::Timestamp;

/// Which way money moved, as the merchant sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Out of the balance.
    Debit,
    /// Into the balance.
    Credit,
}

/// One line of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementEntry {
    /// Its place in the wallet's statement, from 1 without a gap. It reveals nothing about other
    /// accounts, unlike a number of the whole ledger.
    pub position: u64,
    /// The transaction, where the entry belongs to one.
    pub transaction: Option<(TransactionNumber, MerchantReference)>,
    /// Debit or credit.
    pub direction: Direction,
    /// What it was for.
    pub narration: String,
    /// How much.
    pub amount: Money,
    /// The balance before.
    pub before: Money,
    /// The balance after.
    pub after: Money,
    /// When.
    pub at: Timestamp,
}

/// The order of a statement's lines, by position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sort {
    /// Oldest first.
    Ascending,
    /// Newest first.
    Descending,
}

/// Which part of a statement is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementQuery {
    /// Of which of the account's wallets.
    pub currency: Currency,
    /// Lines to skip.
    pub offset: u64,
    /// Most lines to answer, 1–100.
    pub length: u32,
    /// In which order.
    pub sort: Sort,
    /// Only lines of the transaction with this reference.
    pub reference: Option<MerchantReference>,
    /// Only lines in this direction.
    pub direction: Option<Direction>,
}

/// A part of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementPage {
    /// The lines.
    pub entries: Vec<StatementEntry>,
    /// How many lines the wallet has.
    pub total: u64,
    /// How many of them satisfy the query.
    pub found: u64,
}
