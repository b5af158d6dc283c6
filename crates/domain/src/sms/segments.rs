//! How a message is cut into the parts that are sent and billed. The number of parts must never
//! come from a formula: it is the number of pieces the cut gives.

use super::alphabet;
use super::{Content, MessageKind};

/// Most parts of one message: 1,530 characters of plain text or 630 of any script, about what the
/// gateways of the field take, and few enough that one typing error costs no fortune.
pub const PARTS_MAX: u8 = 10;

/// How the characters of a message travel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// The GSM 7-bit default alphabet with its extension table, counted in septets.
    Gsm7,
    /// UCS-2, counted in UTF-16 code units.
    Ucs2,
}

impl Encoding {
    /// The encoding a message needs: UCS-2 where its type asks for it or a character of it is not
    /// in the GSM alphabet (interface §4.6).
    pub fn of(kind: MessageKind, content: &Content) -> Self {
        let is_gsm7 = |c| alphabet::septets(c).is_some();
        if kind.is_always_ucs2() || !content.as_str().chars().all(is_gsm7) {
            Self::Ucs2
        } else {
            Self::Gsm7
        }
    }

    /// The lower-case word for records: `gsm7` or `ucs2`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Gsm7 => "gsm7",
            Self::Ucs2 => "ucs2",
        }
    }

    /// Reads the word of a record; `None` for any other word.
    pub fn from_code(code: &str) -> Option<Self> {
        [Self::Gsm7, Self::Ucs2]
            .into_iter()
            .find(|encoding| encoding.code() == code)
    }

    /// Most units of a message sent as one (interface §8).
    pub const fn single_units_max(self) -> usize {
        match self {
            Self::Gsm7 => 160,
            Self::Ucs2 => 70,
        }
    }

    /// Most units of each of several parts. The header that joins them takes seven septets, and
    /// the interface grants UCS-2 63 units, not the 67 that would fit (interface §8).
    pub const fn part_units_max(self) -> usize {
        match self {
            Self::Gsm7 => 153,
            Self::Ucs2 => 63,
        }
    }

    /// Units of a text, not cut into parts.
    pub fn units_of(self, text: &str) -> usize {
        text.chars().map(|c| self.units(c)).sum()
    }

    /// Units of one character. What GSM 7-bit cannot say counts as the one question mark that
    /// networks put in its place; [`Encoding::of`] never lets that happen.
    fn units(self, c: char) -> usize {
        match self {
            Self::Gsm7 => alphabet::septets(c).unwrap_or(1),
            Self::Ucs2 => c.len_utf16(),
        }
    }
}

/// In what and in how many parts a message is sent; as many are billed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Segments {
    /// How its characters travel.
    pub encoding: Encoding,
    /// Parts, from 1 to [`PARTS_MAX`].
    pub parts: u8,
}

/// The message needs more than [`PARTS_MAX`] parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "must fit into {PARTS_MAX} parts: 153 characters each, \
     or 63 where one of them is not in the GSM alphabet"
)]
pub struct TooLong;

impl Segments {
    /// Counts the parts of a message by cutting it.
    ///
    /// # Errors
    /// Refuses a message of more than [`PARTS_MAX`] parts.
    pub fn of(kind: MessageKind, content: &Content) -> Result<Self, TooLong> {
        let encoding = Encoding::of(kind, content);
        let enough = usize::from(PARTS_MAX).saturating_add(1);
        let count = Cut::new(encoding, content.as_str()).take(enough).count();
        match u8::try_from(count) {
            Ok(parts) if parts <= PARTS_MAX => Ok(Self { encoding, parts }),
            Ok(_) | Err(_) => Err(TooLong),
        }
    }

    /// The parts of a message in order, each as full as it can be. Together they are the content.
    pub fn split(kind: MessageKind, content: &Content) -> Vec<&str> {
        Cut::new(Encoding::of(kind, content), content.as_str()).collect()
    }
}

/// Cuts between characters only, so neither an escape nor a surrogate loses its second half.
struct Cut<'a> {
    rest: &'a str,
    encoding: Encoding,
    units_max: usize,
}

impl<'a> Cut<'a> {
    fn new(encoding: Encoding, text: &'a str) -> Self {
        let single = encoding.single_units_max();
        let units_max = if fitting(encoding, text, single) == text.len() {
            single
        } else {
            encoding.part_units_max()
        };
        Self {
            rest: text,
            encoding,
            units_max,
        }
    }
}

impl<'a> Iterator for Cut<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let end = fitting(self.encoding, self.rest, self.units_max);
        let (part, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest;
        (!part.is_empty()).then_some(part)
    }
}

/// Bytes of the longest beginning of a text that fits into so many units.
fn fitting(encoding: Encoding, text: &str, units_max: usize) -> usize {
    let mut units = 0_usize;
    let too_far = text.char_indices().find(|(_, c)| {
        units = units.saturating_add(encoding.units(*c));
        units > units_max
    });
    too_far.map_or(text.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn content(text: &str) -> Content {
        Content::parse(text).unwrap()
    }

    fn of(kind: MessageKind, text: &str) -> Result<(Encoding, u8), TooLong> {
        Segments::of(kind, &content(text)).map(|segments| (segments.encoding, segments.parts))
    }

    fn lengths(kind: MessageKind, text: &str) -> Vec<usize> {
        let content = content(text);
        let parts = Segments::split(kind, &content);
        parts.iter().map(|part| part.chars().count()).collect()
    }

    #[test]
    fn plain_text_is_one_part_up_to_160_characters_and_153_each_from_there() {
        for (length, parts) in [(1, 1), (160, 1), (161, 2), (306, 2), (307, 3), (1530, 10)] {
            for kind in [MessageKind::Text, MessageKind::Flash, MessageKind::Wap] {
                let expected = Ok((Encoding::Gsm7, parts));
                assert_eq!(of(kind, &"a".repeat(length)), expected, "{length}");
            }
        }
        assert_eq!(of(MessageKind::Text, &"a".repeat(1531)), Err(TooLong));
        assert_eq!(of(MessageKind::Text, &"a".repeat(1_000_000)), Err(TooLong));
    }

    #[test]
    fn ucs2_is_one_part_up_to_70_units_and_63_each_from_there() {
        for (length, parts) in [(1, 1), (70, 1), (71, 2), (126, 2), (127, 3), (630, 10)] {
            for kind in MessageKind::ALL {
                let expected = Ok((Encoding::Ucs2, parts));
                assert_eq!(of(kind, &"ش".repeat(length)), expected, "{length}");
            }
        }
        assert_eq!(of(MessageKind::Arabic, &"ش".repeat(631)), Err(TooLong));
    }

    #[test]
    fn one_character_outside_the_alphabet_makes_the_whole_message_ucs2() {
        let plain = "a".repeat(160);
        assert_eq!(of(MessageKind::Text, &plain), Ok((Encoding::Gsm7, 1)));
        let detected = format!("{}ç", "a".repeat(159));
        assert_eq!(of(MessageKind::Text, &detected), Ok((Encoding::Ucs2, 3)));
    }

    #[test]
    fn unicode_and_arabic_are_ucs2_whatever_they_hold() {
        let plain = "a".repeat(71);
        assert_eq!(of(MessageKind::Unicode, &plain), Ok((Encoding::Ucs2, 2)));
        assert_eq!(of(MessageKind::Arabic, "hello"), Ok((Encoding::Ucs2, 1)));
    }

    #[test]
    fn an_extension_character_counts_two_and_keeps_its_escape() {
        assert_eq!(lengths(MessageKind::Text, &"€".repeat(80)), [80]);
        // 153 is odd, so each part leaves a septet empty: 2 × 153 septets are three parts.
        assert_eq!(lengths(MessageKind::Text, &"€".repeat(153)), [76, 76, 1]);
        let straddling = format!("{}[{}", "a".repeat(152), "b".repeat(10));
        assert_eq!(lengths(MessageKind::Text, &straddling), [152, 11]);
    }

    #[test]
    fn a_surrogate_pair_counts_two_and_stays_together() {
        assert_eq!(lengths(MessageKind::Text, &"👍".repeat(35)), [35]);
        assert_eq!(lengths(MessageKind::Text, &"👍".repeat(63)), [31, 31, 1]);
    }

    #[test]
    fn an_encoding_is_read_back_from_its_word() {
        for encoding in [Encoding::Gsm7, Encoding::Ucs2] {
            assert_eq!(Encoding::from_code(encoding.code()), Some(encoding));
        }
        assert_eq!(Encoding::from_code("utf8"), None);
    }

    const ESCAPE: u16 = 0x1B;
    const EXTENSION: &str = "^{}\\[~]|€";

    /// What goes over the air, unit by unit: septets for plain text, UTF-16 otherwise. Only the
    /// escape matters, so any other septet is zero.
    fn on_air(text: &str, encoding: Encoding) -> Vec<u16> {
        match encoding {
            Encoding::Ucs2 => text.encode_utf16().collect(),
            Encoding::Gsm7 => {
                let septets = |c| {
                    if EXTENSION.contains(c) {
                        vec![ESCAPE, 0]
                    } else {
                        vec![0]
                    }
                };
                text.chars().flat_map(septets).collect()
            }
        }
    }

    /// Cuts the units themselves: as far as the limit, one back if that is within a pair.
    fn cut_units(mut units: &[u16], (single, part): (usize, usize)) -> Vec<&[u16]> {
        let mut pieces = Vec::new();
        let limit = if units.len() <= single { single } else { part };
        while !units.is_empty() {
            let mut end = units.len().min(limit);
            let opens_pair = |unit| unit == ESCAPE || (0xD800..0xDC00).contains(&unit);
            if opens_pair(units[end - 1]) {
                end -= 1;
            }
            let (piece, rest) = units.split_at(end);
            pieces.push(piece);
            units = rest;
        }
        pieces
    }

    fn limits(encoding: Encoding) -> (usize, usize) {
        match encoding {
            Encoding::Gsm7 => (160, 153),
            Encoding::Ucs2 => (70, 63),
        }
    }

    fn any_kind() -> impl Strategy<Value = MessageKind> {
        proptest::sample::select(MessageKind::ALL.to_vec())
    }

    /// Plain text thick with extension characters, text of every plane, and mixtures, with lengths
    /// around and beyond every limit.
    fn any_text() -> impl Strategy<Value = String> {
        prop_oneof![
            "[a-zA-Z0-9 @£\n^{}\\\\\\[~\\]|€]{1,400}",
            "[a€]{150,170}",
            "[a€]{700,1600}",
            "[aش👍]{1,200}",
            "[aش👍]{300,700}",
            "[a-z]{140,170}[ç👍]?",
        ]
    }

    proptest! {
        #[test]
        fn the_cut_is_that_of_the_units_on_air(kind in any_kind(), text in any_text()) {
            let content = content(&text);
            let encoding = Encoding::of(kind, &content);
            let parts = Segments::split(kind, &content);
            prop_assert_eq!(parts.concat(), text.clone());
            let units = on_air(&text, encoding);
            let expected = cut_units(&units, limits(encoding));
            let sent: Vec<_> = parts.iter().map(|part| on_air(part, encoding)).collect();
            prop_assert_eq!(&sent, &expected);
            let counted = Segments::of(kind, &content).map(|segments| usize::from(segments.parts));
            let allowed = (expected.len() <= 10).then_some(expected.len()).ok_or(TooLong);
            prop_assert_eq!(counted, allowed);
        }

        #[test]
        fn no_part_is_too_long_and_none_could_take_one_character_more(
            kind in any_kind(), text in any_text(),
        ) {
            let content = content(&text);
            let encoding = Encoding::of(kind, &content);
            let parts = Segments::split(kind, &content);
            let (single, part_max) = limits(encoding);
            let limit = if parts.len() == 1 { single } else { part_max };
            for part in &parts {
                let length = on_air(part, encoding).len();
                prop_assert!((1..=limit).contains(&length), "{} of {}", length, limit);
            }
            for pair in parts.windows(2) {
                let next: String = pair[1].chars().take(1).collect();
                let more = on_air(&format!("{}{next}", pair[0]), encoding).len();
                prop_assert!(more > limit, "{} of {}", more, limit);
            }
            prop_assert!(parts.len() == 1 || on_air(&text, encoding).len() > single);
        }

        #[test]
        fn adding_a_character_never_costs_fewer_parts(
            kind in any_kind(), text in any_text(), more in "[a€ش👍]",
        ) {
            let longer = content(&format!("{text}{more}"));
            let before = Segments::split(kind, &content(&text)).len();
            prop_assert!(Segments::split(kind, &longer).len() >= before);
        }
    }
}
