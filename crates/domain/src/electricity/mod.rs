//! Electricity: distribution companies, meters and vends. It must never invent a token: tokens
//! come from the provider.

mod disco;
mod meter;
mod order;
mod vend;

pub use disco::{Disco, DiscoCode, InvalidDisco};
pub use meter::{InvalidMeter, Meter, MeterNumber, Tariff};
pub use order::{ElectricityOrder, MeterPayment, MeterQuery};
pub use vend::Vend;
