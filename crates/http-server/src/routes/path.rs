//! The paths of operations: fixed ones, and those of which one part is a word of the request, in
//! braces, such as `/account/transactions/{category}`. It must not know which words there are.

/// Whether a path is the one of an operation; a part in braces stands for any text that is not
/// empty.
pub(super) fn is_at(pattern: &str, path: &str) -> bool {
    pattern == path || word(pattern, path).is_some()
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
    fn a_pattern_is_at_itself() {
        assert!(is_at("/a/{b}", "/a/{b}"));
    }
}
