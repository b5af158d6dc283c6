//! Fresh transaction numbers. They must never carry a meaning: order and time come from elsewhere.

use domain::reference::TransactionNumber;

/// A source of transaction numbers.
pub trait Ids: Send + Sync + std::fmt::Debug {
    /// A number that is very likely unused; the store has the last word.
    fn transaction_number(&self) -> TransactionNumber;
}
