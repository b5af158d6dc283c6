//! Transfers between the wallets of one account: money is exchanged for message credits at the
//! price that is in force. No provider takes part, so the outcome is never in doubt.

mod credit_price;
mod order;

pub use credit_price::{CreditPrice, CreditPrices, InvalidCreditPrices, credit_limits};
pub use order::{WalletOrder, WalletTransfer};
