//! The table of transfers to cards. It must not hold a card: those are derived, never listed.

use crate::table_row::TableError;
use domain::money::{Currency, Money};
use serde::Deserialize;

pub(crate) const TABLE: &str = include_str!("../../data/card.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    transfers: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    currency: String,
    minimum: String,
    maximum: String,
}

/// The smallest and largest transfer in each currency.
pub(crate) fn read(table: &str) -> Result<Vec<(Money, Money)>, TableError> {
    let table: Table = toml::from_str(table)?;
    table.transfers.iter().map(limits).collect()
}

fn limits(row: &Row) -> Result<(Money, Money), TableError> {
    let wrong = |field| TableError::Field {
        entry: row.currency.clone(),
        field,
    };
    let currency = Currency::from_code(&row.currency).ok_or_else(|| wrong("currency"))?;
    let money = |text: &str| Money::parse(text, currency).ok();
    Ok((
        money(&row.minimum).ok_or_else(|| wrong("minimum"))?,
        money(&row.maximum).ok_or_else(|| wrong("maximum"))?,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SandboxCatalogue;
    use ports::catalogue::Catalogue;

    #[test]
    fn cards_are_paid_in_naira_from_a_hundred_to_a_million() {
        let catalogue = SandboxCatalogue::new();
        let naira = |text| Money::parse(text, Currency::Ngn).unwrap();
        let limits = (naira("100.00"), naira("1,000,000.00"));
        assert_eq!(catalogue.card_transfers(Currency::Ngn), Some(limits));
        assert_eq!(catalogue.card_transfers(Currency::Crd), None);
    }

    #[test]
    fn a_table_with_a_wrong_value_names_the_entry_and_the_field() {
        let table = TABLE.replacen("\"100.00\"", "\"-1\"", 1);
        let error = read(&table).unwrap_err();
        assert_eq!(error.to_string(), "NGN: minimum is not acceptable");
    }
}
