//! A text with places for personal fields: `Dear {first}, …`. A message must never be sent with a
//! place that was not filled.

use super::{Content, InvalidContent};
use crate::text::{self, Breaks, UnfitText};
use std::collections::{BTreeMap, BTreeSet};

/// The name of a personal field, as it stands between braces.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PersonalFieldName(String);

/// Why a text is no name of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "must be a letter and up to {} more letters, digits or _, all of ASCII",
    PersonalFieldName::LENGTH_MAX - 1
)]
pub struct InvalidFieldName;

impl PersonalFieldName {
    /// Most characters.
    pub const LENGTH_MAX: usize = 32;

    /// Reads a name.
    ///
    /// # Errors
    /// Refuses an empty or long text, one that does not begin with a letter, and characters other
    /// than letters, digits and `_`.
    pub fn parse(text: &str) -> Result<Self, InvalidFieldName> {
        let begins = text.starts_with(|first: char| first.is_ascii_alphabetic());
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if begins && text.len() <= Self::LENGTH_MAX && text.chars().all(is_word) {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidFieldName)
        }
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What stands at the place of a field in one message. Like the message it is never in a log.
#[derive(Clone, PartialEq, Eq)]
pub struct PersonalFieldValue(String);

/// Why a text is no value of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidFieldValue {
    /// It is long.
    #[error("must have {} characters at most", PersonalFieldValue::LENGTH_MAX)]
    Long,
    /// It holds what no text may hold.
    #[error(transparent)]
    Unfit(#[from] UnfitText),
}

impl PersonalFieldValue {
    /// Most characters: more than a name or an address, and less than a message.
    pub const LENGTH_MAX: usize = 160;

    /// Reads a value; it may be empty.
    ///
    /// # Errors
    /// Refuses a long text, and what no message may hold.
    pub fn parse(text: &str) -> Result<Self, InvalidFieldValue> {
        if text.chars().count() > Self::LENGTH_MAX {
            return Err(InvalidFieldValue::Long);
        }
        text::check(text, Breaks::Allowed)?;
        Ok(Self(text.to_owned()))
    }
}

impl PersonalFieldValue {
    /// The words.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for PersonalFieldValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PersonalFieldValue({} bytes)", self.0.len())
    }
}

/// The personal fields of one message.
pub type PersonalFields = BTreeMap<PersonalFieldName, PersonalFieldValue>;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    Field(PersonalFieldName),
}

/// A text with places for personal fields.
#[derive(Clone, PartialEq, Eq)]
pub struct MessageTemplate {
    pieces: Vec<Piece>,
    names: BTreeSet<PersonalFieldName>,
}

/// Why a text is no template.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidTemplate {
    /// A brace that neither begins nor ends the name of a field.
    #[error(
        "has a brace that is not around a field, such as {{first}}; write {{{{ or }}}} for a brace"
    )]
    Brace,
    /// It is long.
    #[error("must have {} characters at most", MessageTemplate::LENGTH_MAX)]
    Long,
    /// It is no content of a message.
    #[error(transparent)]
    Content(#[from] InvalidContent),
}

/// Why a template makes no message with some fields.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unfilled {
    /// A place has no field.
    #[error("must have the field {}, which the message names", .0.as_str())]
    Missing(PersonalFieldName),
    /// A field has no place, and was most likely misspelt.
    #[error("has the field {}, which the message does not name", .0.as_str())]
    Unused(PersonalFieldName),
    /// It is longer than any message.
    #[error(
        "makes a message of more than {} characters; shorten it",
        MessageTemplate::FILLED_MAX
    )]
    Long,
    /// What is left is no content of a message.
    #[error("makes a message that {0}")]
    Content(#[from] InvalidContent),
}

impl MessageTemplate {
    /// Most characters of a template: those of the longest message, and names for its places.
    pub const LENGTH_MAX: usize = 4_000;

    /// Most characters of a message, in the alphabet of which most fit: 153 in each part.
    pub const FILLED_MAX: usize = 153 * super::PARTS_MAX as usize;

    /// Reads a text in which `{first}` is the place of the field `first`, and `{{` and `}}` stand
    /// for one brace.
    ///
    /// # Errors
    /// Refuses any other brace, and what no message may hold.
    pub fn parse(text: &str) -> Result<Self, InvalidTemplate> {
        if text.chars().count() > Self::LENGTH_MAX {
            return Err(InvalidTemplate::Long);
        }
        Content::parse(text)?;
        let mut names = BTreeSet::new();
        let mut pieces = Vec::new();
        let mut literal = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            let (before, from) = rest.split_at(at);
            literal.push_str(before);
            if let Some(after) = from.strip_prefix("{{") {
                literal.push('{');
                rest = after;
            } else if let Some(after) = from.strip_prefix("}}") {
                literal.push('}');
                rest = after;
            } else {
                let inside = from.strip_prefix('{').ok_or(InvalidTemplate::Brace)?;
                let (name, after) = inside.split_once('}').ok_or(InvalidTemplate::Brace)?;
                let name = PersonalFieldName::parse(name).map_err(|_| InvalidTemplate::Brace)?;
                if !literal.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut literal)));
                }
                names.insert(name.clone());
                pieces.push(Piece::Field(name));
                rest = after;
            }
        }
        literal.push_str(rest);
        if !literal.is_empty() {
            pieces.push(Piece::Text(literal));
        }
        Ok(Self { pieces, names })
    }

    /// The names of its places, each once.
    pub fn names(&self) -> impl Iterator<Item = &PersonalFieldName> {
        self.names.iter()
    }

    /// Whether every message of it is the same.
    pub fn is_plain(&self) -> bool {
        self.names.is_empty()
    }

    /// The message with its fields in their places.
    ///
    /// # Errors
    /// When a place has no field, a field no place, or nothing is left to be sent.
    pub fn fill(&self, fields: &PersonalFields) -> Result<Content, Unfilled> {
        if let Some(unused) = fields.keys().find(|name| !self.names.contains(*name)) {
            return Err(Unfilled::Unused(unused.clone()));
        }
        let (mut content, mut length) = (String::new(), 0_usize);
        for piece in &self.pieces {
            let text = match piece {
                Piece::Text(text) => text,
                Piece::Field(name) => {
                    let value = fields.get(name);
                    &value.ok_or_else(|| Unfilled::Missing(name.clone()))?.0
                }
            };
            length = length.saturating_add(text.chars().count());
            if length > Self::FILLED_MAX {
                return Err(Unfilled::Long);
            }
            content.push_str(text);
        }
        Ok(Content::parse(&content)?)
    }

    /// What stands between its places.
    pub fn fixed(&self) -> String {
        let pieces = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Text(text) => Some(text.as_str()),
            Piece::Field(_) => None,
        });
        pieces.collect()
    }

    /// The text with fields in its places, among which those of other texts may be; a place without
    /// a field is empty.
    pub fn filled_from(&self, fields: &PersonalFields) -> String {
        let pieces = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Text(text) => Some(text.as_str()),
            Piece::Field(name) => fields.get(name).map(PersonalFieldValue::as_str),
        });
        pieces.collect()
    }
}

/// The text that [`MessageTemplate::parse`] reads as this template.
impl std::fmt::Display for MessageTemplate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.pieces.iter().try_for_each(|piece| match piece {
            Piece::Text(text) => f.write_str(&text.replace('{', "{{").replace('}', "}}")),
            Piece::Field(name) => write!(f, "{{{}}}", name.as_str()),
        })
    }
}

/// A template carries the words of a message.
impl std::fmt::Debug for MessageTemplate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "MessageTemplate({} pieces)", self.pieces.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fields(pairs: &[(&str, &str)]) -> PersonalFields {
        let pairs = pairs.iter().map(|(name, value)| {
            let name = PersonalFieldName::parse(name).unwrap();
            (name, PersonalFieldValue::parse(value).unwrap())
        });
        pairs.collect()
    }

    fn filled(template: &str, pairs: &[(&str, &str)]) -> Result<String, Unfilled> {
        let template = MessageTemplate::parse(template).unwrap();
        let content = template.fill(&fields(pairs))?;
        Ok(content.as_str().to_owned())
    }

    #[test]
    fn each_field_stands_in_its_places() {
        let given = [("first", "Ada"), ("sum", "₦5")];
        let text = "{first}: {sum} is due, {first}{{x}}";
        assert_eq!(filled(text, &given).unwrap(), "Ada: ₦5 is due, Ada{x}");
        assert_eq!(filled("Hi", &[]).unwrap(), "Hi");
        // A value is a text, whatever it looks like.
        assert_eq!(filled("{a}", &[("a", "{b}")]).unwrap(), "{b}");
        assert_eq!(filled("a{b}", &[("b", "")]).unwrap(), "a");
    }

    proptest! {
        #[test]
        fn a_template_is_read_back_from_its_text(
            text in "([a-z ₦]|\\{\\{|\\}\\}|\\{[a-z]{1,3}\\}){1,30}",
        ) {
            let template = MessageTemplate::parse(&text).unwrap();
            prop_assert_eq!(template.to_string(), text);
        }
    }

    #[test]
    fn what_is_not_filled_or_not_used_is_named() {
        let name = |text| PersonalFieldName::parse(text).unwrap();
        assert_eq!(
            filled("{a} {b}", &[("a", "1")]),
            Err(Unfilled::Missing(name("b")))
        );
        let both = [("a", "1"), ("b", "2")];
        assert_eq!(filled("{a}", &both), Err(Unfilled::Unused(name("b"))));
        let empty = filled("{a}", &[("a", "")]);
        assert_eq!(empty, Err(Unfilled::Content(InvalidContent::Empty)));
        assert_eq!(
            empty.unwrap_err().to_string(),
            "makes a message that must not be empty"
        );
    }

    #[test]
    fn a_long_text_is_never_built() {
        let longest = "a".repeat(MessageTemplate::LENGTH_MAX);
        assert!(MessageTemplate::parse(&longest).is_ok());
        let longer = MessageTemplate::parse(&format!("{longest}a"));
        assert_eq!(longer, Err(InvalidTemplate::Long));
        assert_eq!(filled(&longest, &[]), Err(Unfilled::Long));
        let value = "é".repeat(PersonalFieldValue::LENGTH_MAX);
        let places = "{a}".repeat(10);
        let rest = "b".repeat(MessageTemplate::FILLED_MAX);
        assert_eq!(filled(&places, &[("a", &value)]), Err(Unfilled::Long));
        assert_eq!(filled(&rest, &[]).unwrap(), rest);
        // A place behind it is not looked at.
        let unfilled = filled(&format!("{rest}b{{a}}"), &[]);
        assert_eq!(unfilled, Err(Unfilled::Long));
    }

    #[test]
    fn a_brace_that_is_no_place_is_refused() {
        for text in [
            "{", "}", "a}b", "{}", "{ a}", "{a", "{a{b}}", "{1}", "{{a}", "{é}",
        ] {
            assert_eq!(
                MessageTemplate::parse(text),
                Err(InvalidTemplate::Brace),
                "{text}"
            );
        }
        let empty = InvalidTemplate::Content(InvalidContent::Empty);
        assert_eq!(MessageTemplate::parse(""), Err(empty));
        let longest = "a".repeat(PersonalFieldName::LENGTH_MAX);
        assert!(PersonalFieldName::parse(&longest).is_ok());
        assert!(PersonalFieldName::parse(&format!("{longest}a")).is_err());
        let longest = "é".repeat(PersonalFieldValue::LENGTH_MAX);
        assert!(PersonalFieldValue::parse(&longest).is_ok());
        assert!(PersonalFieldValue::parse(&format!("{longest}é")).is_err());
        assert!(PersonalFieldValue::parse("\u{202e}").is_err());
    }

    proptest! {
        #[test]
        fn a_text_with_doubled_braces_is_itself(text in "[a-z{}é ]{1,20}") {
            let doubled = text.replace('{', "{{").replace('}', "}}");
            prop_assert_eq!(filled(&doubled, &[]).unwrap(), text);
        }

        #[test]
        fn no_text_panics_and_no_place_is_sent(text in "[ab{}]{0,12}", value in "[xy]{0,3}") {
            if let Ok(template) = MessageTemplate::parse(&text) {
                let given = fields(&[("a", &value)]);
                if let Ok(content) = template.fill(&given) {
                    let places = text.replace("{{", "").replace("}}", "");
                    prop_assert!(places.contains("{a}"), "{text} {}", content.as_str());
                }
            }
        }
    }
}
