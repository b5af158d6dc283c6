//! Locations (interface §2.10). It must not show a guess.

pub mod ipaddress;
