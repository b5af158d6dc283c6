//! Puts values into the texts of a language, wherever its word order has them. It must not put
//! anything into a page that is neither escaped nor markup already.

use maud::{Markup, html};

/// A part of a text: words, or the name of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PhrasePiece<'t> {
    Words(&'t str),
    Value(&'t str),
}

/// The text with its values as markup. A value that the text does not name is left out.
pub(crate) fn phrase(text: &str, values: &[(&str, Markup)]) -> Markup {
    html! {
        @for piece in pieces(text) {
            @match piece {
                PhrasePiece::Words(words) => (words),
                PhrasePiece::Value(name) => @if let Some(value) = find(values, name) { (value) },
            }
        }
    }
}

/// The text with its values as plain text, for where no markup may be.
pub(crate) fn plain_phrase(text: &str, values: &[(&str, String)]) -> String {
    let pieces = pieces(text).into_iter();
    let words = pieces.filter_map(|piece| match piece {
        PhrasePiece::Words(words) => Some(words),
        PhrasePiece::Value(name) => find(values, name).map(String::as_str),
    });
    words.collect()
}

/// The names of the values in a text, in their order.
#[cfg(test)]
pub(crate) fn value_names(text: &str) -> Vec<&str> {
    let pieces = pieces(text).into_iter();
    let names = pieces.filter_map(|piece| match piece {
        PhrasePiece::Words(_) => None,
        PhrasePiece::Value(name) => Some(name),
    });
    names.collect()
}

fn find<'v, T>(values: &'v [(&str, T)], name: &str) -> Option<&'v T> {
    let found = values.iter().find(|(known, _)| *known == name);
    found.map(|(_, value)| value)
}

fn pieces(text: &str) -> Vec<PhrasePiece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((words, after)) = rest.split_once('{')
        && let Some((name, after)) = after.split_once('}')
    {
        pieces.push(PhrasePiece::Words(words));
        pieces.push(PhrasePiece::Value(name));
        rest = after;
    }
    pieces.push(PhrasePiece::Words(rest));
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EN;

    #[test]
    fn values_stand_where_the_text_names_them() {
        let values = [("b", html! { b { "<2>" } }), ("a", html! { "1" })];
        let shown = phrase("{a} & {b}{c}.", &values).into_string();
        assert_eq!(shown, "1 &amp; <b>&lt;2&gt;</b>.");
        let values = [("a", "<1>".to_owned())];
        assert_eq!(plain_phrase("{a} & {b", &values), "<1> & {b");
    }

    #[test]
    fn every_text_names_only_values_that_its_field_describes() {
        for (field, text) in EN.entries() {
            let expected: &[&str] = match field {
                "title" => &["state", "merchant"],
                "order_reference" => &["reference"],
                "customer" => &["customer"],
                "money" => &["currency", "amount"],
                "item_amount" => &["currency"],
                "expires" => &["time"],
                "step_transfer" => &["amount", "account_number"],
                "step_narration" => &["payment_reference"],
                "overpaid_note"
                | "expired_note"
                | "expired_part_note"
                | "cancelled_note"
                | "cancelled_part_note"
                | "other_amount_more"
                | "return_link"
                | "transfer_not_ready" => &["merchant"],
                _ => &[],
            };
            assert_eq!(value_names(text), expected, "{field}");
            assert!(!text.trim().is_empty(), "{field}");
        }
    }
}
