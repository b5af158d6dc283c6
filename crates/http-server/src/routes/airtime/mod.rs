//! Airtime (interface §4.2). Nothing here may know which provider delivers it.

pub(super) mod top_up;
pub(super) mod transaction;
