//! JSON (RFC 8259) in UTF-8 without white space. It must escape every character the format reserves,
//! whatever the text.

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
