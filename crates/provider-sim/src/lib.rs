//! The sandbox provider: every family, outcomes forced by the last four digits of a number, and a
//! book of its own of what it really delivered. It must not look at the gateway's store: it plays
//! another company.

mod answer;
mod bank;
mod bill;
mod cabletv;
mod catalogue;
mod change;
mod draw;
mod hlr;
pub mod journal;
mod lookups;
mod meters;
mod monotonic_clock;
mod people;
mod script;
mod settings;
mod simulator;
mod sms;
mod vend;

pub use catalogue::SandboxCatalogue;
pub use settings::{BookSync, Faults, InvalidSettings, LatencyRange, SimSettings};
pub use simulator::{OpenError, PROVIDER_ID, Simulator};
