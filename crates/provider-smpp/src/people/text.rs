//! The words of a message as its octets carry them. Octets that are no text must never be shown as
//! one, and a character that is cut between two parts must come out whole.

use crate::gsm;

/// What stands in the place of a part that did not come.
pub(crate) const GAP: char = '…';

/// How octets are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Alphabet {
    /// The GSM 7-bit default alphabet, one septet in an octet.
    Gsm7,
    /// Latin-1, and ASCII within it.
    Latin1,
    /// UCS-2. Handsets write what lies beyond it as UTF-16 does.
    Ucs2,
}

impl Alphabet {
    /// By `data_coding` (SMPP 3.4 §5.2.19); `None` where the octets are no text, or in an alphabet
    /// that is not read here.
    pub(crate) const fn of(data_coding: u8) -> Option<Self> {
        match data_coding {
            // From 0xC0 on they are about messages that wait elsewhere.
            0x00 | 0xC0..=0xDF => Some(Self::Gsm7),
            0x01 | 0x03 => Some(Self::Latin1),
            0x08 | 0xE0..=0xEF => Some(Self::Ucs2),
            // With a class (3GPP TS 23.038 §4).
            0x10..=0x1F => match data_coding & 0x0C {
                0x00 => Some(Self::Gsm7),
                0x08 => Some(Self::Ucs2),
                _ => None,
            },
            0xF0..=0xFF if data_coding & 0x04 == 0 => Some(Self::Gsm7),
            _ => None,
        }
    }

    /// The text of octets. What stands for no character becomes U+FFFD.
    pub(crate) fn text(self, octets: &[u8]) -> String {
        match self {
            Self::Gsm7 => gsm::text(octets),
            Self::Latin1 => octets.iter().copied().map(char::from).collect(),
            Self::Ucs2 => {
                let (units, _) = octets.as_chunks::<2>();
                let units: Vec<u16> = units.iter().copied().map(u16::from_be_bytes).collect();
                String::from_utf16_lossy(&units)
            }
        }
    }
}

/// Some octets of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Octets {
    pub(crate) alphabet: Alphabet,
    pub(crate) octets: Vec<u8>,
}

/// The text of parts in their order, with [`GAP`] in the place of each that is not there.
pub(crate) fn joined<'a>(parts: impl IntoIterator<Item = Option<&'a Octets>>) -> String {
    let mut text = String::new();
    let mut run: Option<Octets> = None;
    for part in parts {
        match (&mut run, part) {
            (Some(run), Some(part)) if run.alphabet == part.alphabet => {
                run.octets.extend_from_slice(&part.octets);
            }
            (_, part) => {
                if let Some(run) = run.take() {
                    text.push_str(&run.alphabet.text(&run.octets));
                }
                if part.is_none() {
                    text.push(GAP);
                }
                run = part.cloned();
            }
        }
    }
    if let Some(run) = run {
        text.push_str(&run.alphabet.text(&run.octets));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn octets(alphabet: Alphabet, octets: &[u8]) -> Octets {
        let octets = octets.to_vec();
        Octets { alphabet, octets }
    }

    #[test]
    fn a_coding_is_an_alphabet_or_no_text() {
        use Alphabet::{Gsm7, Latin1, Ucs2};
        for (codings, alphabet) in [
            (&[0x00, 0x10, 0x13, 0xC0, 0xD8, 0xF0, 0xF3][..], Some(Gsm7)),
            (&[0x01, 0x03], Some(Latin1)),
            (&[0x08, 0x18, 0x1B, 0xE0], Some(Ucs2)),
            (
                &[
                    0x02, 0x04, 0x05, 0x06, 0x0A, 0x14, 0x1C, 0x20, 0x80, 0xF4, 0xFF,
                ],
                None,
            ),
        ] {
            for coding in codings {
                assert_eq!(Alphabet::of(*coding), alphabet, "{coding:#04X}");
            }
        }
    }

    #[test]
    fn octets_are_read_in_their_alphabet() {
        let read = |alphabet: Alphabet, octets: &[u8]| alphabet.text(octets);
        assert_eq!(read(Alphabet::Gsm7, &[0x00, 0x1B, 0x65, 0x24]), "@€¤");
        assert_eq!(read(Alphabet::Latin1, &[0x40, 0xE9, 0xA4]), "@é¤");
        assert_eq!(read(Alphabet::Ucs2, &[0x20, 0xA6, 0x00, 0x41]), "₦A");
        // Half a unit at the end, and half a pair.
        assert_eq!(read(Alphabet::Ucs2, &[0x00, 0x41, 0x00]), "A");
        assert_eq!(read(Alphabet::Ucs2, &[0xD8, 0x3D]), "\u{FFFD}");
    }

    #[test]
    fn a_character_that_is_cut_between_parts_comes_out_whole() {
        use Alphabet::{Gsm7, Latin1, Ucs2};
        let (first, second) = (octets(Ucs2, &[0xD8, 0x3D]), octets(Ucs2, &[0xDE, 0x00]));
        assert_eq!(joined([Some(&first), Some(&second)]), "😀");
        let (first, second) = (octets(Gsm7, &[0x41, 0x1B]), octets(Gsm7, &[0x65]));
        assert_eq!(joined([Some(&first), Some(&second)]), "A€");
        let other = octets(Latin1, &[0xE9]);
        assert_eq!(joined([Some(&second), Some(&other), Some(&second)]), "eée");
        assert_eq!(joined([None, Some(&other), None]), "…é…");
    }
}
