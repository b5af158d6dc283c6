//! Documents laid over a catalogue, compared, and sold by from their moment on.
#![expect(clippy::unwrap_used, reason = "tests say what went wrong by panicking")]

mod comparing;
mod live;
mod reading;

use catalogue::CatalogueSnapshot;
use domain::airtime::Network;
use domain::bill::BillCategory;
use domain::cabletv::{CableBiller, CablePlan};
use domain::country::CountryCode;
use domain::electricity::{Disco, DiscoCode};
use domain::internet::{DataOperator, DataPlan};
use domain::percent::Percent;
use domain::pricing::{Terms, UnitTerms};
use std::sync::Arc;
use testkit::builders::{self, naira, plan_code, provider_code};
use testkit::catalogue::TestCatalogue;

fn terms(commission: &str) -> Terms {
    Terms {
        commission: Percent::parse(commission).unwrap(),
        discount: Percent::parse("4").unwrap(),
        fee: naira("0.00"),
    }
}

/// MTN, the companies 101 and 102 (which cannot be paid), the cable provider 2 with the plans 201
/// and 202, and the operators 1 (plans 105 and 106) and 4 (plan 405).
fn base() -> Arc<TestCatalogue> {
    let network = Network {
        code: "mtn".into(),
        brandname: "MTN".into(),
        terms: terms("3"),
        minimum: naira("50.00"),
        maximum: naira("5,000.00"),
    };
    let disco = |code: &str, available| Disco {
        code: DiscoCode::parse(code).unwrap(),
        country: CountryCode::NIGERIA,
        brandname: format!("Company {code}"),
        company: format!("Company {code} Plc"),
        address: "Lagos".into(),
        prepaid: terms("3"),
        postpaid: terms("1"),
        available,
    };
    let cable = CableBiller {
        code: provider_code("2"),
        country: CountryCode::NIGERIA,
        brandname: "Cable".into(),
        company: "Cable Limited".into(),
        address: "Lagos".into(),
        terms: terms("2"),
        minimum: naira("500.00"),
        maximum: naira("9,000.00"),
        available: true,
        plans: ["201", "202"]
            .map(|code| CablePlan {
                code: plan_code(code),
                name: format!("Plan {code}"),
                validity_days: 30,
                amount: naira("5,800.00"),
            })
            .to_vec(),
    };
    let operator = |code: &str, plans: &[&str]| DataOperator {
        code: provider_code(code),
        country: CountryCode::NIGERIA,
        brandname: format!("Operator {code}"),
        company: "Operator Plc".into(),
        address: "Lagos".into(),
        terms: terms("3"),
        available: true,
        plans: plans
            .iter()
            .map(|code| DataPlan {
                code: plan_code(code),
                name: format!("Bundle {code}"),
                validity_days: 7,
                amount: naira("1,200.00"),
                available: true,
            })
            .collect(),
    };
    Arc::new(TestCatalogue {
        cable_providers: vec![cable],
        data_providers: vec![operator("1", &["105", "106"]), operator("4", &["405"])],
        billers: BillCategory::all().map(builders::biller).collect(),
        messages: vec![UnitTerms {
            unit: naira("4.00"),
            terms: terms("0"),
        }],
        ..TestCatalogue::of(network, vec![disco("101", true), disco("102", false)])
    })
}

fn built_in() -> CatalogueSnapshot {
    CatalogueSnapshot::built_in(base())
}

fn read(document: &str) -> CatalogueSnapshot {
    CatalogueSnapshot::read(base(), 1, document).unwrap_or_else(|wrong| panic!("{wrong:?}"))
}
