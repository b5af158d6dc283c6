//! Electricity (interface §4.4), one file per operation. It must not show a token anywhere but in
//! the transaction that bought it.

pub mod discos;
pub mod meter;
pub mod pay;
pub mod transaction;
