//! The two crates whose every public item is documented must keep the lints that see to it. It must
//! not look for the missing comments itself: the compiler knows what is public.

use std::collections::BTreeSet;

use super::finding::Finding;

/// The crates whose public items are the vocabulary of all others.
const ROOTS: [&str; 2] = ["crates/domain/src/lib.rs", "crates/ports/src/lib.rs"];

const LINTS: [&str; 2] = ["missing_docs", "clippy::missing_errors_doc"];

pub(super) fn check(path: &str, text: &str) -> Vec<Finding> {
    if !ROOTS.contains(&path) {
        return Vec::new();
    }
    let asked_for: Vec<&str> = text
        .lines()
        .filter_map(|line| {
            line.strip_prefix("#![warn(")
                .or_else(|| line.strip_prefix("#![deny("))
        })
        .flat_map(|lints| lints.trim_end_matches(")]").split(',').map(str::trim))
        .collect();
    LINTS
        .iter()
        .filter(|lint| !asked_for.contains(lint))
        .map(|lint| {
            Finding::new(
                path,
                1,
                format!("add `#![warn({lint})]` below the module doc"),
            )
        })
        .collect()
}

/// A root that was moved would switch the rule off unseen.
pub(super) fn missing_files(files: &BTreeSet<String>) -> Vec<Finding> {
    ROOTS
        .iter()
        .filter(|root| !files.contains(**root))
        .map(|root| {
            Finding::new(
                root,
                1,
                "is not there; name its new place in tidy/doc_lints.rs",
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{ROOTS, check, missing_files};

    #[test]
    fn a_root_without_the_lints_is_found() {
        assert_eq!(check(ROOTS[0], "//! Rules.\n").len(), 2);
        assert_eq!(
            check(ROOTS[0], "//! Rules.\n#![warn(missing_docs)]\n").len(),
            1
        );
    }

    #[test]
    fn a_lint_that_is_only_mentioned_does_not_count() {
        let text = "//! missing_docs\n// #![warn(missing_docs, clippy::missing_errors_doc)]\n";
        assert_eq!(check(ROOTS[0], text).len(), 2);
    }

    #[test]
    fn a_root_with_both_lints_passes() {
        let together = "//! R.\n#![warn(missing_docs, clippy::missing_errors_doc)]\n";
        let apart = "//! R.\n#![deny(missing_docs)]\n#![warn(clippy::missing_errors_doc)]\n";
        assert_eq!(check(ROOTS[0], together), []);
        assert_eq!(check(ROOTS[1], apart), []);
    }

    #[test]
    fn other_files_need_no_such_lint() {
        assert_eq!(check("crates/wire/src/lib.rs", "//! Names.\n"), []);
    }

    #[test]
    fn a_root_that_moved_is_found() {
        let files = BTreeSet::from([ROOTS[0].to_owned()]);
        assert_eq!(missing_files(&files).len(), 1);
    }
}
