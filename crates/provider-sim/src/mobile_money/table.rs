//! The table of mobile money operators. It must not hold a wallet: those are derived, never listed.

use crate::table_row::{COUNTRY, CURRENCY, TableError};
use domain::mobile_money::MobileMoneyOperator;
use domain::money::Money;
use domain::subscription::BillerCode;
use serde::Deserialize;

pub(crate) const TABLE: &str = include_str!("../../data/mobile_money.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    operator: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    code: String,
    brandname: String,
    company: String,
    minimum: String,
    maximum: String,
    available: bool,
}

pub(crate) fn read(table: &str) -> Result<Vec<MobileMoneyOperator>, TableError> {
    let table: Table = toml::from_str(table)?;
    table.operator.into_iter().map(operator).collect()
}

fn operator(row: Row) -> Result<MobileMoneyOperator, TableError> {
    let wrong = |field| TableError::Field {
        entry: row.brandname.clone(),
        field,
    };
    let money = |text: &str| Money::parse(text, CURRENCY).ok();
    Ok(MobileMoneyOperator {
        code: BillerCode::parse(&row.code).map_err(|_| wrong("code"))?,
        country: COUNTRY,
        minimum: money(&row.minimum).ok_or_else(|| wrong("minimum"))?,
        maximum: money(&row.maximum).ok_or_else(|| wrong("maximum"))?,
        company: row.company,
        available: row.available,
        brandname: row.brandname,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SandboxCatalogue;
    use domain::country::CountryCode;
    use ports::catalogue::Catalogue;

    #[test]
    fn every_operator_is_listed_once_and_one_cannot_be_paid_now() {
        let catalogue = SandboxCatalogue::new();
        let operators = catalogue.mobile_money_operators(CountryCode::NIGERIA);
        let codes: Vec<_> = operators.iter().map(|it| it.code.as_str()).collect();
        assert_eq!(codes, ["901", "902", "903", "904", "905", "906"]);
        assert_eq!(operators.iter().filter(|it| !it.available).count(), 1);
        for operator in operators {
            assert!(operator.minimum.minor() < operator.maximum.minor());
            let found = catalogue.mobile_money_operator(&operator.code);
            assert_eq!(found, Some(operator));
        }
        let ghana = CountryCode::parse("288").unwrap();
        assert!(catalogue.mobile_money_operators(ghana).is_empty());
    }

    #[test]
    fn a_table_with_a_wrong_value_names_the_entry_and_the_field() {
        let table = TABLE.replacen("\"50.00\"", "\"-1\"", 1);
        let error = read(&table).unwrap_err();
        assert_eq!(error.to_string(), "MoMo PSB: minimum is not acceptable");
    }
}
