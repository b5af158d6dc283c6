//! The table of providers of internet data and their plans. It must not say which provider serves a
//! number: that is the numbering plan's.

use crate::table_row::{COUNTRY, CURRENCY};
use crate::table_row::{Shares, TableError};
use domain::internet::{DataOperator, DataPlan};
use domain::money::Money;
use domain::subscription::{BillerCode, PlanCode};
use serde::Deserialize;

pub(crate) const TABLE: &str = include_str!("../../data/internet.toml");

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
    available: bool,
    plans: Vec<PlanRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanRow {
    code: String,
    name: String,
    days: u16,
    amount: String,
    #[serde(default = "yes")]
    available: bool,
}

const fn yes() -> bool {
    true
}

pub(crate) fn read(table: &str) -> Result<Vec<DataOperator>, TableError> {
    let table: Table = toml::from_str(table)?;
    table.provider.into_iter().map(provider).collect()
}

fn provider(row: Row) -> Result<DataOperator, TableError> {
    let wrong = |field| TableError::Field {
        entry: row.brandname.clone(),
        field,
    };
    let code = BillerCode::parse(&row.code).map_err(|_| wrong("code"))?;
    let terms = row.terms.terms(CURRENCY).ok_or_else(|| wrong("terms"))?;
    let plan = |plan| plan_of(plan, &row.brandname);
    let plans: Result<_, _> = row.plans.into_iter().map(plan).collect();
    Ok(DataOperator {
        code,
        country: COUNTRY,
        plans: plans?,
        brandname: row.brandname,
        company: row.company,
        // It has none of its own: the gateway draws one.
        address: row.address,
        terms,
        available: row.available,
    })
}

fn plan_of(row: PlanRow, brandname: &str) -> Result<DataPlan, TableError> {
    let wrong = |field| TableError::Field {
        entry: format!("{brandname} {}", row.name),
        field,
    };
    let code = PlanCode::parse(&row.code).map_err(|_| wrong("code"))?;
    let amount = Money::parse(&row.amount, CURRENCY).map_err(|_| wrong("amount"))?;
    Ok(DataPlan {
        code,
        name: row.name,
        validity_days: row.days,
        amount,
        available: row.available,
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
    fn providers_are_the_networks_of_airtime_under_the_same_brands() {
        let catalogue = SandboxCatalogue::new();
        let providers = catalogue.data_providers(CountryCode::NIGERIA);
        let brands: Vec<_> = providers.iter().map(|p| p.brandname.as_str()).collect();
        assert_eq!(brands, ["MTN", "Airtel", "Glo", "9mobile", "Smile"]);
        for provider in &providers {
            let network = catalogue.network(CountryCode::NIGERIA, &provider.brandname);
            assert_eq!(network.unwrap().brandname, provider.brandname);
            assert_eq!(catalogue.data_provider(&provider.code), Some(*provider));
        }
        let ghana = CountryCode::parse("288").unwrap();
        assert!(catalogue.data_providers(ghana).is_empty());
    }

    #[test]
    fn some_providers_and_plans_cannot_be_bought_now() {
        let providers = read(TABLE).unwrap();
        let closed: Vec<_> = providers.iter().filter(|p| !p.available).collect();
        assert_eq!(closed.len(), 1);
        let open = providers.iter().filter(|provider| provider.available);
        let closed = open.filter(|p| p.plans.iter().any(|plan| !plan.available));
        assert!(closed.count() > 1);
    }

    #[test]
    fn every_plan_is_found_by_its_own_identity_and_can_be_sold_at_a_gain() {
        let catalogue = SandboxCatalogue::new();
        let mut codes = BTreeSet::new();
        for provider in catalogue.data_providers(CountryCode::NIGERIA) {
            assert!((8..=15).contains(&provider.plans.len()), "{provider:?}");
            for plan in &provider.plans {
                assert!(codes.insert(&plan.code), "{plan:?} is there twice");
                assert!((1..=365).contains(&plan.validity_days), "{plan:?}");
                assert_eq!(catalogue.data_plan(&plan.code), Some((provider, plan)));
                let quote = pricing::quote(plan.amount, &provider.terms, String::new()).unwrap();
                assert!(quote.margin().unwrap().is_positive(), "{plan:?}");
            }
        }
        let unknown = PlanCode::parse("20101").unwrap();
        assert_eq!(catalogue.data_plan(&unknown), None);
    }

    #[test]
    fn a_table_with_a_wrong_value_names_the_entry_and_the_field() {
        let table = TABLE.replacen("\"350.00\"", "\"\"", 1);
        let error = read(&table).unwrap_err();
        assert_eq!(
            error.to_string(),
            "MTN 500MB Daily: amount is not acceptable"
        );
    }
}
