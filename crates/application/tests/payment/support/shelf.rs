//! What is sold in these tests, and whose numbers are whose. Nothing here may misbehave: what goes
//! wrong goes wrong in the ports that move money.

use domain::airtime::Network;
use domain::bank::{Bank, BankCode, BankIdentifier, BankKind, TransferCode};
use domain::bill::BillCategory;
use domain::cabletv::{CableBiller, CablePlan};
use domain::country::CountryCode;
use domain::electricity::{Disco, DiscoCode};
use domain::internet::{DataOperator, DataPlan};
use domain::mobile_money::MobileMoneyOperator;
use domain::paid_lookup::LookupCategory;
use domain::percent::Percent;
use domain::phone::PhoneNumber;
use domain::pricing::{Terms, UnitTerms};
use ports::numbering::{LineKind, NumberFacts, NumberingPlan};
use testkit::builders::corridor;
use testkit::builders::{
    self, credits, lookup_definition, mobile_money_operator, naira, plan_code, provider_code,
};
use testkit::catalogue::{TestBanks, TestCatalogue};

/// What one costs in naira and in credits, without commission.
fn units(naira_unit: &str, credit_unit: &str) -> Vec<UnitTerms> {
    vec![
        UnitTerms {
            unit: naira(naira_unit),
            terms: terms("0"),
        },
        UnitTerms {
            unit: credits(credit_unit),
            terms: Terms {
                fee: credits("0.00"),
                ..terms("0")
            },
        },
    ]
}

/// MTN at 3 % from 50.00 to 5,000.00; the companies 101 (prepaid 3 %, postpaid 1 %) and 102, which
/// cannot be paid now. The provider leaves 4 % of everything.
pub(crate) fn shelf() -> TestCatalogue {
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
    let network = Network {
        code: "mtn".into(),
        brandname: "MTN".into(),
        terms: terms("3"),
        minimum: naira("50.00"),
        maximum: naira("5,000.00"),
    };
    TestCatalogue {
        cable_providers: vec![cable("2", true), cable("3", false)],
        data_providers: vec![data("1", "MTN", true), data("4", "9mobile", false)],
        billers: BillCategory::all().map(builders::biller).collect(),
        messages: units("4.00", "1.00"),
        whatsapp: units("9.00", "2.00"),
        rcs: units("12.00", "3.00"),
        voice: units("15.00", "3.00"),
        ivr: units("15.00", "3.00"),
        payouts: vec![(naira("100.00"), naira("5,000,000.00"))],
        corridors: vec![corridor()],
        card_transfers: vec![(naira("100.00"), naira("5,000,000.00"))],
        mobile_money: vec![
            mobile_money_operator("901", "MoMo PSB"),
            MobileMoneyOperator {
                available: false,
                ..mobile_money_operator("902", "SmartCash PSB")
            },
        ],
        lookups: LookupCategory::all()
            .map(|it| (lookup_definition(it), lookup_price()))
            .collect(),
        number_lookups: vec![UnitTerms {
            unit: naira("5.00"),
            terms: terms("0"),
        }],
        ..TestCatalogue::of(network, vec![disco("101", true), disco("102", false)])
    }
}

/// What a lookup by name costs.
fn lookup_price() -> UnitTerms {
    UnitTerms {
        unit: naira("15.00"),
        terms: terms("0"),
    }
}

/// A cable TV provider with the plans `<code>01` at 5,800.00 and `<code>02` at 1,000.00.
fn cable(code: &str, available: bool) -> CableBiller {
    let plan = |number: &str, amount| CablePlan {
        code: plan_code(&format!("{code}{number}")),
        name: format!("Plan {number}"),
        validity_days: 30,
        amount: naira(amount),
    };
    CableBiller {
        code: provider_code(code),
        country: CountryCode::NIGERIA,
        brandname: format!("Cable {code}"),
        company: format!("Cable {code} Limited"),
        address: "Lagos".into(),
        terms: terms("2"),
        minimum: naira("500.00"),
        maximum: naira("9,000.00"),
        available,
        plans: vec![plan("01", "5,800.00"), plan("02", "1,000.00")],
    }
}

/// A provider of data with the plan `<code>05` at 1,200.00 and `<code>06`, which cannot be bought
/// now.
fn data(code: &str, brandname: &str, available: bool) -> DataOperator {
    let plan = |number: &str, available| DataPlan {
        code: plan_code(&format!("{code}{number}")),
        name: format!("Bundle {number}"),
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
        terms: terms("3"),
        available,
        plans: vec![plan("05", true), plan("06", false)],
    }
}

/// One bank whose accounts have a check digit: 0123456785 is a number of it, 0123456789 is not.
pub(crate) fn banks() -> TestBanks {
    TestBanks(vec![Bank {
        identifier: BankIdentifier::parse(BANK).unwrap(),
        country: CountryCode::NIGERIA,
        kind: BankKind::Commercial,
        shortname: "GTBank".into(),
        fullname: "Guaranty Trust Bank Plc".into(),
        code: Some(BankCode::parse("058").unwrap()),
        transfer_code: Some(TransferCode::parse("000013").unwrap()),
        ussd: None,
    }])
}

/// The identity of the one bank.
pub(crate) const BANK: &str = "NGNIP000013";

pub(crate) fn terms(commission: &str) -> Terms {
    Terms {
        commission: Percent::parse(commission).unwrap(),
        discount: Percent::parse("4").unwrap(),
        fee: naira("0.00"),
    }
}

/// 234803… belongs to MTN, 234809… to an operator that is not sold, 234800… to none; 2341… is a
/// fixed line; the rest is no number.
#[derive(Debug)]
pub(crate) struct StubNumberingPlan;

impl NumberingPlan for StubNumberingPlan {
    fn look_up(&self, number: &PhoneNumber, _: CountryCode) -> Option<NumberFacts> {
        let (kind, holder) = match number.digits().get(..6)? {
            "234803" => (LineKind::Mobile, Some("MTN")),
            "234809" => (LineKind::Mobile, Some("9mobile")),
            "234800" => (LineKind::Mobile, None),
            fixed if fixed.starts_with("2341") => (LineKind::FixedLine, None),
            _ => return None,
        };
        Some(NumberFacts {
            kind,
            block_holder: holder.map(ToOwned::to_owned),
        })
    }
}
