//! Reports of what an account bought and of its money: what is read of the ledger, how it is
//! grouped, and its sums. A sum must be what the ledger holds, never what an order promised.

mod accepted;
mod grouping;
mod run;
mod settled;
mod sums;
mod wallet_days;

pub use accepted::{AcceptedTransaction, MovedPrice};
pub use grouping::{GroupKey, ReportDays, ReportGrouping};
pub use run::{RUN_ROWS_MAX, RUNS_MAX, ReportKind, ReportRun, ReportRunId, RunRequest, RunState};
pub use settled::SettledTransfer;
pub use sums::{
    GroupedSums, PriceSums, ReconciliationSums, ReportSums, SettlementSums, SumTooLarge,
};
pub use wallet_days::{WalletDay, WalletDays};
