//! Words that must not appear in any text file. The list is data, in `banned.txt`; this file must
//! not name one itself.

use anyhow::{Context, Result, ensure};

use std::path::Path;

use super::finding::Finding;

/// Where the words are listed, the one file that may contain them.
const LIST: &str = "xtask/src/tidy/banned.txt";

/// What organisations of the world call themselves: two of them go by a word on the list.
const NAMES: &str = "crates/ip-intelligence/data/systems.tsv";

#[derive(Debug)]
pub(super) struct Banned {
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    text: String,
    remedy: String,
    any_case: bool,
}

impl Banned {
    /// The list of the repository, and the path it is cloned to.
    pub(super) fn from_repository(root: &Path) -> Result<Self> {
        let mut banned = Self::parse(include_str!("banned.txt")).context(LIST)?;
        banned.entries.extend(Entry::of_clone(root));
        Ok(banned)
    }

    pub(super) fn parse(list: &str) -> Result<Self> {
        let lines = list.lines().filter(|line| {
            // Some entries begin with `#`, so only `#` and a space is a comment.
            !line.is_empty() && !line.starts_with("# ")
        });
        let entries = lines.map(Entry::parse).collect::<Result<Vec<_>>>()?;
        ensure!(!entries.is_empty(), "the list of banned words is empty");
        Ok(Self { entries })
    }

    pub(super) fn check(&self, path: &str, text: &str) -> Vec<Finding> {
        if path == LIST || path == NAMES {
            return Vec::new();
        }
        let mut findings = Vec::new();
        for (number, line) in (1_usize..).zip(text.lines()) {
            let lowered = line.to_ascii_lowercase();
            for entry in self
                .entries
                .iter()
                .filter(|entry| entry.is_in(line, &lowered))
            {
                let message = format!("`{}` is banned; {}", entry.text, entry.remedy);
                findings.push(Finding::new(path, number, message));
            }
        }
        findings
    }
}

impl Entry {
    /// The path of this clone; none where it is a single folder such as `/app`, which cannot be
    /// distinguished from a part of a path of ours.
    fn of_clone(root: &Path) -> Option<Self> {
        let folders = root.components().count().saturating_sub(1);
        (folders > 1).then(|| Self {
            text: root.display().to_string(),
            remedy: "name the path relative to the repository, or make it a setting".to_owned(),
            any_case: false,
        })
    }

    fn parse(line: &str) -> Result<Self> {
        let (text, remedy) = line
            .split_once(" => ")
            .with_context(|| format!("`{line}` does not read `TEXT => REMEDY`"))?;
        ensure!(
            !text.is_empty() && !remedy.is_empty(),
            "`{line}` lacks its text or its remedy"
        );
        let any_case = !text.chars().any(|letter| letter.is_ascii_uppercase());
        let text = if any_case {
            text.to_ascii_lowercase()
        } else {
            text.to_owned()
        };
        Ok(Self {
            text,
            remedy: remedy.to_owned(),
            any_case,
        })
    }

    fn is_in(&self, line: &str, lowered: &str) -> bool {
        let line = if self.any_case { lowered } else { line };
        line.match_indices(&self.text).any(|(start, found)| {
            let before = line.get(..start).unwrap_or_default();
            let after = line.get(start + found.len()..).unwrap_or_default();
            let joined_before = starts_with_letter(found) && ends_with_letter(before);
            let joined_after = ends_with_letter(found) && starts_with_letter(after);
            !joined_before && !joined_after
        })
    }
}

fn starts_with_letter(text: &str) -> bool {
    text.chars().next().is_some_and(is_of_a_word)
}

fn ends_with_letter(text: &str) -> bool {
    text.chars().next_back().is_some_and(is_of_a_word)
}

fn is_of_a_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Banned, LIST};

    const WORDS: &str = "# A comment.\n\nGRAULT => say it\nwaldo => find him\n#[fred( => use it\n\
                         /plugh/ => make it a setting\n";

    fn found(text: &str) -> Vec<String> {
        let banned = Banned::parse(WORDS).unwrap();
        banned
            .check("a.md", text)
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    #[test]
    fn a_banned_word_is_found_with_its_line_and_its_remedy() {
        assert_eq!(
            found("Fine.\nA GRAULT here.\n"),
            ["a.md:2: `GRAULT` is banned; say it"]
        );
        assert_eq!(
            found("#[fred(x)]\n"),
            ["a.md:1: `#[fred(` is banned; use it"]
        );
        assert_eq!(
            found("in /plugh/x\n"),
            ["a.md:1: `/plugh/` is banned; make it a setting"]
        );
    }

    #[test]
    fn several_on_one_line_are_all_found() {
        assert_eq!(found("waldo GRAULT").len(), 2);
    }

    #[test]
    fn a_capital_letter_asks_for_the_same_case() {
        assert_eq!(found("grault Grault"), [""; 0]);
        assert_eq!(found("Waldo").len(), 1);
    }

    #[test]
    fn part_of_another_word_is_not_found() {
        assert_eq!(found("GRAULTS xGRAULT _GRAULT GRAULT_1 waldorf"), [""; 0]);
        assert_eq!(found("(GRAULT)").len(), 1);
        assert_eq!(found("GRAULTS, a GRAULT").len(), 1);
    }

    #[test]
    fn the_list_itself_is_exempt() {
        assert_eq!(Banned::parse(WORDS).unwrap().check(LIST, "GRAULT"), []);
    }

    #[test]
    fn a_list_that_would_ban_nothing_is_an_error() {
        assert!(Banned::parse("# Nothing.\n").is_err());
        assert!(Banned::parse("GRAULT\n").is_err());
        assert!(Banned::parse(" => say it\n").is_err());
    }

    #[test]
    fn the_list_of_this_repository_is_well_formed() {
        Banned::from_repository(Path::new("/plugh/xyzzy")).unwrap();
    }

    #[test]
    fn the_path_of_the_clone_is_found_wherever_it_is() {
        let banned = Banned::from_repository(Path::new("/plugh/xyzzy")).unwrap();
        assert_eq!(banned.check("a.md", "see /plugh/xyzzy/docs").len(), 1);
        assert_eq!(banned.check("a.md", "see plugh or /plugh/xyzzyzx"), []);
        let short = Banned::from_repository(Path::new("/xyzzy")).unwrap();
        assert_eq!(short.check("a.md", "see docs/xyzzy"), []);
    }
}
