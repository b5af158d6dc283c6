//! Random values for property tests: legal ones only, and all of them. What a transaction can
//! become must be reached through `learn`, never written down by hand.

mod gallery;
mod histories;
mod orders;
mod rumours;

pub use gallery::gallery;
pub use histories::{History, histories, states, transactions};
pub use orders::{
    airtime_orders, drafts, electricity_orders, meters, money, orders, quotes, references, terms,
    transaction_numbers, words,
};
pub use rumours::{Rumour, Word, elapsed, news_about, rumours};
