//! Fresh transaction numbers and secrets. They must never carry a meaning: order and time come from
//! elsewhere.

use crate::PortError;
use domain::reference::TransactionNumber;

/// A source of transaction numbers.
pub trait Ids: Send + Sync + std::fmt::Debug {
    /// A number that is very likely unused; the store has the last word.
    fn transaction_number(&self) -> TransactionNumber;

    /// Random bytes for a secret.
    ///
    /// # Errors
    /// When the operating system gives none.
    fn secret(&self) -> Result<[u8; 32], PortError>;
}
