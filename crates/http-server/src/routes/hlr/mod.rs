//! Lookups of mobile numbers (interface §4.8). Nothing here may know whose register is asked.

pub(super) mod lookup;
