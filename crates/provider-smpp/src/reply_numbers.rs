//! Which sender each number of an account at an SMSC stands for: people cannot write to a name. It
//! must not be guessed what a number that is not listed stands for.

use crate::people::plain;
use domain::sms::SenderName;
use std::str::FromStr;

/// Fewest and most digits of a number that people write to: short codes have three, and the
/// longest telephone number 15.
const DIGITS_MIN: usize = 3;
const DIGITS_MAX: usize = 15;

/// The numbers that people write to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReplyNumbers(Vec<(String, SenderName)>);

/// Why a list of such numbers cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidReplyNumbers {
    /// An entry has no form such as `32811=MyBank`.
    #[error("must be numbers with their senders, as 32811=MyBank,2348031234567=MyShop")]
    Form,
    /// A number is listed twice.
    #[error("must list each number once")]
    Twice,
}

impl ReplyNumbers {
    /// The sender that an address stands for: as listed, or the name that it is. An SMSC that knows
    /// which name a message answers may deliver to that.
    pub(crate) fn sender(&self, address: &str) -> Option<SenderName> {
        let digits = plain(address);
        let mut listed = self.0.iter();
        let listed = listed.find(|(number, _)| number == digits);
        let listed = listed.map(|(_, sender)| sender.clone());
        listed.or_else(|| SenderName::recorded(address).ok())
    }
}

impl FromStr for ReplyNumbers {
    type Err = InvalidReplyNumbers;

    /// Reads `NUMBER=SENDER`, separated by commas; an empty text lists none.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut numbers: Vec<(String, SenderName)> = Vec::new();
        for entry in text.split(',').map(str::trim).filter(|it| !it.is_empty()) {
            let (number, sender) = entry.split_once('=').ok_or(InvalidReplyNumbers::Form)?;
            let number = plain(number.trim());
            let fits = (DIGITS_MIN..=DIGITS_MAX).contains(&number.len())
                && number.bytes().all(|b| b.is_ascii_digit());
            if !fits {
                return Err(InvalidReplyNumbers::Form);
            }
            let sender = SenderName::recorded(sender.trim());
            let sender = sender.map_err(|_| InvalidReplyNumbers::Form)?;
            if numbers.iter().any(|(known, _)| known == number) {
                return Err(InvalidReplyNumbers::Twice);
            }
            numbers.push((number.to_owned(), sender));
        }
        Ok(Self(numbers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sender(numbers: &str, address: &str) -> Option<String> {
        let numbers: ReplyNumbers = numbers.parse().unwrap();
        let sender = numbers.sender(address);
        sender.map(|it| it.as_str().to_owned())
    }

    #[test]
    fn a_number_stands_for_the_sender_it_is_listed_with() {
        let numbers = "32811=MyBank, +2348031234567 = First Bank,";
        for (address, expected) in [
            ("32811", Some("MyBank")),
            ("2348031234567", Some("First Bank")),
            ("+2348031234567", Some("First Bank")),
            ("002348031234567", Some("First Bank")),
            ("3281", None),
            ("328110", None),
            ("", None),
            ("CornerShop", Some("CornerShop")),
        ] {
            assert_eq!(sender(numbers, address).as_deref(), expected, "{address}");
        }
        assert_eq!(sender("", "32811"), None);
    }

    #[test]
    fn what_is_no_list_of_numbers_with_senders_is_refused() {
        for text in [
            "32811",
            "32=MyBank",
            "1234567890123456=MyBank",
            "MyBank=32811",
            "32811=",
            "32811=4711",
            "3 2811=MyBank",
        ] {
            let refused = text.parse::<ReplyNumbers>();
            assert_eq!(refused, Err(InvalidReplyNumbers::Form), "{text}");
        }
        let twice = "32811=MyBank,+32811=MyShop".parse::<ReplyNumbers>();
        assert_eq!(twice, Err(InvalidReplyNumbers::Twice));
    }
}
