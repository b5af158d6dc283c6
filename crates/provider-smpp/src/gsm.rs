//! The GSM 7-bit default alphabet as octets (3GPP TS 23.038 §6.2.1), unpacked as SMPP carries it:
//! one septet in each octet. It must never put another character in the place of one it cannot say.

/// Table 6.2.1 by code, 0x00 to 0x7F; the escape stands at 0x1B.
const DEFAULT: [char; 128] = [
    '@', '£', '$', '¥', 'è', 'é', 'ù', 'ì', 'ò', 'Ç', '\n', 'Ø', 'ø', '\r', 'Å', 'å', 'Δ', '_',
    'Φ', 'Γ', 'Λ', 'Ω', 'Π', 'Ψ', 'Σ', 'Θ', 'Ξ', '\u{1B}', 'Æ', 'æ', 'ß', 'É', ' ', '!', '"', '#',
    '¤', '%', '&', '\'', '(', ')', '*', '+', ',', '-', '.', '/', '0', '1', '2', '3', '4', '5', '6',
    '7', '8', '9', ':', ';', '<', '=', '>', '?', '¡', 'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I',
    'J', 'K', 'L', 'M', 'N', 'O', 'P', 'Q', 'R', 'S', 'T', 'U', 'V', 'W', 'X', 'Y', 'Z', 'Ä', 'Ö',
    'Ñ', 'Ü', '§', '¿', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o',
    'p', 'q', 'r', 's', 't', 'u', 'v', 'w', 'x', 'y', 'z', 'ä', 'ö', 'ñ', 'ü', 'à',
];

const ESCAPE: u8 = 0x1B;

/// The octets of a text; `None` where a character of it is not in the alphabet.
pub(crate) fn octets(text: &str) -> Option<Vec<u8>> {
    let mut octets = Vec::with_capacity(text.len());
    for character in text.chars() {
        match extension(character) {
            Some(code) => octets.extend([ESCAPE, code]),
            None => octets.push(default(character)?),
        }
    }
    Some(octets)
}

fn default(character: char) -> Option<u8> {
    let position = DEFAULT.iter().position(|known| *known == character)?;
    u8::try_from(position).ok().filter(|code| *code != ESCAPE)
}

/// The text of octets. One that stands for no character becomes U+FFFD; one that the table of
/// extensions lacks is read in the other, as §6.2.1.1 says.
pub(crate) fn text(octets: &[u8]) -> String {
    let mut text = String::with_capacity(octets.len());
    let mut octets = octets.iter().copied();
    while let Some(octet) = octets.next() {
        let character = if octet == ESCAPE {
            octets
                .next()
                .map(|code| extended(code).unwrap_or_else(|| character(code)))
        } else {
            Some(character(octet))
        };
        text.extend(character);
    }
    text
}

fn character(octet: u8) -> char {
    let known = DEFAULT.get(usize::from(octet)).copied();
    let known = known.filter(|it| *it != char::from(ESCAPE));
    known.unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// The character of a code behind the escape.
const fn extended(code: u8) -> Option<char> {
    match code {
        0x0A => Some('\u{C}'),
        0x14 => Some('^'),
        0x28 => Some('{'),
        0x29 => Some('}'),
        0x2F => Some('\\'),
        0x3C => Some('['),
        0x3D => Some('~'),
        0x3E => Some(']'),
        0x40 => Some('|'),
        0x65 => Some('€'),
        _ => None,
    }
}

const fn extension(character: char) -> Option<u8> {
    match character {
        '\u{C}' => Some(0x0A),
        '^' => Some(0x14),
        '{' => Some(0x28),
        '}' => Some(0x29),
        '\\' => Some(0x2F),
        '[' => Some(0x3C),
        '~' => Some(0x3D),
        ']' => Some(0x3E),
        '|' => Some(0x40),
        '€' => Some(0x65),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::sms::{Content, Encoding, MessageKind};

    #[test]
    fn a_text_is_one_octet_for_each_septet() {
        assert_eq!(octets("@Aa€").unwrap(), [0x00, 0x41, 0x61, 0x1B, 0x65]);
        assert_eq!(octets("à\n[").unwrap(), [0x7F, 0x0A, 0x1B, 0x3C]);
        assert_eq!(octets("ç"), None);
        assert_eq!(octets("\u{1B}"), None);
    }

    #[test]
    fn octets_that_stand_for_no_character_are_marked_and_hide_no_other() {
        assert_eq!(text(&[0x41, 0x80, 0xFF, 0x42]), "A\u{FFFD}\u{FFFD}B");
        // An escape without a code, one behind an escape, and a code that is no extension.
        assert_eq!(text(&[0x41, 0x1B]), "A");
        assert_eq!(text(&[0x1B, 0x1B, 0x41]), "\u{FFFD}A");
        assert_eq!(text(&[0x1B, 0x41]), "A");
    }

    #[test]
    fn what_was_written_is_read_back() {
        for character in '\0'..='\u{FFFF}' {
            let written = character.to_string();
            if let Some(octets) = octets(&written) {
                assert_eq!(text(&octets), written, "{character:?}");
            }
        }
    }

    /// What the domain counts as GSM 7-bit can be written so, and nothing else.
    #[test]
    fn the_alphabet_is_the_one_the_domain_counts_with() {
        for character in '\0'..='\u{FFFF}' {
            let text = character.to_string();
            let Ok(content) = Content::parse(&text) else {
                continue;
            };
            let counted = Encoding::of(MessageKind::Text, &content) == Encoding::Gsm7;
            assert_eq!(octets(&text).is_some(), counted, "{character:?}");
        }
    }
}
