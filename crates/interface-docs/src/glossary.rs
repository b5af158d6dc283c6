//! The meaning of every name of the interface, from one table. It must not leave a name
//! unexplained.

use crate::kind::{ValueKind, ValuePattern};
use anyhow::{Context, Result, bail};
use domain::bill::{BillCategory, FieldShape};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// The table: a name, its kind, its meaning, separated by tabs. A name may be preceded by the
/// family or the object in which it has this meaning, `electricity.number` or `token.number`, and
/// by `request.` where requests have another kind than answers.
const TABLE: &str = include_str!("glossary.tsv");

/// The names of the interface with their meanings.
#[derive(Debug)]
pub struct Glossary {
    words: Vec<GlossaryEntry>,
    /// The entries that were looked up.
    used: RefCell<BTreeSet<&'static str>>,
}

/// The meaning of one name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GlossaryEntry {
    pub name: &'static str,
    pub kind: ValueKind,
    pub meaning: &'static str,
}

/// The context of a name.
#[derive(Debug, Clone, Copy)]
pub struct GlossaryPlace<'a> {
    /// The family of the operation; empty for what all families share.
    pub family: &'a str,
    pub side: Side<'a>,
}

/// Whether a name is in a request or in an answer.
#[derive(Debug, Clone, Copy)]
pub enum Side<'a> {
    Request,
    /// In an object of the request, under the attribute of this name.
    RequestWithin(&'a str),
    /// In the answer, within the object of this name; empty for the answer itself.
    Answer(&'a str),
}

impl Glossary {
    /// Reads the table.
    ///
    /// # Errors
    /// When a line is not an entry, or an entry is there twice.
    pub fn read() -> Result<Self> {
        let mut words: Vec<GlossaryEntry> = Vec::new();
        for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
            let word =
                GlossaryEntry::parse(line).with_context(|| format!("in the glossary: {line}"))?;
            if words.iter().any(|known| known.name == word.name) {
                bail!("the glossary explains {} twice", word.name);
            }
            words.push(word);
        }
        words.extend(BillCategory::all().flat_map(of_category));
        let used = RefCell::default();
        Ok(Self { words, used })
    }

    /// The meaning of a name in its context, the most specific one first.
    ///
    /// # Errors
    /// When the table does not have it.
    pub fn word(&self, place: GlossaryPlace<'_>, name: &str) -> Result<&GlossaryEntry> {
        let GlossaryPlace { family, side } = place;
        let candidates = match side {
            Side::Request => vec![
                format!("{family}.request.{name}"),
                format!("request.{name}"),
                format!("{family}.{name}"),
                name.to_owned(),
            ],
            Side::RequestWithin(within) => vec![
                format!("{family}.request.{within}.{name}"),
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
        let word = candidates.iter().find_map(known).with_context(|| {
            format!("crates/interface-docs/src/glossary.tsv does not explain {name} ({place:?})")
        })?;
        self.used.borrow_mut().insert(word.name);
        Ok(word)
    }

    /// Refuses entries that were never looked up: they explain names that no longer exist.
    ///
    /// # Errors
    /// When there is one.
    pub(crate) fn check_used(&self) -> Result<()> {
        let used = self.used.borrow();
        let unused = self.words.iter().find(|word| !used.contains(word.name));
        match unused {
            Some(word) => bail!("the glossary explains {}, which nothing has", word.name),
            None => Ok(()),
        }
    }
}

/// The names of a category of bills, explained by its data.
fn of_category(category: BillCategory) -> Vec<GlossaryEntry> {
    let definition = category.definition();
    let code = category.code();
    let (least, most) = definition.number.digits;
    let digits = |least, most| sent(format!("[0-9]{{{least},{most}}}"), (least, most));
    let number = format!(
        "{}, {least} to {most} digits. As a string it keeps leading zeros.",
        definition.number.label
    );
    let shown = format!("{}, with its leading zeros.", definition.number.label);
    let billing = ["Prepaid", "Postpaid", "Both"].map(str::to_owned).to_vec();
    let mut entries = vec![
        entry(
            format!("{code}.request.number"),
            digits(least, most),
            number,
        ),
        entry(format!("{code}.number"), kind("digits"), shown),
        entry(
            format!("{code}.billing"),
            ValueKind::Words(billing),
            "How the customer is billed; of a provider, how its customers are.".to_owned(),
        ),
    ];
    for field in definition.fields {
        let kind = match field.shape {
            FieldShape::Digits(least, most) => digits(least, most),
            FieldShape::Code(..) => {
                let pattern = field.shape.pattern().leak();
                ValueKind::Pattern(ValuePattern {
                    name: "sent-field",
                    type_name: "SentField",
                    expression: pattern,
                    integers: None,
                })
            }
        };
        let name = format!("{code}.request.{}", field.name);
        entries.push(entry(name, kind, format!("{}.", field.label)));
    }
    entries
}

/// Texts of digits, for which a whole number without leading zeros may be sent.
fn sent(expression: String, (least, most): (usize, usize)) -> ValueKind {
    let power = |digits: usize| {
        let digits = u32::try_from(digits).ok();
        digits.and_then(|digits| 10_i64.checked_pow(digits))
    };
    let first = least.checked_sub(1).and_then(power);
    let largest = power(most).map(|over| over.saturating_sub(1));
    ValueKind::Pattern(ValuePattern {
        name: "sent-field",
        type_name: "SentField",
        expression: expression.leak(),
        integers: first.zip(largest),
    })
}

fn kind(name: &str) -> ValueKind {
    ValueKind::parse(name).unwrap_or(ValueKind::Any)
}

fn entry(name: String, kind: ValueKind, meaning: String) -> GlossaryEntry {
    GlossaryEntry {
        name: name.leak(),
        kind,
        meaning: meaning.leak(),
    }
}

impl GlossaryEntry {
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
        let kind = ValueKind::parse(kind)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn meaning(family: &str, side: Side<'_>, name: &str) -> String {
        let glossary = Glossary::read().unwrap();
        let word = glossary.word(GlossaryPlace { family, side }, name).unwrap();
        word.name.to_owned()
    }

    #[test]
    fn the_closest_meaning_of_a_name_is_taken() {
        assert_eq!(meaning("airtime", Side::Answer(""), "number"), "number");
        assert_eq!(
            meaning("electricity", Side::Answer(""), "number"),
            "electricity.number"
        );
        assert_eq!(
            meaning("electricity", Side::Answer("token"), "number"),
            "token.number"
        );
        assert_eq!(
            meaning("airtime", Side::Request, "number"),
            "request.number"
        );
        assert_eq!(
            meaning("electricity", Side::Request, "number"),
            "electricity.request.number"
        );
        assert_eq!(
            meaning("electricity", Side::Request, "retrieve"),
            "retrieve"
        );
    }

    #[test]
    fn a_name_that_is_not_explained_is_named() {
        let glossary = Glossary::read().unwrap();
        let side = Side::Answer("");
        let missing = glossary
            .word(GlossaryPlace { family: "", side }, "noSuchName")
            .unwrap_err();
        assert!(missing.to_string().contains("noSuchName"), "{missing}");
        assert!(glossary.check_used().is_err());
    }

    #[test]
    fn a_word_is_a_name_a_kind_and_a_sentence() {
        assert!(GlossaryEntry::parse("a\tany\tA meaning.").is_ok());
        for broken in [
            "a\tany",
            "a\tany\tNo end",
            "a\tnone\tA meaning.",
            "a\tany\tA.\tB.",
        ] {
            assert!(GlossaryEntry::parse(broken).is_err(), "{broken:?}");
        }
    }
}
