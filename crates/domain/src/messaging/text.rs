//! Texts of messages. They must never be changed after they were parsed, and never be shown in a
//! log: messages carry one-time codes and private words.

use crate::text::{self, Breaks, UnfitLine};
use std::fmt;

/// A text as the person reads it: line breaks allowed.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct MessageText(String);

impl MessageText {
    /// Reads a text of at most so many characters.
    ///
    /// # Errors
    /// Refuses an empty text, a longer one and what [`text::check`] refuses.
    pub fn parse(text: &str, max: usize) -> Result<Self, UnfitLine> {
        if text.is_empty() {
            return Err(UnfitLine::Empty);
        }
        if text.chars().count() > max {
            return Err(UnfitLine::TooLong(max));
        }
        text::check(text, Breaks::Allowed)?;
        Ok(Self(text.to_owned()))
    }

    /// Takes a text that a person sent, of at most so many characters. What [`text::check`] refuses
    /// is replaced by U+FFFD, as nothing can be asked of its writer.
    ///
    /// # Errors
    /// Refuses an empty text and a longer one.
    pub fn received(text: &str, max: usize) -> Result<Self, UnfitLine> {
        let mut buffer = [0; 4];
        let mut fitting = |c: char| {
            let fits = text::check(c.encode_utf8(&mut buffer), Breaks::Allowed).is_ok();
            if fits { c } else { char::REPLACEMENT_CHARACTER }
        };
        let text: String = text.chars().map(&mut fitting).collect();
        Self::parse(&text, max)
    }

    /// The text as it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Only the length is shown.
impl fmt::Debug for MessageText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MessageText({} bytes)", self.0.len())
    }
}

/// A part of a message that is one line.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct MessageLine(String);

impl MessageLine {
    /// Reads a line of at most so many characters; blanks around it are not part of it.
    ///
    /// # Errors
    /// Refuses what is not one such line.
    pub fn parse(text: &str, max: usize) -> Result<Self, UnfitLine> {
        text::line(text, max).map(|line| Self(line.to_owned()))
    }

    /// The line.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Only the length is shown.
impl fmt::Debug for MessageLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MessageLine({} bytes)", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::UnfitText;
    use proptest::prelude::*;

    #[test]
    fn a_text_is_kept_as_written_up_to_its_length() {
        for text in ["a", " ", " Hi \r\n\tthere ", "مرحبا", "👍🏽"] {
            assert_eq!(MessageText::parse(text, 20).unwrap().as_str(), text);
        }
        // Characters are counted, not bytes.
        assert!(MessageText::parse(&"é".repeat(1024), 1024).is_ok());
        let refused = [
            ("", UnfitLine::Empty),
            ("ééé", UnfitLine::TooLong(2)),
            ("a\0", UnfitLine::Unfit(UnfitText::Control)),
        ];
        for (text, reason) in refused {
            assert_eq!(MessageText::parse(text, 2), Err(reason), "{text:?}");
        }
    }

    #[test]
    fn what_a_person_wrote_is_taken_without_what_nothing_can_carry() {
        let taken = MessageText::received("a\0\u{202E}b\n", 5).unwrap();
        assert_eq!(taken.as_str(), "a\u{FFFD}\u{FFFD}b\n");
        let refused = MessageText::received("ééé", 2);
        assert_eq!(refused, Err(UnfitLine::TooLong(2)));
    }

    #[test]
    fn a_log_shows_no_word_of_a_message() {
        let text = MessageText::parse("code 4711", 20).unwrap();
        assert_eq!(format!("{text:?}"), "MessageText(9 bytes)");
        let line = MessageLine::parse("4711", 20).unwrap();
        assert_eq!(format!("{line:?}"), "MessageLine(4 bytes)");
    }

    proptest! {
        #[test]
        fn what_was_read_is_read_again(text in ".{1,40}") {
            if let Ok(read) = MessageText::parse(&text, 40) {
                prop_assert_eq!(MessageText::parse(read.as_str(), 40), Ok(read));
            }
            if let Ok(read) = MessageLine::parse(&text, 40) {
                prop_assert_eq!(MessageLine::parse(read.as_str(), 40), Ok(read));
            }
        }
    }
}
