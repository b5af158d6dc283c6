//! The tree written out, one file per format. It must not add, drop or rename anything.

mod json;

pub use json::json;
