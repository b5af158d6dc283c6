//! Transfers from one account to another of its environment. No provider takes part. What is sent
//! to an address that no account has yet is held until one has it, or until its time is over.

mod order;
mod recipient;

pub use order::{UserOrder, UserTransfer, user_limits};
pub use recipient::{Payee, Recipient};
