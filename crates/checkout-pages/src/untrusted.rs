//! Texts that others wrote, as text: the names of merchants, items, customers and banks. It must
//! not let one of them change the order or the direction of the characters around it.

use maud::{Markup, html};

/// The text in an element of its own, whose direction is its own too.
pub(crate) fn isolated(text: &str) -> Markup {
    html! { bdi { (cleaned(text)) } }
}

/// The text between characters that isolate its direction, for where no markup may be.
pub(crate) fn isolated_plain(text: &str) -> String {
    format!("\u{2068}{}\u{2069}", cleaned(text))
}

/// A number or reference that customers copy. Its groups are elements without a space between them,
/// so that what is copied is the text itself.
pub(crate) fn copyable(text: &str) -> Markup {
    let text = cleaned(text);
    html! {
        span.copyable {
            bdi {
                @for group in groups(&text) { span.group { (group) } }
            }
        }
    }
}

/// Ten digits as 3-3-4, as banks in Nigeria print account numbers; other plain texts by fours; any
/// other text as a whole.
fn groups(text: &str) -> Vec<&str> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if !is_plain {
        return vec![text];
    }
    let mut groups = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let size = match (text.len(), groups.len()) {
            (10, 0 | 1) => 3,
            _ => 4,
        };
        let (group, after) = rest.split_at_checked(size).unwrap_or((rest, ""));
        groups.push(group);
        rest = after;
    }
    groups
}

/// The text without the characters that begin or end a direction, which could end the isolation
/// around it, and without control characters.
fn cleaned(text: &str) -> String {
    let kept = text.chars().filter(|c| !is_direction(*c));
    kept.map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Embeddings, overrides and isolates of the Unicode bidirectional algorithm (UAX 9).
fn is_direction(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_cannot_turn_what_is_around_it() {
        let hostile = "\u{2069}\u{202e}<b>\0\u{5d0}";
        assert_eq!(
            isolated(hostile).into_string(),
            "<bdi>&lt;b&gt; \u{5d0}</bdi>"
        );
        assert_eq!(isolated_plain(hostile), "\u{2068}<b> \u{5d0}\u{2069}");
    }

    #[test]
    fn numbers_are_grouped_without_spaces() {
        assert_eq!(groups("0123456789"), ["012", "345", "6789"]);
        assert_eq!(groups("204718853016"), ["2047", "1885", "3016"]);
        assert_eq!(groups("12345"), ["1234", "5"]);
        assert_eq!(groups("MNL-20471885"), ["MNL-20471885"]);
        assert_eq!(groups("é1234567"), ["é1234567"]);
        assert_eq!(groups(""), [""; 0]);
        let shown = copyable("0123456789").into_string();
        assert!(!shown.contains("> "), "{shown}");
    }
}
