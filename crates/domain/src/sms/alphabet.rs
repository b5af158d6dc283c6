//! The GSM 7-bit default alphabet and its extension table (3GPP TS 23.038 §6.2.1). National
//! language tables must never be assumed: a handset has to be known to read them.

/// How many septets a character takes: one in the default alphabet, two behind an escape in the
/// extension table, `None` in neither.
pub(super) const fn septets(c: char) -> Option<usize> {
    match c {
        c if is_default(c) => Some(1),
        '\u{C}' | '^' | '{' | '}' | '\\' | '[' | '~' | ']' | '|' | '€' => Some(2),
        _ => None,
    }
}

/// Whether a character is in the default alphabet. The escape is no character. Of the two cedillas
/// only the capital is, whatever older tables print; of the Greek capitals those that no Latin
/// capital looks like.
const fn is_default(c: char) -> bool {
    let is_ascii = matches!(c, '\n' | '\r' | ' '..='Z' | '_' | 'a'..='z');
    let is_sign = matches!(c, '£' | '¥' | '¤' | '¡' | '§' | '¿');
    let is_latin = matches!(
        c,
        'è' | 'é' | 'ù' | 'ì' | 'ò' | 'à' | 'ä' | 'ö' | 'ñ' | 'ü' | 'ø' | 'å' | 'æ' | 'ß'
    ) || matches!(c, 'É' | 'Ä' | 'Ö' | 'Ñ' | 'Ü' | 'Ø' | 'Å' | 'Æ' | 'Ç');
    let is_greek = matches!(c, 'Δ' | 'Φ' | 'Γ' | 'Λ' | 'Ω' | 'Π' | 'Ψ' | 'Σ' | 'Θ' | 'Ξ');
    is_ascii || is_sign || is_latin || is_greek
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Table 6.2.1 of the specification by code, 0x00 to 0x7F; 0x1B is the escape.
    const DEFAULT: &str = concat!(
        "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u{1B}ÆæßÉ",
        " !\"#¤%&'()*+,-./0123456789:;<=>?",
        "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§",
        "¿abcdefghijklmnopqrstuvwxyzäöñüà",
    );

    #[test]
    fn exactly_the_characters_of_the_two_tables_are_in_the_alphabet() {
        assert_eq!(DEFAULT.chars().count(), 128);
        for c in '\0'..=char::MAX {
            let expected = if c == '\u{1B}' {
                None
            } else if DEFAULT.contains(c) {
                Some(1)
            } else if "\u{C}^{}\\[~]|€".contains(c) {
                Some(2)
            } else {
                None
            };
            assert_eq!(septets(c), expected, "{c:?}");
        }
    }

    #[test]
    fn look_alikes_are_not_in_the_alphabet() {
        // The small cedilla, the ohm sign, the micro sign, Greek alpha, a backtick, a curly quote.
        for c in ['ç', '\u{2126}', 'µ', 'Α', '`', '’', '\t', '₦', '\u{A0}'] {
            assert_eq!(septets(c), None, "{c:?}");
        }
    }
}
