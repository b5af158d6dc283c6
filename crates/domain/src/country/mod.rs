//! Countries by their ISO 3166-1 numeric code. It must never hold a dialling code.

mod table;

use std::fmt;
use table::COUNTRIES;

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

    /// Every country of the standard, by rising code.
    pub fn all() -> impl Iterator<Item = Self> {
        COUNTRIES.iter().map(|(code, _, _)| Self(*code))
    }

    /// The two capital letters ISO 3166-1 gives the country, such as `NG`; `None` where it has no
    /// such country.
    pub fn alpha_2(self) -> Option<&'static str> {
        self.entry().map(|(_, alpha_2, _)| *alpha_2)
    }

    /// The usual English name, such as `Nigeria`; `None` where the standard has no such country.
    pub fn name(self) -> Option<&'static str> {
        self.entry().map(|(_, _, name)| *name)
    }

    fn entry(self) -> Option<&'static (u16, &'static str, &'static str)> {
        let found = COUNTRIES.binary_search_by_key(&self.0, |(code, _, _)| *code);
        COUNTRIES.get(found.ok()?)
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_country_is_listed_once_and_found_by_its_code() {
        assert!(COUNTRIES.is_sorted_by(|(one, _, _), (other, _, _)| one < other));
        let alpha_2: BTreeSet<_> = CountryCode::all().map(CountryCode::alpha_2).collect();
        assert_eq!(alpha_2.len(), 249);
        for country in CountryCode::all() {
            assert_eq!(CountryCode::parse(&country.to_string()), Ok(country));
            let alpha_2 = country.alpha_2().unwrap();
            assert!(alpha_2.len() == 2 && alpha_2.bytes().all(|b| b.is_ascii_uppercase()));
            let name = country.name().unwrap();
            assert!(!name.is_empty() && name.trim() == name, "{name:?}");
        }
    }

    #[test]
    fn a_code_the_standard_does_not_have_has_no_name() {
        assert_eq!(CountryCode::NIGERIA.name(), Some("Nigeria"));
        assert_eq!(CountryCode::NIGERIA.alpha_2(), Some("NG"));
        let nowhere = CountryCode::parse("999").unwrap();
        assert_eq!((nowhere.name(), nowhere.alpha_2()), (None, None));
    }
}
