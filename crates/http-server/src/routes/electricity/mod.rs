//! Electricity (interface §4.4). Nothing here may know which provider delivers it.

pub(super) mod discos;
pub(super) mod meter;
pub(super) mod pay;
pub(super) mod transaction;
