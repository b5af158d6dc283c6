//! Every module opens by saying what it is for. It must not judge what is said: that takes a
//! reader.

use super::finding::Finding;

pub(super) fn check(path: &str, text: &str) -> Option<Finding> {
    let opening = text.lines().next().unwrap_or_default();
    let says_something = opening
        .strip_prefix("//!")
        .is_some_and(|words| !words.trim().is_empty());
    (!says_something).then(|| {
        Finding::new(
            path,
            1,
            "the first line must be a `//!` sentence: what the module is for and the one thing it \
             must not do",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn a_module_that_opens_with_its_purpose_passes() {
        assert_eq!(
            check("a.rs", "//! Counts. It must not forget.\nfn f() {}\n"),
            None
        );
    }

    #[test]
    fn a_module_that_opens_with_anything_else_is_found() {
        for text in [
            "",
            "//!\n//! Late.\n",
            "// Counts.\n",
            "use std::fmt;\n",
            "\n//! Late.\n",
        ] {
            let finding = check("a.rs", text).map(|finding| finding.to_string());
            assert!(
                finding.is_some_and(|shown| shown.starts_with("a.rs:1: ")),
                "{text:?}"
            );
        }
    }
}
