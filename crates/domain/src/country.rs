//! Countries by their ISO 3166-1 numeric code. It must never hold a dialling code.

use std::fmt;

/// An ISO 3166-1 numeric country code, `countryCode` on the interface (interface §4.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CountryCode(u16);

/// The number is not an ISO 3166-1 numeric code by shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be an ISO 3166-1 numeric country code such as 566")]
pub struct InvalidCountry;

impl CountryCode {
    /// Nigeria, where the gateway's catalogue sells.
    pub const NIGERIA: Self = Self(566);

    /// Reads one to three ASCII digits from 1 to 999 (leading zeros as in `012` belong to ISO).
    ///
    /// # Errors
    /// Refuses anything else.
    pub fn parse(text: &str) -> Result<Self, InvalidCountry> {
        let digits = (1..=3).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        let code = text.parse::<u16>().ok().filter(|code| digits && *code > 0);
        code.map(Self).ok_or(InvalidCountry)
    }

    /// The code as a number.
    pub const fn get(self) -> u16 {
        self.0
    }
}

/// Shows the three digits ISO writes: `012`, `566`.
impl fmt::Display for CountryCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:03}", self.0)
    }
}
