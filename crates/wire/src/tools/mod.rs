//! Tools for developers.

pub mod fees;
