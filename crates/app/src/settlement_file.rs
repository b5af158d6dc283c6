//! A provider's settlement file: which column holds what, its rows, and where they differ from our
//! ledger. Nothing here may change a transaction: a file is evidence, and a person decides.

mod amount;
mod bounded;
mod columns;
mod difference;
mod moment;
mod rows;

pub(crate) use columns::SettlementColumns;
pub(crate) use difference::{LedgerSide, SettlementDifference, compare};
pub(crate) use moment::SettlementPeriod;
pub(crate) use rows::{SettlementRows, read};
