//! What a message says. It must never be changed, trimmed or normalised after it was parsed, and
//! never be shown in a log.

use crate::text::{self, Breaks, UnfitText};
use std::fmt;

/// The text of a message: one character at least, line breaks allowed. How long it may be depends
/// on its encoding, so [`super::Segments::of`] asks that.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Content(String);

/// Why a text cannot be the content of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidContent {
    /// No character at all.
    #[error("must not be empty")]
    Empty,
    /// It holds what no text may hold.
    #[error(transparent)]
    Unfit(#[from] UnfitText),
}

impl Content {
    /// Reads the text of a message.
    ///
    /// # Errors
    /// Refuses an empty text and what [`text::check`] refuses: control characters other than tabs
    /// and line breaks, bidirectional controls and code points that are no characters.
    pub fn parse(text: &str) -> Result<Self, InvalidContent> {
        if text.is_empty() {
            return Err(InvalidContent::Empty);
        }
        text::check(text, Breaks::Allowed)?;
        Ok(Self(text.to_owned()))
    }

    /// The text as the merchant wrote it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Messages carry one-time codes and private words, so only the length is shown.
impl fmt::Debug for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Content({} bytes)", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_kept_as_written() {
        for text in ["a", " ", " Hi \r\n\tthere ", "e\u{301}", "مرحبا", "👍🏽"] {
            assert_eq!(Content::parse(text).unwrap().as_str(), text);
        }
    }

    #[test]
    fn an_empty_message_and_hidden_characters_are_refused() {
        let refused = [
            ("", InvalidContent::Empty),
            ("a\0b", InvalidContent::Unfit(UnfitText::Control)),
            ("a\u{C}b", InvalidContent::Unfit(UnfitText::Control)),
            ("a\u{1B}b", InvalidContent::Unfit(UnfitText::Control)),
            ("\u{202E}a", InvalidContent::Unfit(UnfitText::Bidirectional)),
            ("a\u{FFFF}", InvalidContent::Unfit(UnfitText::Noncharacter)),
        ];
        for (text, reason) in refused {
            assert_eq!(Content::parse(text), Err(reason), "{text:?}");
        }
    }

    #[test]
    fn a_log_shows_no_word_of_a_message() {
        let content = Content::parse("code 4711").unwrap();
        assert_eq!(format!("{content:?}"), "Content(9 bytes)");
    }
}
