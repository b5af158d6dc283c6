//! Bank transfers: banks, accounts and payouts, one file per operation. It must not know what a
//! payout is charged.

pub mod enquiry;
pub mod lists;
pub mod lookup;
pub mod payout;
pub mod transaction;
