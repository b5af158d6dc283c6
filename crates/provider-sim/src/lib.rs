//! The sandbox provider: outcomes forced by the last four digits of a number, and a book of its own
//! of what it really delivered. It must not look at the gateway's store: it plays another company.

mod answer;
pub mod book;
mod catalogue;
mod draw;
mod facts;
mod people;
mod script;
mod settings;
mod simulator;
mod vend;

pub use catalogue::SandboxCatalogue;
pub use settings::{Faults, InvalidSettings, LatencyRange, SimSettings};
pub use simulator::{OpenError, PROVIDER_ID, Simulator};
