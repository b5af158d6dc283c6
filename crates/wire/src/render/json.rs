//! JSON (RFC 8259) in UTF-8 without white space. It must escape every character the format
//! reserves, in any text.

use crate::tree::{Node, Object};

/// Answers are a few hundred bytes; lists grow from here.
const CAPACITY: usize = 512;

/// The tree as JSON.
pub fn json(node: &Node) -> Vec<u8> {
    let mut out = String::with_capacity(CAPACITY);
    write_node(&mut out, node);
    out.into_bytes()
}

fn write_node(out: &mut String, node: &Node) {
    match node {
        Node::Text(text) => write_text(out, text),
        Node::Integer(number) => out.push_str(&number.to_string()),
        Node::Float(number) => out.push_str(&number.to_string()),
        Node::Boolean(value) => out.push_str(if *value { "true" } else { "false" }),
        Node::Null => out.push_str("null"),
        Node::Object(object) => write_object(out, object),
        Node::List { item: _, items } => write_list(out, items),
    }
}

fn write_object(out: &mut String, object: &Object) {
    out.push('{');
    for (index, (name, value)) in object.fields().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write_text(out, name);
        out.push(':');
        write_node(out, value);
    }
    out.push('}');
}

fn write_list(out: &mut String, items: &[Node]) {
    out.push('[');
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write_node(out, item);
    }
    out.push(']');
}

fn write_text(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            // RFC 8259 §7 reserves these; no other character needs an escape.
            '\0'..='\u{1f}' => out.push_str(&escape(character)),
            other => out.push(other),
        }
    }
    out.push('"');
}

fn escape(control: char) -> String {
    format!("\\u{:04x}", u32::from(control))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rust_decimal::Decimal;
    use serde_json::Value;

    fn read_back(node: &Node) -> Value {
        serde_json::from_slice(&json(node)).unwrap()
    }

    /// The tree as an independent writer of JSON would render it.
    fn value_of(node: &Node) -> Value {
        match node {
            Node::Text(text) => text.as_str().into(),
            Node::Integer(number) => (*number).into(),
            Node::Float(number) => serde_json::from_str(&number.to_string()).unwrap(),
            Node::Boolean(value) => (*value).into(),
            Node::Null => Value::Null,
            Node::Object(object) => object
                .fields()
                .map(|(name, value)| (name.to_owned(), value_of(value)))
                .collect(),
            Node::List { items, .. } => items.iter().map(value_of).collect(),
        }
    }

    #[test]
    fn fields_keep_their_order_and_items_lose_their_name() {
        let node = Object::new()
            .with("b", 1_u64)
            .with("a", Node::texts("item", ["x".to_owned(), "y".to_owned()]))
            .with("none", None::<String>)
            .with("yes", Node::Boolean(true))
            .with("degrees", Node::Float(Decimal::new(-33_792, 4)))
            .with("empty", Object::new());
        let expected =
            r#"{"b":1,"a":["x","y"],"none":null,"yes":true,"degrees":-3.3792,"empty":{}}"#;
        assert_eq!(String::from_utf8(json(&node.into())).unwrap(), expected);
    }

    #[test]
    fn every_character_comes_back_as_a_value_and_as_a_name() {
        for character in (0..=0x1_FFFF).filter_map(char::from_u32) {
            let text = format!("<{character}>");
            let node = Object::new().with(text.clone(), text.clone()).into();
            let expected = Value::Object([(text.clone(), text.into())].into_iter().collect());
            assert_eq!(read_back(&node), expected, "{:?}", u32::from(character));
        }
    }

    fn any_node() -> impl Strategy<Value = Node> {
        let leaf = prop_oneof![
            any::<String>().prop_map(Node::Text),
            any::<i64>().prop_map(Node::Integer),
            (any::<i32>(), 0_u32..8)
                .prop_map(|(n, scale)| Node::Float(Decimal::new(n.into(), scale))),
            any::<bool>().prop_map(Node::Boolean),
            Just(Node::Null),
        ];
        leaf.prop_recursive(4, 32, 5, |inner| {
            let named = proptest::collection::btree_map(any::<String>(), inner.clone(), 0..5);
            prop_oneof![
                proptest::collection::vec(inner, 0..5).prop_map(|items| Node::List {
                    item: "item",
                    items
                }),
                named.prop_map(|fields| {
                    let object = fields.into_iter();
                    object
                        .fold(Object::new(), |object, (name, node)| {
                            object.with(name, node)
                        })
                        .into()
                }),
            ]
        })
    }

    proptest! {
        #[test]
        fn every_tree_comes_back_as_it_was(node in any_node()) {
            prop_assert_eq!(read_back(&node), value_of(&node));
        }
    }
}
