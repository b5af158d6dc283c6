//! The tests the table cites: whether they exist, and what can be read in them, in the helpers
//! beside them and in their snapshots. It must not run them; that is the step for tests.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::repo::Repo;

/// The suites that ask the real binary.
const SUITES: &str = "tests/tests/";

/// Requests and their answers as data, which the suite in `tests/tests/http/tables.rs` asks. A file
/// of cases is cited by the function that lists them.
const CASES: &str = "tests/tests/http/cases/";
const CASES_LIST: &str = "tests/tests/http/cases/mod.rs";
const CASES_FUNCTION: &str = "cases";

/// One Rust file by its functions and constants.
#[derive(Debug, Default)]
pub(super) struct EvidenceSource {
    items: BTreeMap<String, Item>,
}

#[derive(Debug, Default)]
struct Item {
    is_test: bool,
    text: String,
    words: BTreeSet<String>,
}

impl EvidenceSource {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let tokens: TokenStream = text.parse().ok()?;
        let mut source = Self::default();
        source.collect(tokens, text);
        Some(source)
    }

    fn collect(&mut self, tokens: TokenStream, text: &str) {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let mut is_test = false;
        for (position, tree) in trees.iter().enumerate() {
            let rest = trees.get(position.saturating_add(1)..).unwrap_or_default();
            match tree {
                TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => {
                    is_test |= marks_a_test(&group.stream());
                }
                TokenTree::Group(group) => {
                    self.collect(group.stream(), text);
                    if group.delimiter() == Delimiter::Brace {
                        is_test = false;
                    }
                }
                TokenTree::Ident(word) if word == "fn" => {
                    self.add(upto(rest, ends_body), text, is_test);
                }
                TokenTree::Ident(word) if word == "const" || word == "static" => {
                    self.add(upto(rest, ends_statement), text, false);
                }
                TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }

    /// Takes in an item of these tokens, its name first.
    fn add(&mut self, tokens: &[TokenTree], text: &str, is_test: bool) {
        let (Some(TokenTree::Ident(name)), Some(last)) = (tokens.first(), tokens.last()) else {
            return;
        };
        let first_line = name.span().start().line;
        let length = last.span().end().line.saturating_sub(first_line);
        let lines = text.lines().skip(first_line.saturating_sub(1));
        let lines: Vec<&str> = lines.take(length.saturating_add(1)).collect();
        let mut words = BTreeSet::new();
        collect_words(tokens.iter().cloned().collect(), &mut words);
        // Methods of several types may share a name; a test cites all of them.
        let item = self.items.entry(name.to_string()).or_default();
        item.is_test |= is_test;
        item.text.push_str(&lines.join("\n"));
        item.text.push('\n');
        item.words.extend(words);
    }

    fn is_test(&self, name: &str) -> bool {
        self.items.get(name).is_some_and(|item| item.is_test)
    }

    /// What can be read in an item and in what it uses of the same file.
    fn reach(&self, name: &str) -> String {
        let mut text = String::new();
        let mut seen = BTreeSet::new();
        let mut open = vec![name];
        while let Some(name) = open.pop() {
            if let Some(item) = self.items.get(name).filter(|_| seen.insert(name)) {
                text.push_str(&item.text);
                open.extend(item.words.iter().map(String::as_str));
            }
        }
        text
    }
}

/// The tokens up to the one an item ends with; none where there is no such end.
fn upto(tokens: &[TokenTree], ends: fn(&TokenTree) -> bool) -> &[TokenTree] {
    let end = tokens.iter().position(ends);
    end.and_then(|end| tokens.get(..=end)).unwrap_or_default()
}

fn ends_body(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

fn ends_statement(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Punct(punct) if punct.as_char() == ';')
}

fn marks_a_test(attribute: &TokenStream) -> bool {
    let spelled: String = attribute.to_string().split_whitespace().collect();
    spelled == "test" || spelled.starts_with("tokio::test")
}

fn collect_words(tokens: TokenStream, found: &mut BTreeSet<String>) {
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => collect_words(group.stream(), found),
            TokenTree::Ident(word) => {
                found.insert(word.to_string());
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// What a cited test shows.
#[derive(Debug, Default)]
pub(super) struct EvidenceShown {
    /// Whether it asks the real binary.
    pub(super) end_to_end: bool,
    text: String,
}

impl EvidenceShown {
    pub(super) fn new(file: &str, text: String) -> Self {
        Self {
            end_to_end: file.starts_with(SUITES),
            text,
        }
    }

    /// Whether it has a name as a word of its own, in any case: headers have none.
    pub(super) fn has(&self, word: &str) -> bool {
        has_word(&self.text, word)
    }
}

/// What a cited test shows, or what is wrong with citing it.
pub(super) fn read(
    repo: &Repo,
    file: &str,
    function: &str,
) -> Result<Result<EvidenceShown, String>> {
    let text = reachable(repo, file, function)?;
    Ok(text.map(|text| EvidenceShown::new(file, text)))
}

fn reachable(repo: &Repo, file: &str, function: &str) -> Result<Result<String, String>> {
    let path = repo.root().join(file);
    if !path.is_file() {
        return Ok(Err(format!("{file} is not in the repository")));
    }
    let text = fs::read_to_string(&path).with_context(|| file.to_owned())?;
    let Some(source) = EvidenceSource::parse(&text) else {
        return Ok(Err(format!("{file} is not Rust")));
    };
    if file.starts_with(CASES) && function == CASES_FUNCTION {
        let list = fs::read_to_string(repo.root().join(CASES_LIST)).context(CASES_LIST)?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let named = format!("{stem}::{CASES_FUNCTION}()");
        return Ok(if list.contains(&named) {
            Ok(source.reach(function))
        } else {
            Err(format!("{CASES_LIST} does not list {named}"))
        });
    }
    if !source.is_test(function) {
        return Ok(Err(format!("{file} has no test {function}")));
    }
    let mut shown = source.reach(function);
    shown.push_str(&snapshots(&path, &shown));
    Ok(Ok(shown))
}

/// The snapshots beside a file that are named in a text of it.
fn snapshots(path: &Path, text: &str) -> String {
    let folder = path.with_file_name("snapshots");
    let Ok(entries) = fs::read_dir(folder) else {
        return String::new();
    };
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let module = format!("__{stem}__");
    let mut shown = String::new();
    for entry in entries.flatten() {
        let file = entry.file_name().to_string_lossy().into_owned();
        let name = file
            .strip_suffix(".snap")
            .and_then(|file| file.rsplit("__").next());
        let named = name.is_some_and(|name| text.contains(&format!("\"{name}\"")));
        if named && file.contains(&module) {
            shown.push_str(&fs::read_to_string(entry.path()).unwrap_or_default());
        }
    }
    shown
}

fn has_word(text: &str, word: &str) -> bool {
    let (text, word) = (text.to_lowercase(), word.to_lowercase());
    let is_part = |letter: Option<char>| letter.is_some_and(|l| l.is_alphanumeric() || l == '_');
    text.match_indices(&word).any(|(start, _)| {
        let end = start.saturating_add(word.len());
        let before = text.get(..start).and_then(|text| text.chars().next_back());
        let after = text.get(end..).and_then(|text| text.chars().next());
        !is_part(before) && !is_part(after)
    })
}
