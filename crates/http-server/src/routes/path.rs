//! The paths of operations: fixed ones, and those of which one part is a word of the request, in
//! braces, such as `/account/transactions/{category}`. It must not know which words there are.

/// The family that the interface writes in two ways (interface §1): both are answered alike.
const OPERATIONS: &str = "/operations/";
const OPERATION: &str = "/operation/";

/// Whether a path is the one of an operation; a part in braces stands for any text that is not
/// empty.
pub(super) fn is_at(pattern: &str, path: &str) -> bool {
    pattern == path || word(pattern, path).is_some() || is_other_spelling(pattern, path)
}

fn is_other_spelling(pattern: &str, path: &str) -> bool {
    let of_pattern = pattern.strip_prefix(OPERATIONS);
    of_pattern.is_some_and(|rest| path.strip_prefix(OPERATION) == Some(rest))
}

/// The text that stands for the part in braces; `None` where the path is another one.
pub(crate) fn word<'a>(pattern: &str, path: &'a str) -> Option<&'a str> {
    let (before, rest) = pattern.split_once('{')?;
    let (_, after) = rest.split_once('}')?;
    let word = path.strip_prefix(before)?.strip_suffix(after)?;
    (!word.is_empty() && !word.contains('/')).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_part_of_a_path_may_be_a_word() {
        let pattern = "/account/transactions/{category}";
        assert_eq!(word(pattern, "/account/transactions/sms"), Some("sms"));
        assert_eq!(word("/a/{b}/c", "/a/x/c"), Some("x"));
        for other in [
            "/account/transactions",
            "/account/transactions/",
            "/account/transactions/sms/",
            "/account/transactions/sms/x",
            "/account/balance",
            "/",
            "",
        ] {
            assert!(!is_at(pattern, other), "{other}");
        }
        assert!(!is_at("/a/{b}/c", "/a/c"));
        assert!(!is_at("/a/{b}/c", "/a//c"));
        assert!(is_at("/a", "/a"));
        assert_eq!(word("/a", "/a"), None);
    }

    #[test]
    fn one_family_is_written_in_two_ways() {
        assert!(is_at("/operations/status", "/operations/status"));
        assert!(is_at("/operations/status", "/operation/status"));
        for other in ["/operation/", "/operation/statuses", "/operation"] {
            assert!(!is_at("/operations/status", other), "{other}");
        }
        assert!(!is_at("/account/status", "/operation/status"));
    }

    #[test]
    fn a_pattern_is_at_itself() {
        assert!(is_at("/a/{b}", "/a/{b}"));
    }
}
