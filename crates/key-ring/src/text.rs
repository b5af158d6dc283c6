//! The text form of a key ring: one line per generation, its number and its key in hexadecimal. An
//! error must name the line and never quote it.

use crate::{KEY_BYTES, KeyGeneration, KeyRing};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::str::FromStr;

/// What a comment behind a key begins with where it says when the key was made.
const MADE: &str = "made ";

/// Longest time of making that is remembered; longer comments are not taken for one.
const MOMENT_LENGTH_MAX: usize = 40;

/// Why a text is not a key ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {kind}")]
pub struct KeyTextError {
    /// Which line, counted from one.
    pub line: usize,
    /// What is wrong with it.
    pub kind: ParseErrorKind,
}

/// What is wrong with a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ParseErrorKind {
    /// It has not two fields.
    #[error("must be a generation number and 64 hexadecimal digits, such as `1 <key>`")]
    Fields,
    /// The first field is no number above zero.
    #[error("the generation must be a whole number from 1 to 4294967295")]
    Number,
    /// The second field is no key.
    #[error("the key must be 64 hexadecimal digits, as `openssl rand -hex 32` prints")]
    Key,
    /// An earlier line has the number.
    #[error("its generation is in an earlier line already")]
    Repeated,
    /// There is no line with a key.
    #[error("there is no key; a line is a generation number and 64 hexadecimal digits")]
    Empty,
}

impl FromStr for KeyRing {
    type Err = KeyTextError;

    fn from_str(text: &str) -> Result<Self, KeyTextError> {
        let mut generations = BTreeMap::new();
        for (line, content) in (1..).zip(text.lines()) {
            let read = generation(content).map_err(|kind| KeyTextError { line, kind })?;
            let Some((number, generation)) = read else {
                continue;
            };
            if generations.insert(number, generation).is_some() {
                let kind = ParseErrorKind::Repeated;
                return Err(KeyTextError { line, kind });
            }
        }
        let newest = generations.last_key_value().map(|(number, _)| *number);
        let newest = newest.ok_or(KeyTextError {
            line: text.lines().count().max(1),
            kind: ParseErrorKind::Empty,
        })?;
        Ok(Self {
            generations,
            newest,
        })
    }
}

impl KeyRing {
    /// The text form, which holds the keys.
    pub fn to_text(&self) -> String {
        let mut text = String::from(
            "# Keys that seal what the gateway keeps. The highest generation seals, all open.\n\
             # Without a generation, what was sealed with it cannot be opened. Keep it secret.\n",
        );
        for (number, generation) in &self.generations {
            text.push_str(&line(*number, generation));
            text.push('\n');
        }
        text
    }

    /// The line of the newest generation, which holds its key.
    pub fn newest_line(&self) -> Option<String> {
        let newest = self.generations.get(&self.newest);
        newest.map(|generation| line(self.newest, generation))
    }
}

fn line(number: u32, generation: &KeyGeneration) -> String {
    let mut text = format!("{number} ");
    for byte in generation.key {
        let _ = write!(text, "{byte:02x}");
    }
    if let Some(made_at) = &generation.made_at {
        let _ = write!(text, " # {MADE}{made_at}");
    }
    text
}

/// The generation of a line; none where it is empty or a comment.
fn generation(line: &str) -> Result<Option<(u32, KeyGeneration)>, ParseErrorKind> {
    let (content, comment) = line.split_once('#').unwrap_or((line, ""));
    let mut fields = content.split_whitespace();
    let (number, key) = match (fields.next(), fields.next(), fields.next()) {
        (None, _, _) => return Ok(None),
        (Some(number), Some(key), None) => (number, key),
        (Some(_), _, _) => return Err(ParseErrorKind::Fields),
    };
    let number: u32 = number.parse().map_err(|_| ParseErrorKind::Number)?;
    if number == 0 {
        return Err(ParseErrorKind::Number);
    }
    let key = key_bytes(key).ok_or(ParseErrorKind::Key)?;
    let made_at = comment.trim().strip_prefix(MADE).and_then(moment);
    Ok(Some((number, KeyGeneration { key, made_at })))
}

/// A time as it may be shown. It has no hexadecimal digits above nine, so that no key passes for
/// one.
pub(crate) fn moment(text: &str) -> Option<String> {
    let text = text.trim();
    let fits = |b: u8| b.is_ascii_digit() || matches!(b, b'-' | b':' | b'.' | b'+' | b'T' | b'Z');
    let is_one = (1..=MOMENT_LENGTH_MAX).contains(&text.len()) && text.bytes().all(fits);
    is_one.then(|| text.to_owned())
}

fn key_bytes(text: &str) -> Option<[u8; KEY_BYTES]> {
    if text.len() != KEY_BYTES * 2 {
        return None;
    }
    let mut key = [0_u8; KEY_BYTES];
    for (byte, pair) in key.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        let mut digits = pair.iter().map(|digit| char::from(*digit).to_digit(16));
        let (high, low) = (digits.next()??, digits.next()??);
        *byte = u8::try_from(high * 16 + low).ok()?;
    }
    Some(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const KEY: &str = "c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00";

    #[test]
    fn a_wrong_line_is_named_and_never_quoted() {
        let zero = format!("0 {KEY}");
        let again = format!("1 {KEY}\n1 {KEY}");
        let three = format!("1 {KEY} {KEY}");
        for (text, line, kind) in [
            ("", 1, ParseErrorKind::Empty),
            ("# 1\n\n", 2, ParseErrorKind::Empty),
            ("1\n", 1, ParseErrorKind::Fields),
            (three.as_str(), 1, ParseErrorKind::Fields),
            (zero.as_str(), 1, ParseErrorKind::Number),
            ("c0ffee c0ffee", 1, ParseErrorKind::Number),
            ("# x\n1 c0ffee", 2, ParseErrorKind::Key),
            (again.as_str(), 2, ParseErrorKind::Repeated),
        ] {
            let error = text.parse::<KeyRing>().unwrap_err();
            assert_eq!(error, KeyTextError { line, kind }, "{text}");
            assert!(!format!("{error} {error:?}").contains("c0ffee"), "{error}");
        }
        let signs = format!("1 {}é", "0".repeat(62));
        assert_eq!(
            signs.parse::<KeyRing>().unwrap_err().kind,
            ParseErrorKind::Key
        );
    }

    #[test]
    fn comments_and_empty_lines_mean_nothing_but_the_time_of_making() {
        let text = format!("# keys\n\n  2\t{KEY} # made 2026-11-22T10:00:00Z\n1 {KEY} # {KEY}\n");
        let ring: KeyRing = text.parse().unwrap();
        let known: Vec<_> = ring.generations().collect();
        assert_eq!(known, [(1, None), (2, Some("2026-11-22T10:00:00Z"))]);
        assert_eq!(ring.newest(), 2);
        let passed_off = format!("1 {KEY} # made {KEY}").parse::<KeyRing>().unwrap();
        assert_eq!(passed_off.generations().next(), Some((1, None)));
    }

    proptest! {
        #[test]
        fn the_text_form_reads_back(
            generations in proptest::collection::btree_map(1_u32.., any::<[u8; KEY_BYTES]>(), 1..5),
        ) {
            let generations: BTreeMap<_, _> = generations
                .into_iter()
                .map(|(number, key)| (number, KeyGeneration { key, made_at: moment("2026") }))
                .collect();
            let newest = *generations.last_key_value().unwrap().0;
            let ring = KeyRing { generations, newest };
            prop_assert_eq!(ring.to_text().parse::<KeyRing>().unwrap(), ring);
        }
    }
}
