//! Random values for property tests: legal ones only, and all of them. What a transaction can
//! become must be reached through `learn`, never written down by hand.

mod drafts;
mod every_family;
mod every_state;
mod histories;
mod hlr;
mod international;
mod ivr;
mod messaging;
mod observations;
mod orders;
mod paid_lookup;
mod rcs;
mod refunded;
mod voice;
mod whatsapp;

pub use drafts::{drafts, quotes, references, terms, transaction_numbers};
pub use every_state::every_state;
pub use histories::{ArbitraryHistory, histories, states, transactions};
pub use hlr::{hlr_orders, hlr_reports};
pub use international::international_orders;
pub use ivr::{call_flows, flow_runs, ivr_orders};
pub use messaging::message_deliveries;
pub use observations::{
    ArbitraryObservation, Details, ObservationKind, elapsed, observation_about, observations,
};
pub use orders::{
    airtime_orders, bill_orders, cable_orders, card_orders, data_orders, delivered_orders,
    electricity_orders, message_orders, meters, mobile_money_orders, money, orders, payout_orders,
    user_orders, wallet_orders, words,
};
pub use paid_lookup::{lookup_findings, lookup_orders};
pub use rcs::{rcs_deliveries, rcs_orders};
pub use refunded::refunded;
pub use voice::{calls, voice_orders};
pub use whatsapp::whatsapp_orders;
