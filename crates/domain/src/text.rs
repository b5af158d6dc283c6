//! Free text people write: messages, narrations, names. It must never carry what changes how the
//! text around it is read or what a format cannot hold.

/// Whether a text may have line breaks and tabs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Breaks {
    /// It may: a message is shown as it was written.
    Allowed,
    /// It may not: a narration is one line.
    Refused,
}

/// Why a text cannot be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum UnfitText {
    /// A control character.
    #[error("must not hold control characters")]
    Control,
    /// A character that turns the reading direction of the text around it (Unicode UAX #9).
    #[error("must not hold bidirectional control characters")]
    Bidirectional,
    /// A code point that is no character and that XML cannot carry.
    #[error("must not hold code points that are no characters")]
    Noncharacter,
}

/// Looks for characters a text must not hold.
///
/// # Errors
/// Names the kind of the first such character.
pub fn check(text: &str, breaks: Breaks) -> Result<(), UnfitText> {
    text.chars().try_for_each(|c| check_char(c, breaks))
}

/// Why a text is not one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum UnfitLine {
    /// Nothing but blanks.
    #[error("must not be empty")]
    Empty,
    /// Over as many characters.
    #[error("must be at most {0} characters")]
    TooLong(usize),
    /// A character that is not shown.
    #[error(transparent)]
    Unfit(#[from] UnfitText),
}

/// Whether a text names a language: two or three lower-case letters and, behind the separator, a
/// country of two capitals where one is named.
pub(crate) fn is_language(text: &str, separator: char) -> bool {
    let (language, country) = match text.split_once(separator) {
        Some((language, country)) => (language, Some(country)),
        None => (text, None),
    };
    let is_language =
        (2..=3).contains(&language.len()) && language.chars().all(|c| c.is_ascii_lowercase());
    let is_country = |it: &str| it.len() == 2 && it.chars().all(|c| c.is_ascii_uppercase());
    is_language && country.is_none_or(is_country)
}

/// One line of 1 to `max` characters, without the blanks around it.
///
/// # Errors
/// Refuses nothing but blanks, a longer text, line breaks and hidden characters.
pub fn line(text: &str, max: usize) -> Result<&str, UnfitLine> {
    check(text, Breaks::Refused)?;
    let text = text.trim();
    if text.is_empty() {
        return Err(UnfitLine::Empty);
    }
    if text.chars().count() > max {
        return Err(UnfitLine::TooLong(max));
    }
    Ok(text)
}

fn check_char(c: char, breaks: Breaks) -> Result<(), UnfitText> {
    match c {
        '\n' | '\r' | '\t' if breaks == Breaks::Allowed => Ok(()),
        c if c.is_control() => Err(UnfitText::Control),
        // Line and paragraph separators break lines like control characters do.
        '\u{2028}' | '\u{2029}' => Err(UnfitText::Control),
        '\u{061C}'
        | '\u{200E}'
        | '\u{200F}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2066}'..='\u{2069}' => Err(UnfitText::Bidirectional),
        '\u{FDD0}'..='\u{FDEF}' => Err(UnfitText::Noncharacter),
        c if u32::from(c) & 0xFFFE == 0xFFFE => Err(UnfitText::Noncharacter),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_write_passes_and_what_hides_does_not() {
        for text in [
            "",
            "Rent for May",
            "Àṣẹ ₦5,000",
            "مرحبا",
            "👍🏽",
            "a\u{200D}b",
        ] {
            assert_eq!(check(text, Breaks::Refused), Ok(()), "{text:?}");
        }
        let refused = |text| check(text, Breaks::Refused);
        for text in ["\0", "a\nb", "\u{7F}", "\u{85}", "\u{2028}"] {
            assert_eq!(refused(text), Err(UnfitText::Control), "{text:?}");
        }
        for text in ["\u{202E}abc", "\u{2066}", "\u{200F}", "\u{061C}"] {
            assert_eq!(refused(text), Err(UnfitText::Bidirectional), "{text:?}");
        }
        for text in ["\u{FFFE}", "\u{FFFF}", "\u{1FFFF}", "\u{FDD0}"] {
            assert_eq!(refused(text), Err(UnfitText::Noncharacter), "{text:?}");
        }
    }

    #[test]
    fn a_message_may_have_lines_and_a_narration_may_not() {
        assert_eq!(check("a\r\n\tb", Breaks::Allowed), Ok(()));
        assert_eq!(check("a\tb", Breaks::Refused), Err(UnfitText::Control));
        assert_eq!(check("a\u{B}b", Breaks::Allowed), Err(UnfitText::Control));
    }
}
