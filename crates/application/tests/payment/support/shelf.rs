//! What is sold in these tests, and whose numbers are whose. Nothing here may misbehave: what goes
//! wrong goes wrong in the ports that move money.

use domain::airtime::Network;
use domain::country::CountryCode;
use domain::electricity::{Disco, DiscoCode};
use domain::percent::Percent;
use domain::phone::PhoneNumber;
use domain::pricing::Terms;
use ports::numbering::{LineKind, NumberFacts, NumberingPlan};
use testkit::builders::naira;
use testkit::catalogue::Shelf;

/// MTN at 3 % from 50.00 to 5,000.00; the companies 101 (prepaid 3 %, postpaid 1 %) and 102, which
/// cannot be paid now. The provider leaves 4 % of everything.
pub(crate) fn shelf() -> Shelf {
    let disco = |code: &str, available| Disco {
        code: DiscoCode::parse(code).unwrap(),
        country: CountryCode::NIGERIA,
        brandname: format!("Company {code}"),
        company: format!("Company {code} Plc"),
        logo: "https://logos.example/company.png".into(),
        address: "Lagos".into(),
        prepaid: terms("3"),
        postpaid: terms("1"),
        available,
    };
    Shelf {
        network: Network {
            code: "mtn".into(),
            brandname: "MTN".into(),
            terms: terms("3"),
            minimum: naira("50.00"),
            maximum: naira("5,000.00"),
        },
        discos: vec![disco("101", true), disco("102", false)],
    }
}

pub(crate) fn terms(commission: &str) -> Terms {
    Terms {
        commission: Percent::parse(commission).unwrap(),
        discount: Percent::parse("4").unwrap(),
        fee: naira("0.00"),
    }
}

/// 234803… is MTN's, 234809… somebody's we do not sell for, 234800… nobody's; the rest is no
/// number.
#[derive(Debug)]
pub(crate) struct Plan;

impl NumberingPlan for Plan {
    fn look_up(&self, number: &PhoneNumber, _: CountryCode) -> Option<NumberFacts> {
        let holder = match number.digits().get(..6)? {
            "234803" => Some("MTN"),
            "234809" => Some("9mobile"),
            "234800" => None,
            _ => return None,
        };
        Some(NumberFacts {
            kind: LineKind::Mobile,
            block_holder: holder.map(ToOwned::to_owned),
        })
    }
}
