//! The adapter of DT One's Digital Value Services: airtime and internet data in many countries. It
//! keeps no state, sends each transaction once, and must never read an answer that its tables do
//! not list as a definite one.

mod adapter;
mod answer;
mod balance;
mod callbacks;
mod outcome;
mod products;
mod provider;
mod request;
mod settings;
mod table;

pub use adapter::DtoneAdapter;
pub use products::{DtoneProductId, DtoneProducts, InvalidDtoneProducts};
pub use provider::DtoneProvider;
pub use settings::{DtoneKeys, DtoneSettings, InvalidDtoneSetting};
pub use table::{DtoneAnswers, DtoneError, DtoneReason, DtoneState, ErrorMeaning, StateMeaning};
