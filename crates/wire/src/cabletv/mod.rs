//! Cable TV: providers, smartcards, plans and subscriptions, one file per operation. It must not
//! know what can be bought now.

pub mod plans;
pub mod providers;
pub mod smartcard;
pub mod subscribe;
pub mod transaction;
