//! Header lists: elements between commas, parameters between semicolons, both of which may be
//! quoted (RFC 9110 §5.6). It must not know which header it reads.

/// The non-empty elements of a list, white space around them removed.
pub(crate) fn elements(header: &str) -> impl Iterator<Item = &str> {
    split(header, ',').filter(|element| !element.is_empty())
}

/// The parts of one element: its value, then its parameters.
pub(crate) fn parts(element: &str) -> impl Iterator<Item = &str> {
    split(element, ';')
}

/// Name and value of a parameter, quotes around the value removed; the value of one without is
/// empty.
pub(crate) fn parameter(part: &str) -> (&str, &str) {
    let (name, value) = part.split_once('=').unwrap_or((part, ""));
    let value = value.trim();
    let unquoted = value
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    (name.trim(), unquoted.unwrap_or(value))
}

fn split(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let (mut quoted, mut escaped) = (false, false);
    text.split(move |c: char| {
        let ends = c == separator && !quoted;
        if c == '"' && !escaped {
            quoted = !quoted;
        }
        escaped = quoted && c == '\\' && !escaped;
        ends
    })
    .map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(header: &str, expected: &[&str]) {
        assert_eq!(elements(header).collect::<Vec<_>>(), expected, "{header:?}");
    }

    #[test]
    fn commas_divide_unless_they_are_quoted() {
        check("a, b ,c", &["a", "b", "c"]);
        check("a=\"1,2\", b", &["a=\"1,2\"", "b"]);
        check("a=\"\\\",\", b", &["a=\"\\\",\"", "b"]);
        check(" , ,", &[]);
        check("a=\"never closed, b", &["a=\"never closed, b"]);
    }

    #[test]
    fn parameters_lose_their_quotes() {
        assert_eq!(parameter("q=0.5"), ("q", "0.5"));
        assert_eq!(parameter("charset = \"utf-8\""), ("charset", "utf-8"));
        assert_eq!(parameter("strict"), ("strict", ""));
    }

    proptest! {
        #[test]
        fn no_header_makes_it_panic(header in "\\PC{0,80}") {
            for element in elements(&header) {
                for part in parts(element) {
                    let (name, value) = parameter(part);
                    prop_assert!(name.len() + value.len() <= header.len());
                }
            }
        }
    }
}
