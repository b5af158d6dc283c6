//! Translates requests in VTpass's shape to operations of the interface, and outcomes of
//! transactions back to VTpass's codes. It must not decide anything about an order: the operation
//! validates and buys as it does for any other request. It does no I/O, and no route uses it yet.

mod code;
mod pay;
mod service;

pub use code::{ResponseCode, outcome, transaction_word};
pub use pay::{InvalidPay, TranslatedPay, pay};
pub use service::{SoldService, sold};
