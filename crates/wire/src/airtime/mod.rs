//! Airtime (interface §4.2), one file per operation. It must not share a view with another family.

pub mod top_up;
pub mod transaction;
