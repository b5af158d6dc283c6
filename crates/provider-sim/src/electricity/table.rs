//! The table of distribution companies. It must not hold a customer: meters are derived, never
//! listed.

use crate::table_row::{COUNTRY, CURRENCY};
use crate::table_row::{Shares, TableError};
use domain::electricity::{Disco, DiscoCode, Tariff};
use rust_decimal::Decimal;
use serde::Deserialize;

pub(crate) const TABLE: &str = include_str!("../../data/electricity.toml");

/// The service bands, best first: from 20 hours of supply a day down to 4.
const BANDS: [&str; 5] = ["A", "B", "C", "D", "E"];

/// A company, and what only its own system knows.
#[derive(Debug, Clone)]
pub(crate) struct DiscoRecord {
    pub(crate) disco: Disco,
    /// Where its customers live; never empty.
    pub(crate) areas: Vec<String>,
    /// What a kilowatt-hour costs in each band.
    pub(crate) tariffs: [Tariff; 5],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    disco: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    code: String,
    brandname: String,
    company: String,
    address: String,
    prepaid: Shares,
    postpaid: Shares,
    available: bool,
    areas: Vec<String>,
    rates: [String; 5],
}

pub(crate) fn read(table: &str) -> Result<Vec<DiscoRecord>, TableError> {
    let table: Table = toml::from_str(table)?;
    table.disco.into_iter().map(record).collect()
}

fn record(row: Row) -> Result<DiscoRecord, TableError> {
    let wrong = |field| TableError::Field {
        entry: row.brandname.clone(),
        field,
    };
    let prepaid = row
        .prepaid
        .terms(CURRENCY)
        .ok_or_else(|| wrong("prepaid"))?;
    let postpaid = row
        .postpaid
        .terms(CURRENCY)
        .ok_or_else(|| wrong("postpaid"))?;
    let code = DiscoCode::parse(&row.code).map_err(|_| wrong("code"))?;
    let tariffs = tariffs(&row.rates).ok_or_else(|| wrong("rates"))?;
    if row.areas.is_empty() {
        return Err(wrong("areas"));
    }
    let disco = Disco {
        code,
        country: COUNTRY,
        brandname: row.brandname,
        company: row.company,
        // It has none of its own: the gateway draws one.
        address: row.address,
        prepaid,
        postpaid,
        available: row.available,
    };
    Ok(DiscoRecord {
        disco,
        areas: row.areas,
        tariffs,
    })
}

fn tariffs(rates: &[String; 5]) -> Option<[Tariff; 5]> {
    let tariff = |(band, rate): (&str, &String)| {
        let rate = Decimal::from_str_exact(rate).ok()?;
        let band = band.to_owned();
        (rate > Decimal::ZERO).then_some(Tariff {
            band,
            rate: Some(rate),
        })
    };
    let tariffs: Option<Vec<_>> = BANDS.into_iter().zip(rates).map(tariff).collect();
    tariffs?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SandboxCatalogue;
    use domain::country::CountryCode;
    use ports::catalogue::Catalogue;

    #[test]
    fn all_twelve_companies_are_listed_once_and_one_cannot_be_paid_now() {
        let catalogue = SandboxCatalogue::new();
        let discos = catalogue.discos(CountryCode::NIGERIA);
        let codes: Vec<_> = discos.iter().map(|disco| disco.code.as_str()).collect();
        let expected: Vec<_> = (101..=112).map(|code: u32| code.to_string()).collect();
        assert_eq!(codes, expected);
        let closed: Vec<_> = discos.iter().filter(|disco| !disco.available).collect();
        assert_eq!(closed.len(), 1);
        assert!(
            catalogue
                .discos(CountryCode::parse("288").unwrap())
                .is_empty()
        );
        for disco in discos {
            assert_eq!(catalogue.disco(&disco.code), Some(disco));
        }
        assert_eq!(catalogue.disco(&DiscoCode::parse("999").unwrap()), None);
    }

    #[test]
    fn every_company_can_be_sold_at_a_gain_and_has_falling_tariffs() {
        for record in read(TABLE).unwrap() {
            let name = &record.disco.brandname;
            for terms in [record.disco.prepaid, record.disco.postpaid] {
                assert!(terms.discount >= terms.commission, "{name}");
            }
            assert!(
                record
                    .tariffs
                    .windows(2)
                    .all(|pair| pair[0].rate > pair[1].rate),
                "{name}"
            );
        }
    }

    #[test]
    fn a_table_with_a_wrong_value_names_the_entry_and_the_field() {
        let table = TABLE.replacen("\"209.50\"", "\"0\"", 1);
        let error = read(&table).unwrap_err();
        assert_eq!(error.to_string(), "Abuja Electric: rates is not acceptable");
    }
}
