//! What a document or a comment names must be there: the target of a relative link, and a path in
//! back-ticks. It must not follow links that leave the repository.

use std::collections::BTreeSet;

use super::finding::Finding;
use super::has_extension;

/// A path in back-ticks is one of the repository if it begins with one of these.
const FOLDERS: [&str; 4] = ["crates/", "docs/", "tests/", "xtask/"];

/// From the first of these on, a path is a pattern or an example: `crates/*/src`.
const PLACEHOLDERS: [&str; 7] = ["*", "<", "{", "[", "$", "…", "NNNN"];

/// Records of the past: they name what was there then.
const RECORDS: [&str; 2] = ["CHANGELOG.md", "docs/adr/"];

/// Every file of the repository and every folder on the way to it.
#[derive(Debug)]
pub(super) struct FileTree {
    paths: BTreeSet<String>,
}

impl FileTree {
    pub(super) fn new(files: &BTreeSet<String>) -> Self {
        let mut paths = files.clone();
        for file in files {
            let slashes = file
                .match_indices('/')
                .filter_map(|(end, _)| file.get(..end));
            paths.extend(slashes.map(str::to_owned));
        }
        Self { paths }
    }

    fn has(&self, path: &str) -> bool {
        path.is_empty() || self.paths.contains(path)
    }
}

pub(super) fn check(path: &str, text: &str, tree: &FileTree) -> Vec<Finding> {
    if has_extension(path, "md") {
        check_markdown(path, text, tree)
    } else if has_extension(path, "rs") {
        let comments = numbered(text).filter(|(_, line)| line.trim_start().starts_with("//"));
        comments
            .flat_map(|(number, line)| dead_names(path, number, line, tree))
            .collect()
    } else {
        Vec::new()
    }
}

fn check_markdown(path: &str, text: &str, tree: &FileTree) -> Vec<Finding> {
    let names_the_past = RECORDS.iter().any(|record| path.starts_with(record));
    let mut findings = Vec::new();
    let mut in_fence = false;
    for (number, line) in numbered(text) {
        let is_border = ["```", "~~~"]
            .iter()
            .any(|fence| line.trim_start().starts_with(fence));
        in_fence ^= is_border;
        if in_fence || is_border {
            continue;
        }
        findings.extend(dead_links(path, number, line, tree));
        if !names_the_past {
            findings.extend(dead_names(path, number, line, tree));
        }
    }
    findings
}

fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1_usize..).zip(text.lines())
}

fn dead_names(path: &str, number: usize, line: &str, tree: &FileTree) -> Vec<Finding> {
    let named = line.split('`').skip(1).step_by(2).filter_map(named_path);
    named
        .filter(|name| !tree.has(name))
        .map(|name| {
            let message = format!("`{name}` is not in the repository; name what is");
            Finding::new(path, number, message)
        })
        .collect()
}

/// The path a piece of code names, without what follows it: arguments, a line, an item, a pattern.
fn named_path(code: &str) -> Option<&str> {
    let word = code.split_whitespace().next()?;
    if !FOLDERS.iter().any(|folder| word.starts_with(folder)) {
        return None;
    }
    let path = word.split([':', '#']).next()?;
    let pattern = PLACEHOLDERS.iter().filter_map(|sign| path.find(sign)).min();
    let certain = match pattern {
        Some(start) => path.get(..start)?.rsplit_once('/')?.0,
        None => path,
    };
    Some(certain.trim_end_matches('/'))
}

fn dead_links(path: &str, number: usize, line: &str, tree: &FileTree) -> Vec<Finding> {
    let prose: String = line.split('`').step_by(2).collect();
    let inline = prose
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next());
    let defined = prose
        .strip_prefix('[')
        .filter(|label| !label.starts_with('^'))
        .and_then(|label| label.split_once("]: "))
        .map(|(_, target)| target);
    inline
        .chain(defined)
        .filter_map(|target| resolve(path, target))
        .filter(|target| !tree.has(target))
        .map(|target| {
            let message = format!("the link leads to {target}, which is not in the repository");
            Finding::new(path, number, message)
        })
        .collect()
}

/// Where a link on this page leads, relative to the root; nothing for a link to elsewhere or to a
/// heading of the page itself.
fn resolve(page: &str, target: &str) -> Option<String> {
    let target = target.split_whitespace().next()?.trim_matches(['<', '>']);
    let target = target.split(['#', '?']).next()?;
    if target.is_empty() || target.contains(':') || target.starts_with("//") {
        return None;
    }
    let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
    let from = if target.starts_with('/') { "" } else { folder };
    let mut parts: Vec<&str> = from.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/') {
        match part {
            // Above the root there is nothing to find, so such a link must stay dead.
            ".." if parts.pop().is_none() => parts.push(".."),
            "" | "." | ".." => {}
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{FileTree, check};

    fn found(path: &str, text: &str) -> Vec<String> {
        let files = [
            "README.md",
            "docs/API.md",
            "docs/adr/0001-a.md",
            "crates/domain/src/lib.rs",
        ];
        let tree = FileTree::new(&BTreeSet::from(files.map(str::to_owned)));
        check(path, text, &tree)
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    #[test]
    fn a_link_is_followed_from_the_folder_of_its_page() {
        for link in [
            "../README.md",
            "API.md#top",
            "./adr/0001-a.md",
            "adr",
            "/docs/",
            "<API.md>",
        ] {
            assert_eq!(
                found("docs/API.md", &format!("See [it]({link}).")),
                [""; 0],
                "{link}"
            );
        }
        assert_eq!(
            found(
                "docs/API.md",
                "\nSee [here](README.md) and [there](adr/0002-b.md \"b\").\n"
            ),
            [
                "docs/API.md:2: the link leads to docs/README.md, which is not in the repository",
                "docs/API.md:2: the link leads to docs/adr/0002-b.md, which is not in the \
                 repository",
            ]
        );
    }

    #[test]
    fn a_link_out_of_the_repository_is_dead() {
        assert_eq!(found("docs/API.md", "[a](../../README.md)").len(), 1);
    }

    #[test]
    fn a_link_defined_below_its_text_is_followed() {
        assert_eq!(
            found("README.md", "[api]: docs/API.md\n[^1]: nowhere.md\n"),
            [""; 0]
        );
        assert_eq!(found("README.md", "[api]: docs/NO.md\n").len(), 1);
    }

    #[test]
    fn links_elsewhere_and_within_the_page_are_not_followed() {
        for link in [
            "https://example.org/x",
            "mailto:a@example.org",
            "#heading",
            "//host/x",
        ] {
            assert_eq!(
                found("README.md", &format!("[it]({link})")),
                [""; 0],
                "{link}"
            );
        }
    }

    #[test]
    fn a_named_path_must_exist() {
        assert_eq!(
            found("README.md", "`crates/domain/src/lib.rs` and `docs/`"),
            [""; 0]
        );
        assert_eq!(
            found("README.md", "Read `crates/domain/src/gone.rs`."),
            ["README.md:1: `crates/domain/src/gone.rs` is not in the repository; name what is"]
        );
    }

    #[test]
    fn what_follows_a_named_path_is_left_out() {
        for code in [
            "docs/API.md --all",
            "docs/API.md:12",
            "crates/domain/src/lib.rs::f",
        ] {
            assert_eq!(found("README.md", &format!("`{code}`")), [""; 0], "{code}");
        }
    }

    #[test]
    fn a_pattern_is_followed_as_far_as_it_is_certain() {
        assert_eq!(
            found("README.md", "`crates/*/src` `docs/adr/NNNN-title.md`"),
            [""; 0]
        );
        assert_eq!(
            found("README.md", "`crates/domain/source/<family>.rs`").len(),
            1
        );
    }

    #[test]
    fn what_a_fenced_block_shows_is_not_followed() {
        assert_eq!(
            found("README.md", "```text\n[a](no.md) `docs/NO.md`\n```\n"),
            [""; 0]
        );
        assert_eq!(found("README.md", "```text\n```\n[a](no.md)\n").len(), 1);
    }

    #[test]
    fn code_that_looks_like_a_link_is_not_one() {
        assert_eq!(found("README.md", "`[a](no.md)`"), [""; 0]);
        assert_eq!(found("README.md", "[`a`](no.md)").len(), 1);
    }

    #[test]
    fn a_record_of_the_past_may_name_what_is_gone_but_not_link_to_it() {
        assert_eq!(found("docs/adr/0001-a.md", "`crates/gone/`"), [""; 0]);
        assert_eq!(
            found("docs/adr/0001-a.md", "[gone](../../crates/gone)").len(),
            1
        );
    }

    #[test]
    fn comments_in_rust_are_checked_but_not_its_code() {
        assert_eq!(
            found("a.rs", "//! See `docs/NO.md`.\n"),
            ["a.rs:1: `docs/NO.md` is not in the repository; name what is"]
        );
        assert_eq!(found("a.rs", "f(\"`docs/NO.md`\");\n"), [""; 0]);
    }

    #[test]
    fn other_files_are_not_checked() {
        assert_eq!(found("a.toml", "# `docs/NO.md`\n"), [""; 0]);
    }
}
