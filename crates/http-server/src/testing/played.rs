//! The world behind the gateway, played: what is asked for decides what is answered. It must stay
//! small: how providers really misbehave is tested where they live.

use async_trait::async_trait;
use domain::airtime::Network;
use domain::billing::Billing;
use domain::country::CountryCode;
use domain::electricity::{Disco, DiscoCode, Meter, MeterNumber};
use domain::order::Order;
use domain::percent::Percent;
use domain::phone::PhoneNumber;
use domain::pricing::Terms;
use domain::provider::{Finding, Outcome, Profile, ProviderId, Submission};
use domain::reference::ProviderReference;
use ports::PortError;
use ports::numbering::{LineKind, NumberFacts, NumberingPlan};
use ports::provider::{Changes, LookupFailure};
use testkit::builders::{self, naira};
use testkit::catalogue::Shelf;

fn terms(commission: &str) -> Terms {
    Terms {
        commission: Percent::parse(commission).unwrap(),
        discount: Percent::ZERO,
        fee: naira("0.00"),
    }
}

/// MTN at 3 %, and the companies 101 and 102, of which 102 cannot be paid now.
pub(super) fn shelf() -> Shelf {
    let disco = |code: &str, brandname: &str, available| Disco {
        code: DiscoCode::parse(code).unwrap(),
        country: CountryCode::NIGERIA,
        brandname: brandname.into(),
        company: format!("{brandname} Plc"),
        logo: "https://logos.example/disco.png".into(),
        address: "Lagos".into(),
        prepaid: terms("2.5"),
        postpaid: terms("1"),
        available,
    };
    Shelf {
        network: Network {
            code: "mtn".into(),
            brandname: "MTN".into(),
            terms: terms("3"),
            minimum: naira("50.00"),
            maximum: naira("50,000.00"),
        },
        discos: vec![
            disco("101", "Ikeja Electric", true),
            disco("102", "Eko Electricity", false),
        ],
    }
}

/// 234803… is MTN's, other numbers of 234 belong to nobody we sell for.
#[derive(Debug)]
pub(super) struct Plan;

impl NumberingPlan for Plan {
    fn look_up(&self, number: &PhoneNumber, _: CountryCode) -> Option<NumberFacts> {
        let in_plan = number.digits().starts_with("234") && number.digits().len() == 13;
        let mtn = number.digits().starts_with("234803");
        in_plan.then(|| NumberFacts {
            kind: LineKind::Mobile,
            block_holder: mtn.then(|| "MTN".to_owned()),
        })
    }
}

/// Meters by their last four digits: 0014 is unknown, 0012 unreachable, 0006 answered nonsense for.
#[derive(Debug)]
pub(super) struct Meters;

#[async_trait]
impl ports::provider::Meters for Meters {
    async fn meter(
        &self,
        _: &DiscoCode,
        number: &MeterNumber,
        billing: Billing,
    ) -> Result<Meter, LookupFailure> {
        match number.digits() {
            digits if digits.ends_with("0014") => Err(LookupFailure::Unknown),
            digits if digits.ends_with("0012") => Err(LookupFailure::Unreachable),
            digits if digits.ends_with("0006") => Err(LookupFailure::Unusable),
            digits => Ok(Meter {
                billing,
                ..builders::meter(digits)
            }),
        }
    }
}

/// Delivers at once, but by the last four digits of the number: 0001 is refused and 0010 never
/// ends.
#[derive(Debug)]
pub(super) struct Provider(ProviderId);

impl Provider {
    pub(super) fn new() -> Self {
        Self(builders::provider_id("played"))
    }
}

fn number(order: &Order) -> &str {
    match order {
        Order::Airtime(order) => order.number.digits(),
        Order::Electricity(order) => order.meter.number.digits(),
    }
}

#[async_trait]
impl ports::provider::Provider for Provider {
    fn id(&self) -> &ProviderId {
        &self.0
    }

    fn profile(&self) -> Profile {
        Profile::CAUTIOUS
    }

    async fn submit(&self, submission: &Submission) -> Outcome {
        match number(&submission.order) {
            digits if digits.ends_with("0001") => Outcome::Declined(builders::refusal()),
            digits if digits.ends_with("0010") => Outcome::Pending,
            _ => {
                let reference = &submission.reference;
                Outcome::Delivered(builders::receipt_of(reference, &submission.order))
            }
        }
    }

    async fn query(&self, _: &ProviderReference) -> Finding {
        Finding::Pending
    }

    async fn changes_since(&self, cursor: u64) -> Result<Changes, PortError> {
        Ok(Changes {
            findings: Vec::new(),
            next: cursor,
        })
    }
}
