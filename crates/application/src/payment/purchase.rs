//! What a payment is asked for with, and what it comes to. It must not know what is bought.

use domain::idempotency::IdempotencyKey;
use domain::quote_identifier::QuoteIdentifier;
use domain::transaction::Transaction;

/// A command and how the client makes retries recognisable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Purchase<C> {
    /// What is asked for.
    pub command: C,
    /// The client's `Idempotency-Key`.
    pub retry_key: Option<IdempotencyKey>,
    /// The quote of fees that the order is to be charged by.
    pub quote: Option<QuoteIdentifier>,
}

/// What a payment came to, so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentResult {
    /// The transaction as committed.
    pub transaction: Transaction,
    /// Whether this request opened it.
    pub replay: ReplayMark,
}

/// Whether a request opened the transaction it is answered with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplayMark {
    /// It did.
    New,
    /// An earlier request under the same idempotency key did.
    Replayed,
}
