//! Telephone numbers as E.164 digits. Whether a number exists in a country's plan is a question
//! for `ports::NumberingPlan`, never answered here.

use std::fmt;

/// A telephone number in international format: 8–15 ASCII digits without a plus (ITU-T E.164).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PhoneNumber(String);

/// Why a text cannot be a telephone number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be in international format: 8 to 15 digits, the plus sign optional")]
pub struct InvalidPhone;

/// The status of a number in the plan of its country, and of the country in the catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NumberStatus {
    /// It exists; the brand that holds its block, where that is recorded.
    Exists(Option<String>),
    /// The country's plan has no such number.
    NotInPlan,
    /// Nothing is sold for numbers of the country.
    CountryNotServed,
}

/// A number, and who serves it today.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServedNumber {
    /// The number.
    pub number: PhoneNumber,
    /// Who serves it.
    pub operator: ServingOperator,
}

/// Who serves a number today.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServingOperator {
    /// The network of this code or brand, such as `mtn` or `MTN`.
    Named(String),
    /// Another than the holder of its block; which is not known.
    PortedElsewhere,
}

impl PhoneNumber {
    /// Fewest digits of an international number.
    pub const DIGITS_MIN: usize = 8;
    /// Most digits of an international number (ITU-T E.164 §6).
    pub const DIGITS_MAX: usize = 15;

    /// Reads an international number, with or without its leading plus (interface §1, rule 7).
    ///
    /// # Errors
    /// Refuses letters, spaces, foreign digits, a leading zero and other lengths.
    pub fn parse(text: &str) -> Result<Self, InvalidPhone> {
        let digits = text.strip_prefix('+').unwrap_or(text);
        let fits = (Self::DIGITS_MIN..=Self::DIGITS_MAX).contains(&digits.len())
            && digits.bytes().all(|b| b.is_ascii_digit())
            && !digits.starts_with('0');
        fits.then(|| Self(digits.to_owned())).ok_or(InvalidPhone)
    }

    /// The digits, without a plus.
    pub fn digits(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PhoneNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_international_digits_are_read() {
        let refused = [
            "",
            "+",
            "2348x31234567",
            "08031234567",
            "234 803",
            "1234567",
            "٢٣٤٨٠٣١٢٣٤٥٦٧",
        ];
        for text in refused {
            assert_eq!(PhoneNumber::parse(text), Err(InvalidPhone), "{text:?}");
        }
        assert_eq!(PhoneNumber::parse("1234567890123456"), Err(InvalidPhone));
    }

    proptest! {
        #[test]
        fn the_plus_makes_no_difference(digits in "[1-9][0-9]{7,14}") {
            let plain = PhoneNumber::parse(&digits).unwrap();
            prop_assert_eq!(PhoneNumber::parse(&format!("+{digits}")), Ok(plain.clone()));
            prop_assert_eq!(plain.digits(), digits);
        }
    }
}
