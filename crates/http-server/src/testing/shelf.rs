//! The catalogue and the bank directory of these tests. It must hold one item of each kind that can
//! be bought, and one that cannot be bought now where there is a difference.

use domain::airtime::Network;
use domain::bank::{Bank, BankCode, BankIdentifier, BankKind, TransferCode};
use domain::bill::BillCategory;
use domain::cabletv::{CableBiller, CablePlan};
use domain::country::CountryCode;
use domain::electricity::{Disco, DiscoCode};
use domain::internet::{DataOperator, DataPlan};
use domain::mobile_money::MobileMoneyOperator;
use domain::money::Money;
use domain::paid_lookup::LookupCategory;
use domain::percent::Percent;
use domain::pricing::{Terms, UnitTerms};
use testkit::builders::corridor;
use testkit::builders::{self, credits, naira, plan_code, provider_code};
use testkit::catalogue::{TestBanks, TestCatalogue, TestVersion};

fn terms(commission: &str) -> Terms {
    Terms {
        commission: Percent::parse(commission).unwrap(),
        discount: Percent::ZERO,
        fee: naira("0.00"),
    }
}

/// MTN at 3 %; the billers 101 and 102 and the billers of each family, of which the second cannot
/// be paid now; a part of a message for 4.00 or a credit, a lookup of
/// a register for 5.00, one by name for 15.00.
pub(super) fn test_catalogue() -> TestCatalogue {
    let network = Network {
        code: "mtn".into(),
        brandname: "MTN".into(),
        terms: terms("3"),
        minimum: naira("50.00"),
        maximum: naira("50,000.00"),
    };
    TestCatalogue {
        network,
        other_networks: Vec::new(),
        discos: vec![
            disco("101", "Ikeja Electric", true),
            disco("102", "Eko Electricity", false),
        ],
        cable_providers: vec![cable("2", "GOtv", true), cable("3", "StarTimes", false)],
        data_providers: vec![data("1", "MTN", true), data("2", "Glo", false)],
        billers: BillCategory::all().map(builders::biller).collect(),
        messages: vec![unit(naira("4.00")), unit(credits("1.00"))],
        whatsapp: vec![unit(naira("9.00")), unit(credits("2.00"))],
        rcs: vec![unit(naira("12.00")), unit(credits("3.00"))],
        voice: vec![unit(naira("15.00")), unit(credits("3.00"))],
        ivr: vec![unit(naira("15.00")), unit(credits("3.00"))],
        payouts: vec![(naira("100.00"), naira("5,000,000.00"))],
        corridors: vec![corridor()],
        card_transfers: vec![(naira("100.00"), naira("5,000,000.00"))],
        mobile_money: vec![
            builders::mobile_money_operator("901", "MoMo PSB"),
            MobileMoneyOperator {
                available: false,
                ..builders::mobile_money_operator("902", "SmartCash PSB")
            },
        ],
        lookups: LookupCategory::all()
            .map(|it| (builders::lookup_definition(it), unit(naira("15.00"))))
            .collect(),
        number_lookups: vec![unit(naira("5.00"))],
        published: TestVersion::default(),
    }
}

/// One bank.
pub(super) fn banks() -> TestBanks {
    TestBanks(vec![Bank {
        identifier: BankIdentifier::parse("00000000058").unwrap(),
        country: CountryCode::NIGERIA,
        kind: BankKind::Commercial,
        shortname: "GTBank".into(),
        fullname: "Guaranty Trust Bank".into(),
        code: BankCode::parse("058").ok(),
        transfer_code: TransferCode::parse("000013").ok(),
        ussd: Some("*737#".into()),
    }])
}

fn unit(unit: Money) -> UnitTerms {
    UnitTerms {
        unit,
        terms: Terms {
            fee: Money::zero(unit.currency()),
            ..terms("0")
        },
    }
}

fn disco(code: &str, brandname: &str, available: bool) -> Disco {
    Disco {
        code: DiscoCode::parse(code).unwrap(),
        country: CountryCode::NIGERIA,
        brandname: brandname.into(),
        company: format!("{brandname} Plc"),
        address: "Lagos".into(),
        prepaid: terms("2.5"),
        postpaid: terms("1"),
        available,
    }
}

/// A biller with a plan under its own code and 04: biller 2 sells 204.
fn cable(code: &str, brandname: &str, available: bool) -> CableBiller {
    CableBiller {
        code: provider_code(code),
        country: CountryCode::NIGERIA,
        brandname: brandname.into(),
        company: format!("{brandname} Plc"),
        address: "Lagos".into(),
        terms: terms("2"),
        minimum: naira("500.00"),
        maximum: naira("50,000.00"),
        available,
        plans: vec![CablePlan {
            code: plan_code(&format!("{code}04")),
            name: format!("{brandname} Jolli"),
            validity_days: 30,
            amount: naira("3,800.00"),
        }],
    }
}

/// An operator with two plans, under its own code and 05 and 06, of which the second cannot be
/// bought now.
fn data(code: &str, brandname: &str, available: bool) -> DataOperator {
    let plan = |number: &str, name: &str, available| DataPlan {
        code: plan_code(&format!("{code}{number}")),
        name: name.into(),
        validity_days: 30,
        amount: naira("1,200.00"),
        available,
    };
    DataOperator {
        code: provider_code(code),
        country: CountryCode::NIGERIA,
        brandname: brandname.into(),
        company: format!("{brandname} Plc"),
        address: "Lagos".into(),
        terms: terms("2"),
        available,
        plans: vec![
            plan("05", "1.5GB 30 days", true),
            plan("06", "2GB 30 days", false),
        ],
    }
}
