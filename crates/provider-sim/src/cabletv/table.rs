//! The table of cable TV providers and their plans. It must not hold a customer: smartcards are
//! derived, never listed.

use crate::table_row::{COUNTRY, CURRENCY};
use crate::table_row::{Shares, TableError};
use domain::cabletv::{CableBiller, CablePlan};
use domain::money::Money;
use domain::subscription::{BillerCode, PlanCode};
use serde::Deserialize;

pub(crate) const TABLE: &str = include_str!("../../data/cabletv.toml");

/// A provider, and what only its own system knows.
#[derive(Debug, Clone)]
pub(crate) struct CatalogueCableRecord {
    pub(crate) provider: CableBiller,
    /// Its words for the kinds of its customers; empty where it has none.
    pub(crate) kinds: Vec<String>,
    /// Whether it knows where its customers live, and how to call them.
    pub(crate) addresses: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    provider: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    code: String,
    brandname: String,
    company: String,
    address: String,
    terms: Shares,
    minimum: String,
    maximum: String,
    available: bool,
    customers: Customers,
    plans: Vec<PlanRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Customers {
    kinds: Vec<String>,
    addresses: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanRow {
    code: String,
    name: String,
    days: u16,
    amount: String,
}

pub(crate) fn read(table: &str) -> Result<Vec<CatalogueCableRecord>, TableError> {
    let table: Table = toml::from_str(table)?;
    table.provider.into_iter().map(record).collect()
}

fn record(row: Row) -> Result<CatalogueCableRecord, TableError> {
    let wrong = |field| TableError::Field {
        entry: row.brandname.clone(),
        field,
    };
    let money = |text: &str| Money::parse(text, CURRENCY).ok();
    let code = BillerCode::parse(&row.code).map_err(|_| wrong("code"))?;
    let minimum = money(&row.minimum).ok_or_else(|| wrong("minimum"))?;
    let maximum = money(&row.maximum).ok_or_else(|| wrong("maximum"))?;
    let terms = row.terms.terms(CURRENCY).ok_or_else(|| wrong("terms"))?;
    let plans: Result<_, _> = row.plans.into_iter().map(plan).collect();
    let provider = CableBiller {
        code,
        country: COUNTRY,
        brandname: row.brandname,
        company: row.company,
        // It has none of its own: the gateway draws one.
        address: row.address,
        terms,
        minimum,
        maximum,
        available: row.available,
        plans: plans?,
    };
    Ok(CatalogueCableRecord {
        provider,
        kinds: row.customers.kinds,
        addresses: row.customers.addresses,
    })
}

fn plan(row: PlanRow) -> Result<CablePlan, TableError> {
    let wrong = |field| TableError::Field {
        entry: row.name.clone(),
        field,
    };
    let code = PlanCode::parse(&row.code).map_err(|_| wrong("code"))?;
    let amount = Money::parse(&row.amount, CURRENCY).map_err(|_| wrong("amount"))?;
    Ok(CablePlan {
        code,
        name: row.name,
        validity_days: row.days,
        amount,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SandboxCatalogue;
    use domain::country::CountryCode;
    use domain::pricing;
    use ports::catalogue::Catalogue;
    use std::collections::BTreeSet;

    #[test]
    fn the_four_providers_are_listed_once_and_one_cannot_be_paid_now() {
        let catalogue = SandboxCatalogue::new();
        let providers = catalogue.cable_providers(CountryCode::NIGERIA);
        let codes: Vec<_> = providers.iter().map(|p| p.code.as_str()).collect();
        assert_eq!(codes, ["201", "202", "203", "204"]);
        assert_eq!(providers.iter().filter(|p| !p.available).count(), 1);
        let ghana = CountryCode::parse("288").unwrap();
        assert!(catalogue.cable_providers(ghana).is_empty());
        for provider in providers {
            assert_eq!(catalogue.cable_provider(&provider.code), Some(provider));
        }
        let unknown = BillerCode::parse("301").unwrap();
        assert_eq!(catalogue.cable_provider(&unknown), None);
    }

    #[test]
    fn every_plan_has_its_own_identity_and_can_be_sold_at_a_gain() {
        let mut codes = BTreeSet::new();
        for record in read(TABLE).unwrap() {
            let provider = &record.provider;
            assert!((8..=15).contains(&provider.plans.len()), "{provider:?}");
            assert!(
                provider.minimum.is_positive()
                    && provider.minimum.minor() < provider.maximum.minor()
            );
            for plan in &provider.plans {
                assert!(codes.insert(plan.code.clone()), "{plan:?} is there twice");
                assert!(plan.code.as_str().starts_with(provider.code.as_str()));
                assert!((7..=365).contains(&plan.validity_days), "{plan:?}");
                let quote = pricing::quote(plan.amount, &provider.terms, String::new()).unwrap();
                assert!(quote.margin().unwrap().is_positive(), "{plan:?}");
            }
        }
    }

    #[test]
    fn a_table_with_a_wrong_value_names_the_entry_and_the_field() {
        let table = TABLE.replacen("\"4,400.00\"", "\"44,00.00\"", 1);
        let error = read(&table).unwrap_err();
        assert_eq!(error.to_string(), "DStv Padi: amount is not acceptable");
        let table = TABLE.replacen("code = \"201\"", "code = \"DStv\"", 1);
        let error = read(&table).unwrap_err();
        assert_eq!(error.to_string(), "DStv: code is not acceptable");
    }
}
