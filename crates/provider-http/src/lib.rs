//! The adapter of providers that speak the provider protocol. It keeps no state of any attempt; an
//! answer that is not exactly what the protocol promises must be read as unknown.

mod absence;
mod adapter;
mod agreed;
mod callback;
mod catalogue;
mod exchange;
mod float;
mod grade;
mod judgement;
mod lookups;
mod own_references;
mod provider;
mod seals;
mod settings;

pub use adapter::HttpAdapter;
pub use agreed::{CapabilitiesError, REFRESH_EVERY};
pub use exchange::AnswerError;
pub use provider::HttpProvider;
pub use settings::{HttpProviderError, HttpProviderSettings};
