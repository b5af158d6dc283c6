//! The countries of ISO 3166-1 with what an address in one of them has in common. It must not say
//! which time zone a country has where it has more than one.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde_json::Value;

const HEADER: &str = "\
# The countries of ISO 3166-1, and Kosovo; sorted by code. Made by `cargo xtask data`, never by
# hand. Origin and licences: README.md beside this file.
# Columns, one tab apart, empty for nothing: alpha-2 code, English name, continent code, currency
# code, time zone where the country has exactly one.
";

/// In use without being in the standard.
const KOSOVO: &str = "XK";

/// What is known of a country.
#[derive(Debug)]
pub(super) struct Country {
    name: String,
    continent: String,
    currency: String,
    zone: String,
}

/// Countries by their alpha-2 codes.
pub(super) type Countries = BTreeMap<String, Country>;

pub(super) fn table(facts: &str, codes: &str, zones: &str) -> Result<Countries> {
    let facts: Value = serde_json::from_str(facts).context("the facts are no JSON")?;
    let zones = single_zones(zones);
    let listed = codes
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split('\t').next());
    listed
        .chain([KOSOVO])
        .map(|code| {
            let facts = facts.get(code).context("has no facts");
            let country = facts.and_then(|facts| country(facts, zones.get(code).copied()));
            let country = country.with_context(|| format!("country {code}"))?;
            Ok((code.to_owned(), country))
        })
        .collect()
}

fn country(facts: &Value, zone: Option<&str>) -> Result<Country> {
    let text = |name: &str| Some(facts.get(name)?.as_str()?.to_owned());
    // The first currency is the one most prices are in.
    let currency = facts.pointer("/currency/0").and_then(Value::as_str);
    Ok(Country {
        name: text("name").context("has no name")?,
        continent: text("continent").context("has no continent")?,
        currency: currency.unwrap_or_default().to_owned(),
        zone: zone.unwrap_or_default().to_owned(),
    })
}

/// The zones of countries that have one.
fn single_zones(zones: &str) -> BTreeMap<&str, &str> {
    let mut by_country: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for line in zones.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        if let [code, _, zone, ..] = fields[..] {
            by_country.entry(code).or_default().push(zone);
        }
    }
    let single = |(code, zones): (_, Vec<_>)| match zones[..] {
        [zone] => Some((code, zone)),
        _ => None,
    };
    by_country.into_iter().filter_map(single).collect()
}

/// The number of a country within a table of ranges, from one, its two letters as digits of base
/// 26; `None` for a code that no country has any more.
pub(super) fn number(code: &str, countries: &Countries) -> Option<u64> {
    countries.get(code)?;
    let digit = |letter: u8| u64::from(letter - b'A');
    let letters = code.as_bytes().first_chunk::<2>()?;
    Some(digit(letters[0]) * 26 + digit(letters[1]) + 1)
}

pub(super) fn written(countries: &Countries) -> String {
    let mut table = HEADER.to_owned();
    for (code, country) in countries {
        let fields = [
            code,
            &country.name,
            &country.continent,
            &country.currency,
            &country.zone,
        ];
        table.push_str(&fields.map(String::as_str).join("\t"));
        table.push('\n');
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACTS: &str = r#"{
        "DE": {"name": "Germany", "continent": "EU", "currency": ["EUR"]},
        "NG": {"name": "Nigeria", "continent": "AF", "currency": ["NGN"]},
        "XK": {"name": "Kosovo", "continent": "EU", "currency": ["EUR"]},
        "AQ": {"name": "Antarctica", "continent": "AN", "currency": []}
    }"#;
    const CODES: &str = "# codes\nAQ\tAntarctica\nDE\tGermany\nNG\tNigeria\n";
    const ZONES: &str = "# zones\nDE\t+5230+01322\tEurope/Berlin\tmost of Germany\n\
        DE\t+4742+00841\tEurope/Busingen\tBusingen\nNG\t+0627+00324\tAfrica/Lagos\n";

    #[test]
    fn a_country_has_a_zone_where_it_has_only_one() {
        let countries = table(FACTS, CODES, ZONES).unwrap();
        let written = written(&countries);
        let lines: Vec<&str> = written.lines().skip(4).collect();
        assert_eq!(
            lines,
            [
                "AQ\tAntarctica\tAN\t\t",
                "DE\tGermany\tEU\tEUR\t",
                "NG\tNigeria\tAF\tNGN\tAfrica/Lagos",
                "XK\tKosovo\tEU\tEUR\t",
            ]
        );
    }

    #[test]
    fn a_code_without_a_country_has_no_number() {
        let countries = table(FACTS, CODES, ZONES).unwrap();
        assert_eq!(number("AQ", &countries), Some(17));
        assert_eq!(number("AN", &countries), None);
    }

    #[test]
    fn a_country_without_facts_is_refused() {
        assert!(table(FACTS, "ZZ\tNowhere\n", ZONES).is_err());
    }
}
