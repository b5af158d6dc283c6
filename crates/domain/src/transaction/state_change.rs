//! One step of a transaction with the money it moves and the event it makes. It must not be stored
//! in parts: a store commits all of it or nothing.

use super::Transaction;
use crate::event::Event;
use crate::ledger::Transfer;
use crate::opening::Origin;
use crate::reference::UndatedReference;
use crate::time::Timestamp;

/// A step of a transaction that was opened.
///
/// Guard: the stored version is `transaction.version − 1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateChange {
    /// The transaction after the step.
    pub transaction: Transaction,
    /// The money the step moves.
    pub transfers: Vec<Transfer>,
    /// The event the step makes, if anyone but us can see it.
    pub event: Option<Event>,
    /// When recovery must look at it next; `None` once nothing is left to find out.
    pub due_at: Option<Timestamp>,
    /// Of a step that takes a transaction out of the queue, as of an opening: what any provider
    /// would know an attempt under the merchant's reference by, where the form is the provider's
    /// own.
    pub undated: Vec<UndatedReference>,
    /// Where it comes from: what a journal shows is recorded, whatever keeps others from it.
    pub origin: Origin,
}

impl StateChange {
    /// The version the stored transaction must have.
    pub fn expected_version(&self) -> u32 {
        self.transaction.version.saturating_sub(1)
    }
}
