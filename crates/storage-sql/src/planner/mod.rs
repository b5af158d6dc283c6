//! Judging a batch of change sets in memory: what a store must read for it, what becomes of each,
//! and what must be written for all together. It is pure: it must never ask a store for more.

mod batch_planner;
mod notifications;
mod plan;
mod read_set;
mod wallet_state;

pub use batch_planner::plan;
pub use plan::{
    BatchPlan, LineEvent, Movement, NewDelivery, NewEvent, NewTransfer, PlannedObservation,
    VoucherMovement, VoucherPlan,
};
pub use read_set::{Flow, ReadSet, VoucherReads, VoucherRows, WorkingSet};
pub use wallet_state::{NewStatementEntry, WalletState};
