//! What providers hand over, by family. Vends must add up.

use super::START;
use domain::bill::{BillOrder, BillReceipt};
use domain::billing::Billing;
use domain::country::CountryCode;
use domain::electricity::{ElectricityOrder, Vend};
use domain::hlr::{HlrReport, HlrStatus};
use domain::international::Remittance;
use domain::ivr::{CallKey, FlowRun, FlowRunId, IvrOrder, PathStep};
use domain::messaging::MessageDelivery;
use domain::money::Money;
use domain::order::Order;
use domain::provider::Fulfilment;
use domain::rcs::RcsDelivery;
use domain::sms::{DeliveryStatus, Dispatch};
use domain::token::{Token, TokenNumber, breakdown};
use domain::voice::Call;
use rust_decimal::Decimal;

/// What completes an order.
pub fn fulfilment(order: &Order) -> Fulfilment {
    match order {
        // No provider delivers the second: one that says so speaks of another family.
        Order::Airtime(_) | Order::Wallet(_) | Order::User(_) => Fulfilment::Airtime,
        Order::CableTv(_) => Fulfilment::CableTv,
        Order::Electricity(order) => Fulfilment::Electricity(vend(order)),
        Order::Internet(_) => Fulfilment::Internet,
        Order::Sms(order) => Fulfilment::Sms(Dispatch::new(order.segments.parts)),
        Order::Whatsapp(_) => Fulfilment::Whatsapp(MessageDelivery::SUBMITTED),
        Order::Rcs(_) => Fulfilment::Rcs(RcsDelivery::SUBMITTED),
        Order::Voice(_) => Fulfilment::Voice(call()),
        Order::Ivr(order) => Fulfilment::Ivr(flow_run(order)),
        Order::Bank(_) => Fulfilment::Bank,
        Order::MobileMoney(_) => Fulfilment::MobileMoney,
        Order::Card(_) => Fulfilment::Card,
        Order::International(order) => {
            let credited = order.destination;
            Fulfilment::International(Remittance { credited })
        }
        Order::Hlr(_) => Fulfilment::Hlr(hlr_report()),
        Order::Bill(order) => Fulfilment::Bill(bill_receipt(order)),
        Order::Lookup(order) => Fulfilment::Lookup(super::lookup_findings(order.category)),
    }
}

/// What a biller answers to an order.
pub fn bill_receipt(order: &BillOrder) -> BillReceipt {
    let nothing = Money::zero(order.amount.currency());
    let token = order.has_token.then(|| {
        let parts = breakdown(order.amount, nothing, Decimal::new(32_000, 2));
        let parts = parts.expect("a positive rate");
        token(parts.cost, parts.units)
    });
    BillReceipt {
        category: order.category,
        receipt: format!("RCT-{}-{}", order.number, order.amount.minor()),
        outstanding: order.outstanding(),
        token,
    }
}

/// What a provider reports of an order that it accepted without completing it: a vend without its
/// token, a message split into other parts than were billed. `None` for families in which nothing
/// can be missing.
pub fn unfinished_fulfilment(complete: &Fulfilment) -> Option<Fulfilment> {
    match complete {
        Fulfilment::Electricity(vend) => Some(Fulfilment::Electricity(Vend {
            token: None,
            ..vend.clone()
        })),
        Fulfilment::Bill(receipt) => receipt.token.is_some().then(|| {
            Fulfilment::Bill(BillReceipt {
                token: None,
                ..receipt.clone()
            })
        }),
        Fulfilment::Sms(dispatch) => {
            let parts = dispatch.parts().iter().copied();
            let parts = parts.chain([DeliveryStatus::Pending]).collect();
            let other = Dispatch::try_from_parts(parts).expect("one part more than billed");
            Some(Fulfilment::Sms(other))
        }
        Fulfilment::Voice(_) => Some(Fulfilment::Voice(Call::UNDER_WAY)),
        Fulfilment::Ivr(_) => Some(Fulfilment::Ivr(FlowRun::UNDER_WAY)),
        Fulfilment::Airtime
        | Fulfilment::CableTv
        | Fulfilment::Internet
        | Fulfilment::Whatsapp(_)
        | Fulfilment::Rcs(_)
        | Fulfilment::Bank
        | Fulfilment::MobileMoney
        | Fulfilment::Card
        | Fulfilment::International(_)
        | Fulfilment::Hlr(_)
        | Fulfilment::Lookup(_) => None,
    }
}

/// A call that took two of its minutes.
pub fn call() -> Call {
    Call {
        seconds: Some(74),
        answered_at: Some(START),
        digits: None,
    }
}

/// A call that took two of its minutes, in which the first key of the first step was pressed.
pub fn flow_run(order: &IvrOrder) -> FlowRun {
    let first = order.flow.steps().first().expect("a step");
    let key: Option<CallKey> = first.choices.first().map(|choice| choice.key);
    let second = first.after(key).map(|name| (name.clone(), None));
    let path = [Some((first.name.clone(), key)), second];
    let path = path.into_iter().flatten();
    FlowRun {
        call: call(),
        id: Some(FlowRunId::parse("run-74").expect("a run")),
        path: path.map(|(step, key)| PathStep { step, key }).collect(),
    }
}

/// A mobile number that is reachable in the network it was moved to.
pub fn hlr_report() -> HlrReport {
    HlrReport {
        status: HlrStatus::Ok,
        live: Some(true),
        ported: Some(true),
        roaming: Some(false),
        network_current: Some("Airtel".into()),
        mcc: Some("621".into()),
        mnc: Some("20".into()),
        roaming_country: Some(CountryCode::NIGERIA),
    }
}

/// A vend that completes an order: up to half of a prepaid amount recovers debt, the rest is
/// energy; a postpaid payment goes against the debt. A company that does not say its tariff says
/// neither what a token costs nor its units.
pub fn vend(order: &ElectricityOrder) -> Vend {
    let ElectricityOrder { meter, amount, .. } = order;
    let owed = meter.debt.unwrap_or(Money::zero(amount.currency()));
    let (paid_off, token) = match meter.billing {
        Billing::Prepaid => {
            let half = Money::from_minor(amount.minor() / 2, amount.currency());
            let recovered = owed.checked_min(half).expect("one currency");
            let parts = |rate| breakdown(*amount, recovered, rate).expect("a positive rate");
            let token = match meter.tariff.rate.map(parts) {
                Some(parts) => token(parts.cost, parts.units),
                None => Token {
                    cost: None,
                    units: None,
                    ..token(*amount, Decimal::ONE)
                },
            };
            (recovered, Some(token))
        }
        Billing::Postpaid => (owed.checked_min(*amount).expect("one currency"), None),
    };
    Vend {
        receipt: format!("RCT-{}-{}", meter.number, amount.minor()),
        debt: meter.debt,
        outstanding: meter
            .debt
            .map(|debt| debt.checked_sub(paid_off).expect("no more than owed")),
        last_purchase: meter.last_purchase,
        last_paid: meter.last_paid,
        token,
    }
}

/// A token for so much energy.
pub fn token(cost: Money, units: Decimal) -> Token {
    let digits = format!("7391{:016}", cost.minor());
    Token {
        number: Some(TokenNumber::parse(&digits).expect("20 digits")),
        cost: Some(cost),
        units: Some(units),
    }
}
