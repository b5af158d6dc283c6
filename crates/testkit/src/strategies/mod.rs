//! Random values for property tests: legal ones only, and all of them. What a transaction can
//! become must be reached through `learn`, never written down by hand.

mod drafts;
mod gallery;
mod histories;
mod orders;
mod rumours;

pub use drafts::{drafts, quotes, references, terms, transaction_numbers};
pub use gallery::gallery;
pub use histories::{History, histories, states, transactions};
pub use orders::{
    airtime_orders, cable_orders, data_orders, electricity_orders, hlr_orders, hlr_reports,
    message_orders, meters, money, orders, payout_orders, words,
};
pub use rumours::{Details, Rumour, Word, elapsed, news_about, rumours};
