//! Lookups of mobile numbers (interface §4.8). Nothing here may know which provider's register is
//! queried.

pub(super) mod lookup;
