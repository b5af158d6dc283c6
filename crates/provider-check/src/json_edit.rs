//! Changes to a JSON document that is about to be sent. It must not fail where the document has
//! another shape: then nothing is changed, and the check that wanted it finds so.

use serde_json::Value;

/// Sets a field, such as `/amount/minor`, of an object that is there.
pub(crate) fn set(document: &mut Value, pointer: &str, value: Value) {
    if let Some((parent, field)) = pointer.rsplit_once('/')
        && let Some(Value::Object(fields)) = document.pointer_mut(parent)
    {
        fields.insert(field.to_owned(), value);
    }
}

/// A copy of a value; null where there is none.
pub(crate) fn copy(document: &Value, pointer: &str) -> Value {
    document.pointer(pointer).cloned().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_field_is_set_in_an_object_alone() {
        let mut document = json!({"a": {"b": 1}, "c": 2});
        set(&mut document, "/a/b", json!(3));
        set(&mut document, "/d", json!(4));
        set(&mut document, "/c/e", json!(5));
        assert_eq!(document, json!({"a": {"b": 3}, "c": 2, "d": 4}));
        assert_eq!(copy(&document, "/a/b"), json!(3));
        assert_eq!(copy(&document, "/a/x"), Value::Null);
    }
}
