//! The adapter of VTpass: airtime, internet data, cable TV and electricity in Nigeria. It keeps no
//! state, sends each attempt once, and must never read an answer that its tables do not list as a
//! definite one.

mod adapter;
mod answer;
mod callbacks;
mod codes;
mod fields;
mod float;
mod fulfilment;
mod lookup;
mod outcome;
mod price_list;
mod provider;
mod request;
mod services;
mod settings;

pub use adapter::VtpassAdapter;
pub use codes::{CodeTable, QueryMeaning, SubmitMeaning, VtpassCode};
pub use provider::{OpenVtpassError, VtpassProvider};
pub use settings::{
    ConfirmRefusals, InvalidVtpassSetting, PlanMapping, VtpassKeys, VtpassSettings,
};
