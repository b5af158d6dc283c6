//! Values whose names are data. It must show them as they were frozen.

use crate::tree::{Node, Object};
use domain::labelled_value::LabelledValue;

/// A list of values with their names.
pub(crate) fn list(item: &'static str, values: &[LabelledValue]) -> Node {
    let shown = |value: &LabelledValue| {
        Object::new()
            .with("name", value.name.as_str())
            .with("label", value.label.as_str())
            .with("value", value.value.as_str())
    };
    Node::objects(item, values.iter().map(shown))
}

/// What is asked for under a name: its name for people, which values, and whether it must be there.
pub(crate) fn parameter((name, label): (&str, &str), pattern: String, required: bool) -> Object {
    Object::new()
        .with("name", name)
        .with("label", label)
        .with("pattern", pattern)
        .with("required", required)
}
