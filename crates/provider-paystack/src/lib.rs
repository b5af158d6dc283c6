//! The adapter of Paystack: payouts to bank accounts in Nigeria, and whose an account is. It keeps
//! no state, sends each transfer once, and must never read an answer that its tables do not list as
//! a definite one.

mod adapter;
mod answer;
mod balance;
mod banks;
mod callbacks;
mod lookup;
mod outcome;
mod provider;
mod recipient;
mod settings;
mod table;

pub use adapter::PaystackAdapter;
pub use banks::PaystackBanks;
pub use provider::PaystackProvider;
pub use settings::{InvalidPaystackSetting, PaystackKey, PaystackSettings};
pub use table::{
    PaystackAnswers, PaystackRefusal, PaystackStatus, QueryReading, RefusalReading, StatusReading,
};
