//! Who is paid abroad. It must never decide whether an account exists: only its bank can.

use super::Iban;
use crate::country::CountryCode;
use crate::text::{self, Breaks, UnfitText};
use std::fmt;

/// Why a text cannot name or place a beneficiary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidParty {
    /// Too short or too long.
    #[error("must be {0} to {1} characters")]
    Length(usize, usize),
    /// A character no payment message carries.
    #[error(transparent)]
    Unfit(#[from] UnfitText),
}

fn one_line(text: &str, (least, most): (usize, usize)) -> Result<String, InvalidParty> {
    text::check(text, Breaks::Refused)?;
    let text = text.trim();
    let fits = (least..=most).contains(&text.chars().count());
    fits.then(|| text.to_owned())
        .ok_or(InvalidParty::Length(least, most))
}

/// The name of a beneficiary, one line of 2 to 70 characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BeneficiaryName(String);

impl BeneficiaryName {
    /// Fewest characters.
    pub const LENGTH_MIN: usize = 2;

    /// Most characters: SEPA carries 70, and what is cut off on the way is not what was written.
    pub const LENGTH_MAX: usize = 70;

    /// Reads a name; blanks around it are dropped.
    ///
    /// # Errors
    /// Refuses other lengths and hidden characters.
    pub fn parse(text: &str) -> Result<Self, InvalidParty> {
        one_line(text, (Self::LENGTH_MIN, Self::LENGTH_MAX)).map(Self)
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Where a beneficiary lives, one line of 5 to 140 characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PostalAddress(String);

impl PostalAddress {
    /// Fewest characters: a street and a town.
    pub const LENGTH_MIN: usize = 5;

    /// Most characters: two lines of 70, as SEPA carries them.
    pub const LENGTH_MAX: usize = 140;

    /// Reads an address; blanks around it are dropped.
    ///
    /// # Errors
    /// Refuses other lengths and hidden characters.
    pub fn parse(text: &str) -> Result<Self, InvalidParty> {
        one_line(text, (Self::LENGTH_MIN, Self::LENGTH_MAX)).map(Self)
    }

    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The identity of a bank (ISO 9362): 8 or 11 capital letters and digits, such as `GCBLGHAC`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Bic(String);

/// The text is no BIC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be the BIC of a bank, 8 or 11 capital letters and digits such as GCBLGHAC")]
pub struct InvalidBic;

impl Bic {
    /// Reads a BIC: four letters or digits of the bank, two letters of its country, two of its
    /// place, and three of its branch or none.
    ///
    /// # Errors
    /// Refuses anything else.
    pub fn parse(text: &str) -> Result<Self, InvalidBic> {
        let is_of_bic = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit();
        let country = text.get(4..6).unwrap_or_default();
        let fits = matches!(text.len(), 8 | 11)
            && text.bytes().all(is_of_bic)
            && country.bytes().all(|b| b.is_ascii_uppercase());
        fits.then(|| Self(text.to_owned())).ok_or(InvalidBic)
    }

    /// Its characters.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the bank is of a country.
    pub fn is_of(&self, country: CountryCode) -> bool {
        country.alpha_2() == self.0.get(4..6)
    }
}

/// The number of an account at a bank abroad: 4 to 34 letters and digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ForeignAccountNumber(String);

/// The text is no number of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be the number of an account, 4 to 34 letters and digits without blanks")]
pub struct InvalidForeignAccount;

impl ForeignAccountNumber {
    /// Fewest characters.
    pub const LENGTH_MIN: usize = 4;

    /// Most characters, as of an IBAN.
    pub const LENGTH_MAX: usize = 34;

    /// Reads a number.
    ///
    /// # Errors
    /// Refuses other characters and lengths.
    pub fn parse(text: &str) -> Result<Self, InvalidForeignAccount> {
        let fits = (Self::LENGTH_MIN..=Self::LENGTH_MAX).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_alphanumeric());
        fits.then(|| Self(text.to_owned()))
            .ok_or(InvalidForeignAccount)
    }

    /// Its characters.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The account that is credited.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum BeneficiaryAccount {
    /// One that names its bank and country.
    Iban(Iban),
    /// A number at a bank.
    AtBank(Bic, ForeignAccountNumber),
}

impl BeneficiaryAccount {
    /// Whether it is in a country.
    pub fn is_of(&self, country: CountryCode) -> bool {
        match self {
            Self::Iban(iban) => iban.is_of(country),
            Self::AtBank(bank, _) => bank.is_of(country),
        }
    }

    /// Its number or IBAN.
    pub fn number(&self) -> &str {
        match self {
            Self::Iban(iban) => iban.as_str(),
            Self::AtBank(_, number) => number.as_str(),
        }
    }

    /// Its bank, where that is named.
    pub fn bank(&self) -> Option<&Bic> {
        match self {
            Self::Iban(_) => None,
            Self::AtBank(bank, _) => Some(bank),
        }
    }
}

/// Who is paid, and where.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Beneficiary {
    /// The name.
    pub name: BeneficiaryName,
    /// The account.
    pub account: BeneficiaryAccount,
    /// Where the beneficiary lives.
    pub address: PostalAddress,
}

/// The account of a beneficiary is not in the country that is paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be of {}, the country of the quote", CountryName(*.0))]
pub struct WrongCountry(pub CountryCode);

struct CountryName(CountryCode);

impl fmt::Display for CountryName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "country {}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bank_is_of_the_country_its_bic_names() {
        let ghana = CountryCode::parse("288").unwrap();
        let bank = Bic::parse("GCBLGHAC").unwrap();
        assert!(bank.is_of(ghana) && !bank.is_of(CountryCode::NIGERIA));
        assert!(Bic::parse("GCBLGHAC001").is_ok());
        for text in [
            "",
            "GCBLGHA",
            "gcblghac",
            "GCBLG1AC",
            "GCBLGHAC01",
            "GCBLGHAC0-1",
        ] {
            assert_eq!(Bic::parse(text), Err(InvalidBic), "{text:?}");
        }
        assert_eq!(
            WrongCountry(ghana).to_string(),
            "must be of Ghana, the country of the quote"
        );
    }

    #[test]
    fn names_and_addresses_are_one_line_of_bounded_length() {
        assert_eq!(
            BeneficiaryName::parse(" Ama Mensah ").unwrap().as_str(),
            "Ama Mensah"
        );
        let short = InvalidParty::Length(2, 70);
        for text in ["", " A ", &"x".repeat(71)] {
            assert_eq!(BeneficiaryName::parse(text), Err(short), "{text:?}");
        }
        let broken = PostalAddress::parse("1 High Street\nAccra");
        assert_eq!(broken, Err(InvalidParty::Unfit(UnfitText::Control)));
    }

    #[test]
    fn an_account_is_letters_and_digits() {
        for text in ["", "123", "12 34", "1234-5", &"1".repeat(35)] {
            assert_eq!(
                ForeignAccountNumber::parse(text),
                Err(InvalidForeignAccount),
                "{text:?}"
            );
        }
        assert!(ForeignAccountNumber::parse("1441000123456").is_ok());
    }
}
