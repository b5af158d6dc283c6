//! Reads `countryCode`, and words the error for a country that is not served. It must not decide
//! which countries are served.

use domain::country::{CountryCode, InvalidCountry};

/// Dialling codes of served countries. Each is the ISO 3166-1 code of another country, so a code is
/// taken for a dialling code only where that country is not served.
const DIALLING_CODES: [(&str, CountryCode); 1] = [("234", CountryCode::NIGERIA)];

/// The message for a number that the plan of its country does not have.
pub(crate) const NOT_IN_PLAN: &str =
    "does not exist in the numbering plan of countryCode; check both";

/// Reads a country code.
pub(crate) fn parse(text: &str) -> Result<CountryCode, String> {
    CountryCode::parse(text).map_err(|error: InvalidCountry| {
        // A plus sign that was not encoded in a query is a space.
        let digits = text.trim_start_matches(['+', ' ']);
        let digits = digits.strip_prefix("00").unwrap_or(digits);
        dialled(digits).map_or_else(|| error.to_string(), dialling_code)
    })
}

/// The error for a country that is not served.
pub fn not_served(country: CountryCode) -> String {
    dialled(&country.to_string()).map_or_else(
        || "is not served; nothing is sold there, try 566 (Nigeria)".to_owned(),
        dialling_code,
    )
}

fn dialled(digits: &str) -> Option<CountryCode> {
    let found = DIALLING_CODES.iter().find(|(code, _)| *code == digits);
    found.map(|(_, country)| *country)
}

fn dialling_code(country: CountryCode) -> String {
    let name = country.name().unwrap_or_default();
    format!("is the dialling code of {name}; send its ISO 3166-1 numeric code, {country}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIALLED: &str = "is the dialling code of Nigeria; send its ISO 3166-1 numeric code, 566";

    #[test]
    fn a_dialling_code_is_called_one_where_it_means_no_country_that_is_served() {
        let country = |text| CountryCode::parse(text).unwrap();
        assert_eq!(not_served(country("234")), DIALLED);
        assert_eq!(
            not_served(country("288")),
            "is not served; nothing is sold there, try 566 (Nigeria)"
        );
        for text in ["+234", " 234", "00234"] {
            assert_eq!(parse(text), Err(DIALLED.to_owned()), "{text}");
        }
        for text in ["+233", "", "NG", "5666"] {
            assert_eq!(parse(text), Err(InvalidCountry.to_string()), "{text}");
        }
        // The Faroe Islands are a country, whether they are served or not.
        assert_eq!(parse("234"), Ok(country("234")));
    }
}
