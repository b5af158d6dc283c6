//! The tree written out, one file per format. It must not add, drop or rename anything.

mod json;
mod xml;

pub use json::json;
pub use xml::xml;
