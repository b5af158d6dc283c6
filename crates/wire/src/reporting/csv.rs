//! Lines of files of reports: comma-separated values (RFC 4180). A text must never be read as a
//! formula by the program that opens the file.

use crate::tree::{Node, Object};
use std::fmt::Write as _;

/// The column that says what a line is.
const LINE: &str = "repLine";

/// The line with the names of the columns.
pub(super) fn columns(names: &[&str]) -> String {
    let mut text = LINE.to_owned();
    for name in names {
        text.push(',');
        text.push_str(name);
    }
    text.push_str("\r\n");
    text
}

/// Adds the line of a row or of a total, whose fields are in the order of the columns; a column
/// that it has no field for is empty.
pub(super) fn line(what: &str, names: &[&str], row: &Object, text: &mut String) {
    text.push_str(what);
    let mut fields = row.fields();
    for name in names {
        text.push(',');
        let mut rest = fields.clone();
        if let Some((_, node)) = rest.find(|(field, _)| field == name) {
            cell(node, text);
            fields = rest;
        }
    }
    text.push_str("\r\n");
}

fn cell(node: &Node, text: &mut String) {
    match node {
        Node::Text(value) => words(value, text),
        Node::Integer(number) => {
            // Writing to a text cannot fail.
            let _ = write!(text, "{number}");
        }
        Node::Boolean(truth) => text.push_str(if *truth { "true" } else { "false" }),
        // Rows have none of these.
        Node::Null | Node::Float(_) | Node::List { .. } | Node::Object(_) => {}
    }
}

/// Amounts have no grouping. A text that spreadsheets would calculate has an apostrophe before it.
fn words(value: &str, text: &mut String) {
    let is_number = value
        .bytes()
        .all(|byte| byte.is_ascii_digit() || b"-.,".contains(&byte));
    if is_number {
        text.extend(value.chars().filter(|it| *it != ','));
        return;
    }
    let is_formula = value.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let apostrophe = if is_formula { "'" } else { "" };
    if value.contains([',', '"', '\r', '\n']) {
        let doubled = value.replace('"', "\"\"");
        // Writing to a text cannot fail.
        let _ = write!(text, "\"{apostrophe}{doubled}\"");
    } else {
        text.push_str(apostrophe);
        text.push_str(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(row: &Object) -> String {
        let mut text = String::new();
        line("row", &["a", "b", "c"], row, &mut text);
        text
    }

    #[test]
    fn a_line_has_a_cell_for_each_column() {
        assert_eq!(columns(&["a", "b"]), "repLine,a,b\r\n");
        let row = Object::new()
            .with("a", "x")
            .with("b", Node::Null)
            .with("c", 5);
        assert_eq!(shown(&row), "row,x,,5\r\n");
        let total = Object::new().with("count", 9).with("b", "1,234.50");
        assert_eq!(shown(&total), "row,,1234.50,\r\n");
    }

    #[test]
    fn a_text_is_never_a_formula_and_a_number_stays_one() {
        for (value, expected) in [
            ("=1+1", "'=1+1"),
            ("+234", "'+234"),
            ("@x", "'@x"),
            ("-x", "'-x"),
            ("-970.00", "-970.00"),
            ("a,b", "\"a,b\""),
            ("=\"a\"", "\"'=\"\"a\"\"\""),
        ] {
            let row = Object::new().with("a", value);
            assert_eq!(shown(&row), format!("row,{expected},,\r\n"));
        }
    }
}
