//! Sender names of messages: names registered by an account and approved by the operator. A
//! name must never be used by another account than the one it is registered for.

use crate::account::AccountId;
use crate::time::Timestamp;
use std::fmt;

/// The serial number of a registered sender: exactly 12 digits (interface §4.6 and §8).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SenderSerial(String);

/// Why a text or number names no sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidSender {
    /// Not a serial number by shape.
    #[error("must be the 12-digit serial number of a registered sender")]
    Serial,
    /// Not a name handsets show as one.
    #[error("must be 3 to 11 letters and digits, one letter at least")]
    Name,
}

impl SenderSerial {
    /// Digits of every serial number.
    pub const DIGITS: usize = 12;
    /// The smallest number to give out. The interface carries serial numbers as integers, and an
    /// integer keeps no leading zero.
    pub const FIRST: u64 = 100_000_000_000;
    /// The largest number to give out.
    pub const LAST: u64 = 999_999_999_999;

    /// Reads a serial number.
    ///
    /// # Errors
    /// Refuses anything but 12 ASCII digits.
    pub fn parse(text: &str) -> Result<Self, InvalidSender> {
        let fits = text.len() == Self::DIGITS && text.bytes().all(|b| b.is_ascii_digit());
        fits.then(|| Self(text.to_owned()))
            .ok_or(InvalidSender::Serial)
    }

    /// The serial number to give out under a number.
    ///
    /// # Errors
    /// Refuses numbers below [`Self::FIRST`] or above [`Self::LAST`].
    pub fn from_number(number: u64) -> Result<Self, InvalidSender> {
        (Self::FIRST..=Self::LAST)
            .contains(&number)
            .then(|| Self(number.to_string()))
            .ok_or(InvalidSender::Serial)
    }

    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SenderSerial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The alphanumeric name a handset shows as the sender, such as `MyBank`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SenderName(String);

impl SenderName {
    /// Fewest characters: networks refuse shorter names.
    pub const LENGTH_MIN: usize = 3;
    /// Most characters: an alphanumeric address holds eleven septets (3GPP TS 23.040 §9.1.2.5).
    pub const LENGTH_MAX: usize = 11;

    /// Reads a sender name: letters and digits (interface §2.8), one letter at least, so that no
    /// name passes for a telephone number.
    ///
    /// # Errors
    /// Refuses other lengths and characters, and a name without a letter.
    pub fn parse(text: &str) -> Result<Self, InvalidSender> {
        Self::recorded(text).and_then(|name| {
            let fits = is_alphanumeric(name.as_str());
            fits.then_some(name).ok_or(InvalidSender::Name)
        })
    }

    /// Reads a name from a record. A space, hyphen or full stop between two letters or digits could
    /// be registered once, and messages were sent under such names.
    ///
    /// # Errors
    /// Refuses other lengths and characters, and a name without a letter.
    pub fn recorded(text: &str) -> Result<Self, InvalidSender> {
        let fits = (Self::LENGTH_MIN..=Self::LENGTH_MAX).contains(&text.len())
            && text.bytes().any(|b| b.is_ascii_alphabetic())
            && text.split([' ', '-', '.']).all(is_alphanumeric);
        fits.then(|| Self(text.to_owned()))
            .ok_or(InvalidSender::Name)
    }

    /// The name as registered.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SenderName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn is_alphanumeric(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric())
}

/// What the operator decided about a sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SenderStatus {
    /// Nothing yet; it may not send.
    Pending,
    /// It may send.
    Approved,
    /// It may not send.
    Rejected,
}

impl SenderStatus {
    /// Every status.
    pub const ALL: [Self; 3] = [Self::Pending, Self::Approved, Self::Rejected];

    /// The lower-case word for records and commands.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Approved => "approved",
            Self::Rejected => "rejected",
        }
    }

    /// Reads the word of a record; `None` for any other word.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.code() == code)
    }
}

/// A sender as registered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sender {
    /// Its serial number, unique over all accounts.
    pub serial: SenderSerial,
    /// The account that may send under it.
    pub account: AccountId,
    /// The name handsets show.
    pub name: SenderName,
    /// What was decided about it.
    pub status: SenderStatus,
    /// When it was registered.
    pub requested_at: Timestamp,
    /// When the operator last decided; `None` while nothing was.
    pub decided_at: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_name_is_shown_as_it_was_registered() {
        let name = SenderName::parse("MyShop").unwrap();
        assert_eq!(
            (name.to_string().as_str(), name.as_str()),
            ("MyShop", "MyShop")
        );
    }

    #[test]
    fn a_serial_number_has_twelve_digits() {
        for text in ["100000000001", "012345678901"] {
            assert_eq!(SenderSerial::parse(text).unwrap().to_string(), text);
        }
        let refused = [
            "",
            "10000000001",
            "1000000000011",
            "10000000000a",
            " 10000000001",
        ];
        for text in refused.into_iter().chain(["١٢٣٤٥٦"]) {
            let refusal = Err(InvalidSender::Serial);
            assert_eq!(SenderSerial::parse(text), refusal, "{text:?}");
        }
    }

    #[test]
    fn a_serial_number_given_out_survives_being_read_as_an_integer() {
        for number in [SenderSerial::FIRST, 234_000_000_017, SenderSerial::LAST] {
            let serial = SenderSerial::from_number(number).unwrap();
            assert_eq!(serial.as_str().parse(), Ok(number));
            assert_eq!(SenderSerial::parse(serial.as_str()), Ok(serial));
        }
        for number in [0, SenderSerial::FIRST - 1, SenderSerial::LAST + 1, u64::MAX] {
            assert_eq!(
                SenderSerial::from_number(number),
                Err(InvalidSender::Serial)
            );
        }
    }

    #[test]
    fn names_of_letters_and_digits_are_taken() {
        for text in ["MTN", "MyBank", "FIRSTBANK", "9mobile", "abcdefghijk"] {
            assert_eq!(SenderName::parse(text).unwrap().as_str(), text);
            assert_eq!(SenderName::recorded(text).unwrap().as_str(), text);
        }
    }

    #[test]
    fn names_with_marks_in_between_are_read_from_records_alone() {
        for text in ["First Bank", "Jumia.ng", "7-Eleven", "A B-C.D"] {
            assert_eq!(SenderName::recorded(text).unwrap().as_str(), text);
            assert_eq!(SenderName::parse(text), Err(InvalidSender::Name), "{text}");
        }
    }

    #[test]
    fn a_name_that_is_a_number_or_could_pass_for_another_is_refused() {
        let lengths = ["", "ab", "abcdefghijkl"];
        let numbers = ["12345", "234 803 123", "0803-123"];
        let marks = [
            " MTN", "MTN ", "-MTN", "MTN.", "My  Bank", "My -Bank", "...",
        ];
        let foreign = ["My_Bank", "Bänk", "ΜΤΝ", "My\u{A0}Bank", "My\nBank", "M+N"];
        for text in [&lengths[..], &numbers, &marks, &foreign].concat() {
            let refusal = Err(InvalidSender::Name);
            assert_eq!(SenderName::parse(text), refusal, "{text:?}");
            assert_eq!(SenderName::recorded(text), refusal, "{text:?}");
        }
    }

    #[test]
    fn a_status_is_read_back_from_its_word() {
        for status in SenderStatus::ALL {
            assert_eq!(SenderStatus::from_code(status.code()), Some(status));
        }
        assert_eq!(SenderStatus::from_code("Approved"), None);
    }

    proptest! {
        #[test]
        fn every_name_travels_in_eleven_septets(text in "[ -~]{0,14}") {
            if let Ok(name) = SenderName::recorded(&text) {
                let septets: Option<usize> =
                    name.as_str().chars().map(super::super::alphabet::septets).sum();
                prop_assert!(septets.is_some_and(|septets| (3..=11).contains(&septets)));
            }
        }
    }
}
