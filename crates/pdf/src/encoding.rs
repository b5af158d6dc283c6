//! Text in the encoding and the widths of the fonts that every reader of PDF has.

use unicode_normalization::UnicodeNormalization;

/// Widths of the glyphs of Helvetica from the space to the tilde, in thousandths of the font size
/// (Adobe's font metrics).
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// The widest letter, for those that are not listed.
const WIDEST: u16 = 1_000;

/// A text in `WinAnsiEncoding`: what it does not hold is shown without its marks, or as a question
/// mark. Controls become blanks.
pub(crate) fn encoded(text: &str) -> Vec<u8> {
    text.nfc().flat_map(of_character).collect()
}

fn of_character(character: char) -> Vec<u8> {
    if let Some(byte) = byte_of(character) {
        return vec![byte];
    }
    if character == '₦' {
        return b"NGN".to_vec();
    }
    let parts = std::iter::once(character).nfkd();
    let plain: Vec<u8> = parts.filter_map(byte_of).collect();
    if plain.is_empty() { vec![b'?'] } else { plain }
}

fn byte_of(character: char) -> Option<u8> {
    match character {
        '\u{0}'..='\u{1f}' | '\u{7f}' => Some(b' '),
        ' '..='~' | '\u{a0}'..='\u{ff}' => u8::try_from(u32::from(character)).ok(),
        '€' => Some(0x80),
        '‘' => Some(0x91),
        '’' => Some(0x92),
        '“' => Some(0x93),
        '”' => Some(0x94),
        '–' => Some(0x96),
        '—' => Some(0x97),
        _ => None,
    }
}

/// The width of a text in Helvetica of a size.
pub(crate) fn width(encoded: &[u8], size: f32) -> f32 {
    let widths = encoded.iter().map(|byte| f32::from(width_of(*byte)));
    widths.sum::<f32>() * size / 1_000.0
}

fn width_of(byte: u8) -> u16 {
    let listed = byte
        .checked_sub(b' ')
        .and_then(|place| WIDTHS.get(usize::from(place)));
    listed.copied().unwrap_or(WIDEST)
}

/// A text in lines that are no wider than a width: broken at blanks, and within a word that has no
/// room on a line of its own.
pub(crate) fn lines(encoded: &[u8], size: f32, room: f32) -> Vec<Vec<u8>> {
    let mut lines = vec![Vec::new()];
    for word in encoded.split(|byte| *byte == b' ') {
        place_word(&mut lines, word, size, room);
    }
    lines
}

fn place_word(lines: &mut Vec<Vec<u8>>, word: &[u8], size: f32, room: f32) {
    let fits = |line: &[u8]| width(line, size) <= room;
    if let Some(line) = lines.last_mut() {
        let joint: &[u8] = if line.is_empty() { b"" } else { b" " };
        let longer = [line, joint, word].concat();
        if fits(&longer) {
            *line = longer;
            return;
        }
    }
    // A word without room begins on the line that has nothing yet.
    lines.pop_if(|line| line.is_empty());
    let mut line = Vec::new();
    for byte in word {
        let longer = [&line[..], &[*byte]].concat();
        if fits(&longer) {
            line = longer;
        } else {
            lines.push(std::mem::replace(&mut line, vec![*byte]));
        }
    }
    lines.push(line);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_the_fonts_do_not_hold_is_shown_without_its_marks() {
        for (text, expected) in [
            ("Adé", &b"Ad\xe9"[..]),
            ("Ade\u{301}", b"Ad\xe9"),
            ("Ọláṣùn", b"Ol\xe1s\xf9n"),
            ("₦5", b"NGN5"),
            ("a\tb", b"a b"),
            ("“a” – b", b"\x93a\x94 \x96 b"),
            ("日", b"?"),
        ] {
            assert_eq!(encoded(text), expected, "{text}");
        }
    }

    #[test]
    fn widths_are_those_of_helvetica() {
        assert!((width(b"1,000.00", 10.0) - 38.92).abs() < 0.01);
        assert!((width(b"~ ", 10.0) - 8.62).abs() < 0.01);
        assert!((width(b"@", 10.0) - 10.15).abs() < 0.01);
    }

    #[test]
    fn a_word_without_room_leaves_no_line_empty() {
        let shown = lines(b"mmmmmmmmmmmmmm m", 10.0, 100.0);
        assert_eq!(shown, [&b"mmmmmmmmmmmm"[..], b"mm m"]);
        assert_eq!(lines(b"", 10.0, 100.0), [b""]);
    }

    proptest! {
        #[test]
        fn no_line_is_wider_than_its_room_and_no_letter_is_lost(text in "[ -~]{0,200}") {
            let lines = lines(text.as_bytes(), 10.0, 100.0);
            for line in &lines {
                prop_assert!(width(line, 10.0) <= 100.0);
            }
            let letters = |text: &[u8]| -> Vec<u8> {
                text.iter().copied().filter(|byte| *byte != b' ').collect()
            };
            prop_assert_eq!(letters(&lines.concat()), letters(text.as_bytes()));
        }
    }
}
