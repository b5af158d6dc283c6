//! The adapter of Reloadly: airtime for numbers in Nigeria. It keeps nothing but its token, sends
//! each top-up once, and must never read an answer that its tables do not list as a definite one.

mod adapter;
mod answer;
mod balance;
mod callbacks;
mod lookup;
mod operators;
mod outcome;
mod provider;
mod settings;
mod table;
mod token;

pub use adapter::ReloadlyAdapter;
pub use operators::{InvalidReloadlyOperators, ReloadlyOperators};
pub use provider::ReloadlyProvider;
pub use settings::{InvalidReloadlySetting, ReloadlyCredentials, ReloadlySettings};
pub use table::{ReloadlyAnswers, ReloadlyError, ReloadlyStatus, TopupErrorMeaning, TopupMeaning};
