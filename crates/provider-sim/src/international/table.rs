//! The table of countries that money is sent to. It must not say what a transfer costs: that is the
//! gateway's to work out.

use crate::table_row::{CURRENCY, TableError};
use domain::country::CountryCode;
use domain::international::{Corridor, DestinationCurrency, ExchangeRate};
use domain::money::Money;
use domain::percent::Percent;
use serde::Deserialize;

pub(crate) const TABLE: &str = include_str!("../../data/international.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    corridor: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    country: String,
    currency: String,
    rate: String,
    minimum: String,
    maximum: String,
    share: String,
    fee: String,
    available: bool,
}

/// The corridors, and the rates of the sandbox in the same order.
#[derive(Debug, Clone)]
pub(crate) struct Corridors {
    pub(crate) all: Vec<Corridor>,
    rates: Vec<ExchangeRate>,
}

impl Corridors {
    /// What one naira buys of a currency in a country.
    pub(super) fn rate(
        &self,
        country: CountryCode,
        currency: DestinationCurrency,
    ) -> Option<ExchangeRate> {
        let mut all = self.all.iter().zip(&self.rates);
        let found = all.find(|(it, _)| it.country == country && it.currency == currency);
        found.map(|(_, rate)| *rate)
    }
}

pub(crate) fn read(table: &str) -> Result<Corridors, TableError> {
    let table: Table = toml::from_str(table)?;
    let rows = table.corridor.iter().map(corridor);
    let (all, rates) = rows.collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
    Ok(Corridors { all, rates })
}

fn corridor(row: &Row) -> Result<(Corridor, ExchangeRate), TableError> {
    let wrong = |field| TableError::Field {
        entry: format!("{} {}", row.country, row.currency),
        field,
    };
    let money = |text: &str| Money::parse(text, CURRENCY).ok();
    let currency = DestinationCurrency::from_code(&row.currency);
    let rate = ExchangeRate::parse(&row.rate).map_err(|_| wrong("rate"))?;
    let corridor = Corridor {
        country: CountryCode::parse(&row.country).map_err(|_| wrong("country"))?,
        currency: currency.ok_or_else(|| wrong("currency"))?,
        minimum: money(&row.minimum).ok_or_else(|| wrong("minimum"))?,
        maximum: money(&row.maximum).ok_or_else(|| wrong("maximum"))?,
        share: Percent::parse(&row.share).map_err(|_| wrong("share"))?,
        fee: money(&row.fee).ok_or_else(|| wrong("fee"))?,
        available: row.available,
    };
    Ok((corridor, rate))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_corridor_is_listed_once_and_one_is_closed() {
        let corridors = read(TABLE).unwrap();
        let names = corridors
            .all
            .iter()
            .map(|it| (it.country, it.currency.code()));
        assert_eq!(names.collect::<BTreeSet<_>>().len(), corridors.all.len());
        assert_eq!(corridors.all.iter().filter(|it| !it.available).count(), 1);
        for corridor in &corridors.all {
            assert!(corridor.country.name().is_some());
            assert!(corridor.minimum.minor() < corridor.maximum.minor());
            let rate = corridors.rate(corridor.country, corridor.currency).unwrap();
            // The smallest transfer arrives, and buys what is worth sending.
            let arrives = rate.buys(corridor.minimum, corridor.currency).unwrap();
            assert!(arrives.minor() > 100, "{corridor:?}");
        }
    }

    #[test]
    fn a_table_with_a_wrong_value_names_the_entry_and_the_field() {
        let table = TABLE.replacen("\"0.0085\"", "\"0\"", 1);
        let error = read(&table).unwrap_err();
        assert_eq!(error.to_string(), "288 GHS: rate is not acceptable");
    }
}
