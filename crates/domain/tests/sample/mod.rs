//! One order, its quote and the answers to it, for every test of the transaction. It must not vary
//! them: what differs between tests is what happens, never what was bought.

use domain::account::AccountId;
use domain::airtime::AirtimeOrder;
use domain::billing::Billing;
use domain::country::CountryCode;
use domain::electricity::{
    DiscoCode, ElectricityOrder, Meter, MeterNumber, Tariff, Token, TokenNumber, Vend,
};
use domain::money::{Currency, Money};
use domain::order::Order;
use domain::percent::Percent;
use domain::phone::PhoneNumber;
use domain::pricing::{Terms, quote};
use domain::provider::{Fulfilment, ProviderId, Receipt, Refusal};
use domain::reference::{MerchantReference, TransactionNumber};
use domain::transaction::{AttemptNumber, Draft, Ruling, Transaction, Verdict};
use rust_decimal::Decimal;

const AMOUNT: i64 = 100_000;

fn naira(minor: i64) -> Money {
    Money::from_minor(minor, Currency::Ngn)
}

pub(crate) fn account() -> AccountId {
    AccountId::parse("shop").unwrap()
}

fn airtime() -> Order {
    Order::Airtime(AirtimeOrder {
        number: PhoneNumber::parse("2348031234567").unwrap(),
        country: CountryCode::NIGERIA,
        network_code: "mtn".to_owned(),
        network_brandname: "MTN".to_owned(),
        billing: Billing::Prepaid,
        amount: naira(AMOUNT),
    })
}

fn prepaid_meter() -> Order {
    let meter = Meter {
        disco: DiscoCode::parse("1").unwrap(),
        brandname: "Ikeja Electric".to_owned(),
        number: MeterNumber::parse("01234567890").unwrap(),
        owner: "A. Customer".to_owned(),
        address: "1 Some Street".to_owned(),
        billing: Billing::Prepaid,
        debt: naira(0),
        minimum: naira(1),
        maximum: naira(AMOUNT),
        last_purchase: None,
        last_paid: None,
        tariff: Tariff {
            band: "A".to_owned(),
            rate: Decimal::ONE_HUNDRED,
        },
    };
    Order::Electricity(ElectricityOrder {
        meter,
        amount: naira(AMOUNT),
    })
}

/// What the merchant buys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Product {
    Airtime,
    PrepaidMeter,
}

pub(crate) fn draft(product: Product) -> Draft {
    let terms = Terms {
        commission: Percent::parse("3").unwrap(),
        discount: Percent::parse("4").unwrap(),
        fee: naira(1_000),
    };
    Draft {
        number: TransactionNumber::try_new(1).unwrap(),
        account: account(),
        reference: MerchantReference::parse("order-1").unwrap(),
        idempotency: None,
        order: match product {
            Product::Airtime => airtime(),
            Product::PrepaidMeter => prepaid_meter(),
        },
        quote: quote(naira(AMOUNT), &terms, "sample".to_owned()).unwrap(),
        provider: ProviderId::parse("sandbox").unwrap(),
    }
}

fn vend(token: Option<Token>) -> Fulfilment {
    Fulfilment::Electricity(Vend {
        receipt: "R1".to_owned(),
        debt: naira(0),
        outstanding: naira(0),
        last_purchase: None,
        last_paid: None,
        token,
    })
}

/// What completes the order of a transaction.
pub(crate) fn fulfilment(tx: &Transaction) -> Fulfilment {
    match tx.order {
        Order::Airtime(_) => Fulfilment::Airtime,
        Order::Electricity(_) => vend(Some(Token {
            number: TokenNumber::parse("12345678901234567890").unwrap(),
            cost: naira(93_023),
            units: Decimal::ONE,
        })),
    }
}

/// The receipt that is exactly right.
pub(crate) fn receipt(tx: &Transaction, attempt: AttemptNumber) -> Receipt {
    Receipt {
        reference: tx.provider_reference(attempt),
        amount: tx.order.amount(),
        fulfilment: fulfilment(tx),
    }
}

/// A receipt over another amount.
pub(crate) fn other_amount(tx: &Transaction, attempt: AttemptNumber) -> Receipt {
    Receipt {
        amount: naira(AMOUNT / 2),
        ..receipt(tx, attempt)
    }
}

/// A receipt for a payment the company has accepted without handing out the token yet.
pub(crate) fn without_token(tx: &Transaction, attempt: AttemptNumber) -> Receipt {
    Receipt {
        fulfilment: vend(None),
        ..receipt(tx, attempt)
    }
}

pub(crate) fn refusal() -> Refusal {
    Refusal {
        code: "51".to_owned(),
        reason: "refused".to_owned(),
    }
}

pub(crate) fn ruling(verdict: Verdict) -> Ruling {
    Ruling {
        verdict,
        by: "ada".to_owned(),
        confirmed_by: Some("bayo".to_owned()),
        evidence: "the provider's settlement file".to_owned(),
    }
}
