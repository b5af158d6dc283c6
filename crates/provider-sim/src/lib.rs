//! The sandbox provider: every family, outcomes forced by the last four digits of a number, and a
//! journal of its own of what it really delivered. It must not look at the gateway's store: it
//! plays another company.

mod airtime;
mod answer;
mod bank;
mod bill;
mod cabletv;
mod card;
mod catalogue;
mod change;
mod draw;
mod electricity;
mod entry_facts;
mod entry_values;
mod family_product;
mod float;
mod hlr;
mod international;
mod internet;
mod ivr;
pub mod journal;
mod lookup;
mod messaging;
mod mobile_money;
mod monotonic_clock;
mod number_operators;
mod offers;
mod outcome;
mod paid_lookup;
mod people;
mod product;
mod rcs;
mod reports;
mod script;
mod seal;
mod settings;
mod simulator;
mod sms;
mod table_row;
mod voice;
mod whatsapp;

pub use answer::refusals;
pub use catalogue::SandboxCatalogue;
pub use settings::{
    Faults, ForcedOutcomes, InvalidSettings, JournalSync, LatencyRange, SandboxFloat, SimSettings,
};
pub use simulator::{OpenError, PROVIDER_ID, Simulator};
