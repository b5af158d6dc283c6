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
    "must fit into {PARTS_MAX} parts: 153 characters each, or 63 where one is not in the GSM alphabet"
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
