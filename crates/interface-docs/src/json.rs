//! JSON for people: one value per line, so that a change of the interface is a change of few lines.
//! It must not decide the content of the document.

use wire::render;
use wire::tree::{Node, Object};

/// A list of a JSON document; its items have no name there.
pub(crate) fn list<T, I>(items: I) -> Node
where
    T: Into<Node>,
    I: IntoIterator<Item = T>,
{
    let items = items.into_iter().map(Into::into).collect();
    Node::List { item: "", items }
}

/// The tree with line breaks, and one at the end.
pub(crate) fn pretty(node: &Node) -> String {
    let mut out = String::new();
    write(&mut out, node, 0);
    out.push('\n');
    out
}

fn write(out: &mut String, node: &Node, depth: usize) {
    match node {
        Node::Object(object) if object.fields().next().is_some() => {
            write_object(out, object, depth);
        }
        Node::List { items, .. } if items.iter().any(is_nested) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                separate(out, index, depth.saturating_add(1));
                write(out, item, depth.saturating_add(1));
            }
            break_line(out, depth);
            out.push(']');
        }
        Node::List { .. }
        | Node::Object(_)
        | Node::Text(_)
        | Node::Integer(_)
        | Node::Float(_)
        | Node::Boolean(_)
        | Node::Null => out.push_str(&String::from_utf8_lossy(&render::json(node))),
    }
}

fn write_object(out: &mut String, object: &Object, depth: usize) {
    out.push('{');
    for (index, (name, value)) in object.fields().enumerate() {
        separate(out, index, depth.saturating_add(1));
        out.push_str(&String::from_utf8_lossy(&render::json(&name.into())));
        out.push_str(": ");
        write(out, value, depth.saturating_add(1));
    }
    break_line(out, depth);
    out.push('}');
}

/// Lists of plain values stay on one line.
const fn is_nested(node: &Node) -> bool {
    matches!(node, Node::Object(_) | Node::List { .. })
}

fn separate(out: &mut String, index: usize, depth: usize) {
    if index > 0 {
        out.push(',');
    }
    break_line(out, depth);
}

fn break_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_break_lines_and_lists_of_plain_values_do_not() {
        let node = Object::new()
            .with("a", list(["x", "y"]))
            .with("b", list([Object::new().with("c", None::<String>)]))
            .with("d", Object::new());
        let lines = [
            "{",
            "  \"a\": [\"x\",\"y\"],",
            "  \"b\": [",
            "    {",
            "      \"c\": null",
            "    }",
            "  ],",
            "  \"d\": {}",
            "}\n",
        ];
        assert_eq!(pretty(&node.into()), lines.join("\n"));
    }
}
