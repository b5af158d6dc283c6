//! Renders the tree, one file per format. It must not add, drop or rename anything.

mod json;
mod xml;

pub use json::json;
pub(crate) use xml::is_element_name;
pub use xml::xml;
