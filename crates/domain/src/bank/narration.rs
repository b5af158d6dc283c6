//! What a payout says it is for. It must never carry what the beneficiary cannot see.

use super::PayPeriod;
use crate::text::{self, Breaks, UnfitText};
use std::fmt;

/// The words on the beneficiary's statement, `txnNarration` on the interface: one line of 1–100
/// characters, without blanks at either end.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Narration(String);

/// Why a text is not a narration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidNarration {
    /// Nothing but blanks.
    #[error("must say what the transfer is for")]
    Empty,
    /// Over [`Narration::LENGTH_MAX`].
    #[error("must be at most {} characters", Narration::LENGTH_MAX)]
    TooLong,
    /// A character no statement shows.
    #[error(transparent)]
    Unfit(#[from] UnfitText),
}

impl Narration {
    /// What the transfer of a salary says.
    pub fn of_salary(period: PayPeriod) -> Self {
        Self(format!("Salary {period}"))
    }

    /// Most characters: the Nigerian instant-transfer scheme carries 100, and what is cut off on
    /// the way is not what the merchant wrote.
    pub const LENGTH_MAX: usize = 100;

    /// Reads a narration; blanks around it are dropped.
    ///
    /// # Errors
    /// Refuses an empty text, one over [`Self::LENGTH_MAX`], line breaks and hidden characters.
    pub fn parse(text: &str) -> Result<Self, InvalidNarration> {
        // Before trimming: a line break at the end is one too.
        text::check(text, Breaks::Refused)?;
        let text = text.trim();
        if text.is_empty() {
            return Err(InvalidNarration::Empty);
        }
        if text.chars().count() > Self::LENGTH_MAX {
            return Err(InvalidNarration::TooLong);
        }
        Ok(Self(text.to_owned()))
    }

    /// The words.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Narration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narration_is_one_line_without_blanks_around_it() {
        let narration = Narration::parse("  Rent for May, ₦5,000 ").unwrap();
        assert_eq!(narration.as_str(), "Rent for May, ₦5,000");
        assert_eq!(narration.to_string(), narration.as_str());
        for text in ["", "   ", "\u{A0}\u{3000}"] {
            assert_eq!(Narration::parse(text), Err(InvalidNarration::Empty));
        }
        for text in ["a\nb", "rent\n", "\trent", "\n"] {
            let refused = Err(InvalidNarration::Unfit(UnfitText::Control));
            assert_eq!(Narration::parse(text), refused, "{text:?}");
        }
        let refused = Err(InvalidNarration::Unfit(UnfitText::Bidirectional));
        assert_eq!(Narration::parse("a\u{202E}b"), refused);
    }

    #[test]
    fn a_hundred_characters_fit_whatever_their_bytes_and_one_more_does_not() {
        for letter in ["a", "₦", "👍"] {
            let longest = letter.repeat(Narration::LENGTH_MAX);
            assert_eq!(Narration::parse(&longest).unwrap().as_str(), longest);
            let refused = Err(InvalidNarration::TooLong);
            assert_eq!(Narration::parse(&format!("{longest}{letter}")), refused);
        }
    }
}
