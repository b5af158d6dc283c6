//! The table of payouts. It must not list banks: they are those of the directory of banks.

use crate::table_row::TableError;
use domain::country::CountryCode;
use domain::money::{Currency, Money};
use serde::Deserialize;

pub(crate) const TABLE: &str = include_str!("../../data/bank.toml");

/// The limits of payouts in a country and a currency.
#[derive(Debug, Clone)]
pub(crate) struct Payouts {
    country: CountryCode,
    minimum: Money,
    maximum: Money,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    payouts: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    country: String,
    currency: String,
    minimum: String,
    maximum: String,
}

pub(crate) fn read(table: &str) -> Result<Vec<Payouts>, TableError> {
    let table: Table = toml::from_str(table)?;
    table.payouts.iter().map(payouts).collect()
}

fn payouts(row: &Row) -> Result<Payouts, TableError> {
    let wrong = |field| TableError::Field {
        entry: format!("{} {}", row.country, row.currency),
        field,
    };
    let currency = Currency::from_code(&row.currency).ok_or_else(|| wrong("currency"))?;
    let money = |text: &str| Money::parse(text, currency).ok();
    Ok(Payouts {
        country: CountryCode::parse(&row.country).map_err(|_| wrong("country"))?,
        minimum: money(&row.minimum).ok_or_else(|| wrong("minimum"))?,
        maximum: money(&row.maximum).ok_or_else(|| wrong("maximum"))?,
    })
}

/// The smallest and largest payout; `None` where none are made.
pub(crate) fn limits(
    payouts: &[Payouts],
    country: CountryCode,
    currency: Currency,
) -> Option<(Money, Money)> {
    let mut rows = payouts.iter().filter(|row| row.country == country);
    let row = rows.find(|row| row.minimum.currency() == currency)?;
    Some((row.minimum, row.maximum))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SandboxCatalogue;
    use ports::catalogue::Catalogue;

    #[test]
    fn payouts_are_made_in_naira_from_a_hundred_to_ten_million() {
        let catalogue = SandboxCatalogue::new();
        let naira = |text| Money::parse(text, Currency::Ngn).unwrap();
        assert_eq!(
            catalogue.payouts(CountryCode::NIGERIA, Currency::Ngn),
            Some((naira("100.00"), naira("10,000,000.00")))
        );
        let credits = catalogue.payouts(CountryCode::NIGERIA, Currency::Crd);
        assert_eq!(credits, None);
        let ghana = CountryCode::parse("288").unwrap();
        assert_eq!(catalogue.payouts(ghana, Currency::Ngn), None);
    }

    #[test]
    fn a_table_with_a_wrong_value_names_the_entry_and_the_field() {
        let table = TABLE.replacen("\"100.00\"", "\"-1\"", 1);
        let error = read(&table).unwrap_err();
        assert_eq!(error.to_string(), "566 NGN: minimum is not acceptable");
    }
}
