//! Tables of what messages cost that are priced as a whole, and a minute of a call.

use crate::table_row::{TableError, UnitPrice, UnitRow};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    price: Vec<UnitRow>,
}

pub(crate) fn read(table: &str) -> Result<Vec<UnitPrice>, TableError> {
    let table: Table = toml::from_str(table)?;
    table.price.into_iter().map(UnitRow::read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SandboxCatalogue;
    use crate::{ivr, rcs, voice, whatsapp};
    use domain::country::CountryCode;
    use domain::money::{Currency, Money};
    use ports::catalogue::Catalogue;

    #[test]
    fn a_message_has_one_price_for_each_currency() {
        let catalogue = SandboxCatalogue::new();
        let ghana = CountryCode::parse("288").unwrap();
        for (currency, whatsapp, rcs, minute) in [
            (Currency::Ngn, "9.00", "12.00", "15.00"),
            (Currency::Crd, "2.00", "3.00", "3.00"),
        ] {
            let priced = |country| {
                [
                    (catalogue.whatsapp(country, currency), whatsapp),
                    (catalogue.rcs(country, currency), rcs),
                    (catalogue.voice(country, currency), minute),
                    (catalogue.ivr(country, currency), minute),
                ]
            };
            for (price, unit) in priced(CountryCode::NIGERIA) {
                let price = price.unwrap();
                assert_eq!(price.unit, Money::parse(unit, currency).unwrap());
                assert_eq!(price.terms.fee, Money::zero(currency));
                assert!(price.terms.discount >= price.terms.commission);
            }
            assert!(priced(ghana).iter().all(|(price, _)| price.is_none()));
        }
    }

    #[test]
    fn a_table_with_a_wrong_value_names_the_entry_and_the_field() {
        for table in [whatsapp::TABLE, rcs::TABLE, voice::TABLE, ivr::TABLE] {
            let wrong = |from, to| read(&table.replacen(from, to, 1)).unwrap_err().to_string();
            assert_eq!(
                wrong("unit = \"", "unit = \"-"),
                "566 NGN: unit is not acceptable"
            );
            assert_eq!(
                wrong("unit = \"", "unit = \"0.00\" # "),
                "566 NGN: unit is not acceptable"
            );
            assert_eq!(
                wrong("\"CRD\"", "\"EUR\""),
                "566 EUR: currency is not acceptable"
            );
        }
    }
}
