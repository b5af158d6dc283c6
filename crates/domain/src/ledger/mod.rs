//! The double-entry ledger. A transfer has one debit and one credit of the same amount, so the
//! books cannot fail to balance; corrections are new transfers, never edits.

mod chart;
mod cost;
mod settlement;
mod transfer;
mod wallet;

pub use chart::LedgerAccount;
pub use cost::{CostDifferences, actual_cost};
pub(crate) use settlement::{
    capture, exchange, hold, loss, pay, refund, release, reverse, reverse_loss, reverse_refund,
};
pub use transfer::{Transfer, TransferKind};
pub use wallet::{Unbookable, Wallet};
