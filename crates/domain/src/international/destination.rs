//! Amounts that arrive abroad. They must never be taken for money of a wallet: the gateway keeps no
//! balance in these currencies.

use crate::money::{self, ParseError};
use std::fmt;

/// A currency that arrives abroad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DestinationCurrency {
    code: &'static str,
    decimals: usize,
}

/// ISO 4217: the alphabetic code and how many decimals an amount has.
const CURRENCIES: [(&str, usize); 16] = [
    ("AED", 2),
    ("CAD", 2),
    ("CNY", 2),
    ("EGP", 2),
    ("EUR", 2),
    ("GBP", 2),
    ("GHS", 2),
    ("INR", 2),
    ("KES", 2),
    ("RWF", 0),
    ("TZS", 2),
    ("UGX", 0),
    ("USD", 2),
    ("XAF", 0),
    ("XOF", 0),
    ("ZAR", 2),
];

impl DestinationCurrency {
    /// Every currency there is.
    pub fn all() -> impl Iterator<Item = Self> {
        let all = CURRENCIES.iter();
        all.map(|&(code, decimals)| Self { code, decimals })
    }

    /// The currency of an ISO 4217 code in capital letters.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::all().find(|currency| currency.code == code)
    }

    /// Three capital letters.
    pub const fn code(self) -> &'static str {
        self.code
    }

    /// How many decimals an amount of it has.
    pub const fn decimals(self) -> usize {
        self.decimals
    }
}

/// An amount above zero in a currency that arrives abroad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DestinationAmount {
    minor: i64,
    currency: DestinationCurrency,
}

impl DestinationAmount {
    /// An amount of minor units; `None` unless it is above zero and at most
    /// [`Money::MAX_MINOR`](crate::money::Money::MAX_MINOR).
    pub fn from_minor(minor: i64, currency: DestinationCurrency) -> Option<Self> {
        let fits = (1..=money::Money::MAX_MINOR).contains(&minor);
        fits.then_some(Self { minor, currency })
    }

    /// Reads an amount as [`Money::parse`](crate::money::Money::parse) does; `None` for zero.
    ///
    /// # Errors
    /// Refuses what is no amount of the currency.
    pub fn parse(text: &str, currency: DestinationCurrency) -> Result<Option<Self>, ParseError> {
        let minor = money::parse_minor(text, currency.decimals)?;
        Ok(Self::from_minor(minor, currency))
    }

    /// The amount in minor units.
    pub const fn minor(self) -> i64 {
        self.minor
    }

    /// Its currency.
    pub const fn currency(self) -> DestinationCurrency {
        self.currency
    }
}

/// Writes the amount with thousands grouping and all decimals: `1,234.00`, or `1,234` in a currency
/// without decimals.
impl fmt::Display for DestinationAmount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        money::write_grouped(f, self.minor, self.currency.decimals)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_currency_is_found_by_its_code_and_shows_its_own_decimals() {
        let francs = DestinationCurrency::from_code("XOF").unwrap();
        let amount = DestinationAmount::parse("1,234,567", francs).unwrap();
        assert_eq!(amount.unwrap().to_string(), "1,234,567");
        let more = DestinationAmount::parse("1.5", francs);
        assert_eq!(more, Err(ParseError::TooManyDecimals(0)));
        let dollars = DestinationCurrency::from_code("USD").unwrap();
        assert_eq!(DestinationAmount::parse("0.00", dollars), Ok(None));
        for unknown in ["usd", "NGN", "CRD", ""] {
            assert_eq!(DestinationCurrency::from_code(unknown), None, "{unknown}");
        }
    }

    proptest! {
        #[test]
        fn every_amount_reads_back(minor in 1_i64..=9_007_199_254_740_991, at in 0_usize..16) {
            let currency = DestinationCurrency::all().nth(at).unwrap();
            let amount = DestinationAmount::from_minor(minor, currency).unwrap();
            let read = DestinationAmount::parse(&amount.to_string(), currency);
            prop_assert_eq!(read, Ok(Some(amount)));
        }
    }
}
