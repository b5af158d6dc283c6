//! What every name of the interface means, from one table. It must not let a name go unexplained.

use crate::kind::Kind;
use anyhow::{Context, Result, bail};

/// The table: a name, its kind, its meaning, separated by tabs. A name may be preceded by the family
/// or the object it has this meaning in, `electricity.number` or `token.number`, and by `request.`
/// where requests have another kind than answers.
const TABLE: &str = include_str!("glossary.tsv");

/// The words of the interface.
#[derive(Debug)]
pub struct Glossary {
    words: Vec<Word>,
}

/// What one name means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    pub name: &'static str,
    pub kind: Kind,
    pub meaning: &'static str,
}

/// Where a name stands.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// The family of the operation; empty for what all share.
    pub family: &'a str,
    pub side: Side<'a>,
}

/// On which side of the conversation.
#[derive(Debug, Clone, Copy)]
pub enum Side<'a> {
    Request,
    /// In the answer, within the object of this name; empty for the answer itself.
    Answer(&'a str),
}

impl Glossary {
    /// Reads the table.
    ///
    /// # Errors
    /// Where a line is not a word, or a word is there twice.
    pub fn read() -> Result<Self> {
        let mut words: Vec<Word> = Vec::new();
        for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
            let word = Word::parse(line).with_context(|| format!("in the glossary: {line}"))?;
            if words.iter().any(|known| known.name == word.name) {
                bail!("the glossary explains {} twice", word.name);
            }
            words.push(word);
        }
        Ok(Self { words })
    }

    /// What a name means where it stands, the closest meaning first.
    ///
    /// # Errors
    /// Where the table does not have it.
    pub fn word(&self, place: Place<'_>, name: &str) -> Result<&Word> {
        let Place { family, side } = place;
        let candidates = match side {
            Side::Request => vec![
                format!("{family}.request.{name}"),
                format!("request.{name}"),
                format!("{family}.{name}"),
                name.to_owned(),
            ],
            Side::Answer(within) => vec![
                format!("{family}.{within}.{name}"),
                format!("{within}.{name}"),
                format!("{family}.{name}"),
                name.to_owned(),
            ],
        };
        let known = |name: &String| self.words.iter().find(|word| word.name == name);
        candidates.iter().find_map(known).with_context(|| {
            format!("crates/interface-docs/src/glossary.tsv does not explain {name} ({place:?})")
        })
    }

    /// Every word of the table.
    pub fn words(&self) -> &[Word] {
        &self.words
    }
}

impl Word {
    fn parse(line: &'static str) -> Result<Self> {
        let mut columns = line.split('\t');
        let (Some(name), Some(kind), Some(meaning), None) = (
            columns.next(),
            columns.next(),
            columns.next(),
            columns.next(),
        ) else {
            bail!("three columns are needed");
        };
        let kind = Kind::parse(kind)?;
        if meaning.is_empty() || !meaning.ends_with('.') {
            bail!("a meaning is one or more sentences");
        }
        Ok(Self {
            name,
            kind,
            meaning,
        })
    }
}
