//! The table of number lookups: what they cost, and the networks a register names. It must not say
//! which network a block of numbers was given to: that is the numbering plan's.

use crate::table_row::{TableError, UnitPrice, UnitRow};
use serde::Deserialize;

pub(crate) const TABLE: &str = include_str!("../../data/hlr.toml");

/// Prices and networks.
#[derive(Debug, Clone)]
pub(crate) struct HlrLookups {
    pub(crate) prices: Vec<UnitPrice>,
    pub(crate) networks: Vec<MobileNetwork>,
}

/// A network as registers name it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MobileNetwork {
    /// Its brand, as the numbering plan writes it.
    pub(crate) brandname: String,
    /// Mobile country code, 3 digits (ITU-T E.212).
    pub(crate) mcc: String,
    /// Mobile network code, 2 or 3 digits (ITU-T E.212).
    pub(crate) mnc: String,
    /// Whether numbers are ported to and from it.
    pub(crate) open: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    lookup: Vec<UnitRow>,
    network: Vec<MobileNetwork>,
}

pub(crate) fn read(table: &str) -> Result<HlrLookups, TableError> {
    let table: Table = toml::from_str(table)?;
    let prices: Result<_, _> = table.lookup.into_iter().map(UnitRow::read).collect();
    for network in &table.network {
        let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        let wrong = |field| TableError::Field {
            entry: network.brandname.clone(),
            field,
        };
        if network.mcc.len() != 3 || !digits(&network.mcc) {
            return Err(wrong("mcc"));
        }
        if !matches!(network.mnc.len(), 2 | 3) || !digits(&network.mnc) {
            return Err(wrong("mnc"));
        }
    }
    Ok(HlrLookups {
        prices: prices?,
        networks: table.network,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SandboxCatalogue;
    use domain::country::CountryCode;
    use domain::money::{Currency, Money};
    use ports::catalogue::Catalogue;

    #[test]
    fn a_lookup_costs_five_naira() {
        let catalogue = SandboxCatalogue::new();
        let price = catalogue.number_lookup(CountryCode::NIGERIA, Currency::Ngn);
        let price = price.unwrap();
        assert_eq!(price.unit, Money::parse("5.00", Currency::Ngn).unwrap());
        assert!(price.terms.discount >= price.terms.commission);
        let ghana = CountryCode::parse("288").unwrap();
        assert_eq!(catalogue.number_lookup(ghana, Currency::Ngn), None);
        let credits = catalogue.number_lookup(CountryCode::NIGERIA, Currency::Crd);
        assert_eq!(credits, None);
    }

    #[test]
    fn networks_have_their_codes_and_the_four_large_ones_port_numbers() {
        let networks = read(TABLE).unwrap().networks;
        let code = |brand: &str| {
            let network = networks.iter().find(|n| n.brandname == brand).unwrap();
            (network.mcc.as_str(), network.mnc.as_str(), network.open)
        };
        assert_eq!(code("MTN"), ("621", "30", true));
        assert_eq!(code("Airtel"), ("621", "20", true));
        assert_eq!(code("Glo"), ("621", "50", true));
        assert_eq!(code("9mobile"), ("621", "60", true));
        assert_eq!(networks.iter().filter(|n| n.open).count(), 4);
    }

    #[test]
    fn a_table_with_a_wrong_value_names_the_entry_and_the_field() {
        let table = TABLE.replacen("mnc = \"30\"", "mnc = \"3\"", 1);
        let error = read(&table).unwrap_err();
        assert_eq!(error.to_string(), "MTN: mnc is not acceptable");
    }
}
