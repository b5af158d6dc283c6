//! Institutions that keep accounts, and the codes they go by. An identifier must never be given to
//! another institution.

use crate::country::CountryCode;
use std::fmt;

/// The identity of a bank, `bankIdentifier` on the interface: exactly 11 of `[A-Z0-9]`
/// (interface §8).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BankIdentifier(String);

/// The text is not a bank identifier by shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be the identifier of a bank, 11 capital letters and digits")]
pub struct InvalidBankIdentifier;

impl BankIdentifier {
    /// Characters of every identifier (interface §8).
    pub const LENGTH: usize = 11;

    /// Reads an identifier.
    ///
    /// # Errors
    /// Refuses other lengths and characters, lower-case letters included: an identifier is copied
    /// from the list of banks, never typed, and has one spelling.
    pub fn parse(text: &str) -> Result<Self, InvalidBankIdentifier> {
        let allowed = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit();
        let fits = text.len() == Self::LENGTH && text.bytes().all(allowed);
        fits.then(|| Self(text.to_owned()))
            .ok_or(InvalidBankIdentifier)
    }

    /// The identifier as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for BankIdentifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The code a central bank gave an institution, `codeBank` on the interface: 3 digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BankCode(String);

/// The text is not a bank code by shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a bank code of 3 digits")]
pub struct InvalidBankCode;

impl BankCode {
    /// Digits of every bank code (interface §8).
    pub const DIGITS: usize = 3;

    /// Reads a bank code.
    ///
    /// # Errors
    /// Refuses anything but 3 ASCII digits.
    pub fn parse(text: &str) -> Result<Self, InvalidBankCode> {
        let fits = are_digits(text, Self::DIGITS);
        fits.then(|| Self(text.to_owned())).ok_or(InvalidBankCode)
    }

    /// The digits, leading zeros included.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The code an institution has in its country's instant-transfer scheme, `codeTransfer` on the
/// interface: 6 digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TransferCode(String);

/// The text is not a transfer code by shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a transfer code of 6 digits")]
pub struct InvalidTransferCode;

impl TransferCode {
    /// Digits of every transfer code (interface §8).
    pub const DIGITS: usize = 6;

    /// Reads a transfer code.
    ///
    /// # Errors
    /// Refuses anything but 6 ASCII digits.
    pub fn parse(text: &str) -> Result<Self, InvalidTransferCode> {
        let fits = are_digits(text, Self::DIGITS);
        fits.then(|| Self(text.to_owned()))
            .ok_or(InvalidTransferCode)
    }

    /// The digits, leading zeros included.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn are_digits(text: &str, count: usize) -> bool {
    text.len() == count && text.bytes().all(|b| b.is_ascii_digit())
}

/// What an institution is licensed as, in the classes of the Central Bank of Nigeria.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BankKind {
    /// Takes deposits from anyone.
    Commercial,
    /// Takes large deposits, mostly from companies.
    Merchant,
    /// Takes deposits without interest.
    NonInterest,
    /// Small deposits and small loans.
    Microfinance,
    /// Lends against homes.
    Mortgage,
    /// Lends, and takes placements instead of deposits.
    Finance,
    /// Lends for public aims.
    Development,
    /// Takes small deposits, moves money and may not lend.
    PaymentService,
    /// Keeps wallets, usually under telephone numbers.
    MobileMoney,
}

impl BankKind {
    /// Every kind.
    pub const ALL: [Self; 9] = [
        Self::Commercial,
        Self::Merchant,
        Self::NonInterest,
        Self::Microfinance,
        Self::Mortgage,
        Self::Finance,
        Self::Development,
        Self::PaymentService,
        Self::MobileMoney,
    ];

    /// The words the interface shows as `bankType`.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Commercial => "Commercial Bank",
            Self::Merchant => "Merchant Bank",
            Self::NonInterest => "Non-Interest Bank",
            Self::Microfinance => "Microfinance Bank",
            Self::Mortgage => "Mortgage Bank",
            Self::Finance => "Finance Company",
            Self::Development => "Development Finance Institution",
            Self::PaymentService => "Payment Service Bank",
            Self::MobileMoney => "Mobile Money Operator",
        }
    }

    /// The lower-case word of records.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Commercial => "commercial",
            Self::Merchant => "merchant",
            Self::NonInterest => "non-interest",
            Self::Microfinance => "microfinance",
            Self::Mortgage => "mortgage",
            Self::Finance => "finance",
            Self::Development => "development",
            Self::PaymentService => "payment-service",
            Self::MobileMoney => "mobile-money",
        }
    }

    /// Reads the word of a record; `None` for any other word.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }
}

/// An institution as listed (interface §2.9).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bank {
    /// Its identity.
    pub identifier: BankIdentifier,
    /// Where it is licensed.
    pub country: CountryCode,
    /// What it is licensed as.
    pub kind: BankKind,
    /// Brand name, such as `GTBank`.
    pub shortname: String,
    /// Legal name.
    pub fullname: String,
    /// The central bank's code, where it has three digits.
    pub code: Option<BankCode>,
    /// The instant-transfer scheme's code; who has none cannot be paid through it.
    pub transfer_code: Option<TransferCode>,
    /// What customers dial, such as `*737#`.
    pub ussd: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_is_eleven_capitals_and_digits() {
        for text in ["00000000014", "ABNGNGLAXXX", "A1B2C3D4E5F"] {
            assert_eq!(BankIdentifier::parse(text).unwrap().to_string(), text);
        }
        for text in [
            "",
            "ABNGNGLAXX",
            "ABNGNGLAXXXX",
            "abngnglaxxx",
            "ABNGNGLA-XX",
            " BNGNGLAXXX",
            "É000000000", // eleven bytes, ten characters
            "ÉÉÉÉÉA",
            "٠١٢٣٤0",
        ] {
            assert_eq!(
                BankIdentifier::parse(text),
                Err(InvalidBankIdentifier),
                "{text:?}"
            );
        }
    }

    #[test]
    fn codes_keep_their_leading_zeros_and_their_lengths() {
        assert_eq!(BankCode::parse("011").unwrap().as_str(), "011");
        assert_eq!(TransferCode::parse("000016").unwrap().as_str(), "000016");
        for text in ["", "11", "0111", "0a1", "+11", "٣"] {
            assert_eq!(BankCode::parse(text), Err(InvalidBankCode), "{text:?}");
        }
        for text in ["", "00016", "0000016", "00001x", "-00016", "٣٣٣"] {
            assert_eq!(
                TransferCode::parse(text),
                Err(InvalidTransferCode),
                "{text:?}"
            );
        }
    }

    #[test]
    fn every_kind_has_its_own_words_and_is_read_back() {
        for kind in BankKind::ALL {
            assert_eq!(BankKind::from_code(kind.code()), Some(kind));
            let same = |other: &&BankKind| other.label() == kind.label();
            assert_eq!(BankKind::ALL.iter().filter(same).count(), 1, "{kind:?}");
        }
        assert_eq!(BankKind::from_code("Commercial"), None);
        assert_eq!(BankKind::from_code(""), None);
    }
}
