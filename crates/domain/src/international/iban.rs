//! International bank account numbers (ISO 13616).

use crate::country::CountryCode;

/// An account number that names its country and carries check digits, without blanks.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Iban(String);

/// The text is no IBAN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidIban {
    /// Not by shape, or with wrong check digits.
    #[error("must be an IBAN such as DE89370400440532013000; check every character")]
    Shape,
    /// Its country has no such accounts.
    #[error("must be an IBAN as its country has them; check its length and its country")]
    Country,
}

impl Iban {
    /// Reads an IBAN, with or without blanks, in capital letters.
    ///
    /// # Errors
    /// Refuses wrong check digits, and what does not have the shape of its country.
    pub fn parse(text: &str) -> Result<Self, InvalidIban> {
        use iban::{IbanLike as _, ParseIbanError};
        match text.parse::<iban::Iban>() {
            Ok(read) => Ok(Self(read.electronic_str().to_owned())),
            Err(ParseIbanError::InvalidBaseIban { .. }) => Err(InvalidIban::Shape),
            Err(ParseIbanError::InvalidBban(_) | ParseIbanError::UnknownCountry(_)) => {
                Err(InvalidIban::Country)
            }
        }
    }

    /// Its characters without blanks.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is an account of a country.
    pub fn is_of(&self, country: CountryCode) -> bool {
        let alpha_2 = country.alpha_2();
        alpha_2.is_some_and(|alpha_2| self.0.starts_with(alpha_2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_iban_is_checked_against_its_digits_and_its_country() {
        let iban = Iban::parse("DE89 3704 0044 0532 0130 00").unwrap();
        assert_eq!(iban.as_str(), "DE89370400440532013000");
        assert!(iban.is_of(CountryCode::parse("276").unwrap()));
        assert!(!iban.is_of(CountryCode::NIGERIA));
        for (text, why) in [
            ("DE89370400440532013001", InvalidIban::Shape),
            ("DE8937040044053201300", InvalidIban::Shape),
            ("", InvalidIban::Shape),
        ] {
            assert_eq!(Iban::parse(text), Err(why), "{text}");
        }
    }
}
