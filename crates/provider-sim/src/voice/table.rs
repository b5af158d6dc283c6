//! The table of what a minute of a voice call costs.

use crate::table_row::{TableError, UnitPrice, UnitRow};
use serde::Deserialize;

pub(crate) const TABLE: &str = include_str!("../../data/voice.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    minute: Vec<UnitRow>,
}

pub(crate) fn read(table: &str) -> Result<Vec<UnitPrice>, TableError> {
    let table: Table = toml::from_str(table)?;
    table.minute.into_iter().map(UnitRow::read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SandboxCatalogue;
    use domain::country::CountryCode;
    use domain::money::{Currency, Money};
    use ports::catalogue::Catalogue;

    #[test]
    fn a_minute_costs_fifteen_naira_or_three_credits() {
        let catalogue = SandboxCatalogue::new();
        for (currency, unit) in [(Currency::Ngn, "15.00"), (Currency::Crd, "3.00")] {
            let price = catalogue.voice(CountryCode::NIGERIA, currency).unwrap();
            assert_eq!(price.unit, Money::parse(unit, currency).unwrap());
            assert_eq!(price.terms.fee, Money::zero(currency));
            assert!(price.terms.discount >= price.terms.commission);
            let ghana = CountryCode::parse("288").unwrap();
            assert_eq!(catalogue.voice(ghana, currency), None);
        }
    }

    #[test]
    fn a_table_with_a_wrong_value_names_the_entry_and_the_field() {
        let wrong = |from, to| read(&TABLE.replacen(from, to, 1)).unwrap_err().to_string();
        assert_eq!(
            wrong("\"15.00\"", "\"0.00\""),
            "566 NGN: unit is not acceptable"
        );
        assert_eq!(
            wrong("\"CRD\"", "\"EUR\""),
            "566 EUR: currency is not acceptable"
        );
    }
}
