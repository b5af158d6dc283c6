//! The table of networks. It must not say which network serves a number: that is the numbering
//! plan's.

use crate::table_row::CURRENCY;
use crate::table_row::{Shares, TableError};
use domain::airtime::Network;
use domain::money::Money;
use serde::Deserialize;

pub(crate) const TABLE: &str = include_str!("../../data/airtime.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    network: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    code: String,
    brandname: String,
    terms: Shares,
    minimum: String,
    maximum: String,
}

pub(crate) fn read(table: &str) -> Result<Vec<Network>, TableError> {
    let table: Table = toml::from_str(table)?;
    table.network.into_iter().map(network).collect()
}

fn network(row: Row) -> Result<Network, TableError> {
    let wrong = |field| TableError::Field {
        entry: row.code.clone(),
        field,
    };
    let money = |text: &str| Money::parse(text, CURRENCY).ok();
    let minimum = money(&row.minimum).ok_or_else(|| wrong("minimum"))?;
    let maximum = money(&row.maximum).ok_or_else(|| wrong("maximum"))?;
    let terms = row.terms.terms(CURRENCY).ok_or_else(|| wrong("terms"))?;
    Ok(Network {
        code: row.code,
        brandname: row.brandname,
        terms,
        minimum,
        maximum,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SandboxCatalogue;
    use domain::country::CountryCode;
    use ports::catalogue::Catalogue;

    #[test]
    fn every_network_can_be_sold_at_a_gain_within_its_limits() {
        let networks = read(TABLE).unwrap();
        for network in &networks {
            assert!(
                network.terms.discount >= network.terms.commission,
                "{}",
                network.code
            );
            assert!(network.minimum.is_positive(), "{}", network.code);
            assert!(
                network.maximum.minor() > network.minimum.minor(),
                "{}",
                network.code
            );
        }
        let mut codes: Vec<_> = networks.iter().map(|network| &network.code).collect();
        codes.sort();
        codes.dedup();
        assert_eq!(codes.len(), networks.len());
    }

    #[test]
    fn networks_are_found_by_brand_in_their_own_country_only() {
        let catalogue = SandboxCatalogue::new();
        let nigeria = CountryCode::NIGERIA;
        let ghana = CountryCode::parse("288").unwrap();
        for brand in [
            "MTN", "Airtel", "Glo", "9mobile", "Smile", "ntel", "mtn", "AIRTEL",
        ] {
            let network = catalogue.network(nigeria, brand).unwrap();
            assert!(network.brandname.eq_ignore_ascii_case(brand));
            assert_eq!(catalogue.network(ghana, brand), None);
        }
        assert_eq!(catalogue.network(nigeria, "Starcomms"), None);
        assert!(catalogue.sells_airtime_in(nigeria));
        assert!(!catalogue.sells_airtime_in(ghana));
    }

    #[test]
    fn a_table_with_a_wrong_value_names_the_entry_and_the_field() {
        let table = TABLE.replacen("\"50.00\"", "\"5O.00\"", 1);
        let error = read(&table).unwrap_err();
        assert_eq!(error.to_string(), "mtn: minimum is not acceptable");
    }
}
