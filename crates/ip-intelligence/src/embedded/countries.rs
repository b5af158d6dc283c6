//! The common data of all addresses of a country: its name, continent, currency and, where it has
//! only one, its time zone. It must not choose among several time zones.

use domain::geolocation::{CodedName, GeoPlace};

use super::lines;

static COUNTRIES: &str = include_str!("../../data/countries.tsv");

/// One country of the table; unknown values are empty.
struct Country<'a> {
    name: &'a str,
    continent: &'a str,
    currency: &'a str,
    zone: &'a str,
}

impl Country<'static> {
    fn find(code: &str) -> Option<Self> {
        let line = lines::first_not(COUNTRIES, |key| key < code)?;
        let mut fields = line.split('\t');
        if fields.next()? != code {
            return None;
        }
        Some(Self {
            name: fields.next()?,
            continent: fields.next()?,
            currency: fields.next()?,
            zone: fields.next()?,
        })
    }
}

/// A country with its name, where the code is one.
pub(crate) fn named(code: String) -> CodedName {
    let country = Country::find(&code);
    CodedName {
        name: country.map(|country| country.name.to_owned()),
        code: Some(code),
    }
}

/// The place completed with the data of its country, where it has none of its own.
pub(crate) fn complete(place: GeoPlace) -> GeoPlace {
    let code = place
        .country
        .as_ref()
        .and_then(|named| named.code.as_deref());
    let Some(country) = code.and_then(Country::find) else {
        return place;
    };
    GeoPlace {
        continent: place.continent.or_else(|| continent(country.continent)),
        currency: place.currency.or_else(|| known(country.currency)),
        timezone: place.timezone.or_else(|| known(country.zone)),
        ..place
    }
}

fn known(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

fn continent(code: &str) -> Option<CodedName> {
    let name = match code {
        "AF" => "Africa",
        "AN" => "Antarctica",
        "AS" => "Asia",
        "EU" => "Europe",
        "NA" => "North America",
        "OC" => "Oceania",
        "SA" => "South America",
        _ => return None,
    };
    Some(CodedName {
        name: Some(name.to_owned()),
        code: Some(code.to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::offset;
    use domain::time::Timestamp;

    fn place(code: &str) -> GeoPlace {
        complete(GeoPlace {
            country: Some(named(code.to_owned())),
            ..GeoPlace::default()
        })
    }

    #[test]
    fn a_country_has_a_continent_a_currency_and_one_time_zone_or_none() {
        let nigeria = place("NG");
        assert_eq!(nigeria.country.unwrap().name.as_deref(), Some("Nigeria"));
        assert_eq!(nigeria.continent, continent("AF"));
        assert_eq!(nigeria.currency.as_deref(), Some("NGN"));
        assert_eq!(nigeria.timezone.as_deref(), Some("Africa/Lagos"));
        assert_eq!(place("US").timezone, None, "it has many");
        assert_eq!(place("AQ").currency, None, "it has none");
    }

    #[test]
    fn what_is_known_better_stays() {
        let place = complete(GeoPlace {
            timezone: Some("America/New_York".into()),
            currency: Some("EUR".into()),
            continent: continent("SA"),
            country: Some(named("US".into())),
            ..GeoPlace::default()
        });
        assert_eq!(place.timezone.as_deref(), Some("America/New_York"));
        assert_eq!(place.currency.as_deref(), Some("EUR"));
        assert_eq!(place.continent, continent("SA"));
    }

    #[test]
    fn a_code_that_is_no_country_has_no_details() {
        for code in ["", "N", "ng", "ZZ", "NGA"] {
            let place = place(code);
            assert_eq!(place.country.unwrap().name, None, "{code}");
            assert_eq!(place.continent, None, "{code}");
        }
    }

    #[test]
    fn every_country_of_the_table_has_a_known_continent_and_a_known_zone() {
        let mut before = "";
        for line in lines::of(COUNTRIES) {
            let code = line.split('\t').next().unwrap();
            let country = Country::find(code).unwrap();
            assert!(before < code, "{before}, {code}");
            assert!(continent(country.continent).is_some(), "{line}");
            assert!(!country.name.is_empty(), "{line}");
            assert!(matches!(country.currency.len(), 0 | 3), "{line}");
            let zone = country.zone;
            let offset = offset::seconds(zone, Timestamp::from_millis(0));
            assert!(zone.is_empty() || offset.is_some(), "{line}");
            before = code;
        }
        assert_eq!(lines::of(COUNTRIES).count(), 250);
    }
}
