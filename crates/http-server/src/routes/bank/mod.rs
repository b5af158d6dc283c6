//! Bank transfers, one operation per file. It must not know what a payout is charged.

pub(super) mod enquiry;
pub(super) mod lists;
pub(super) mod lookup;
pub(super) mod payout;
pub(super) mod transaction;
