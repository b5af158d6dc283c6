//! Random money, names, orders, prices and drafts. Amounts must leave room to be added up.

use domain::account::AccountId;
use domain::airtime::AirtimeOrder;
use domain::billing::Billing;
use domain::country::CountryCode;
use domain::electricity::{DiscoCode, ElectricityOrder, Meter, MeterNumber, Tariff};
use domain::idempotency::{Idempotency, IdempotencyKey, Meaning};
use domain::money::{Currency, Money};
use domain::order::Order;
use domain::percent::Percent;
use domain::phone::PhoneNumber;
use domain::pricing::{Quote, Terms, quote};
use domain::provider::ProviderId;
use domain::reference::{MerchantReference, TransactionNumber};
use domain::time::Timestamp;
use domain::transaction::Draft;
use proptest::prelude::*;
use rust_decimal::Decimal;

/// The largest random amount in minor units: ten million naira, so that hundreds of thousands of
/// them still add up within the largest amount.
const AMOUNT_MAX: i64 = 1_000_000_000;

/// An amount from one kobo to ten million naira.
pub fn money() -> impl Strategy<Value = Money> {
    (1..=AMOUNT_MAX).prop_map(|minor| Money::from_minor(minor, Currency::Ngn))
}

/// Any merchant reference, up to the longest.
pub fn references() -> impl Strategy<Value = MerchantReference> {
    "[A-Za-z0-9._:-]{1,64}".prop_map(|text| MerchantReference::parse(&text).expect("a reference"))
}

/// Any transaction number.
pub fn transaction_numbers() -> impl Strategy<Value = TransactionNumber> {
    (1..=TransactionNumber::MAX).prop_map(|n| TransactionNumber::try_new(n).expect("a number"))
}

/// Words as people and companies write them, in any script, quotes and signs included.
pub fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        "[A-Za-z][A-Za-z '.,&-]{0,30}",
        "\\PC{0,24}",
        Just(String::new()),
        Just("Ọ̀ṣun'); DROP TABLE \"x\"; -- 🔌\t\n".to_owned()),
    ]
}

/// An order of any family.
pub fn orders() -> impl Strategy<Value = Order> {
    prop_oneof![
        airtime_orders().prop_map(Order::Airtime),
        electricity_orders().prop_map(Order::Electricity),
    ]
}

/// A top-up.
pub fn airtime_orders() -> impl Strategy<Value = AirtimeOrder> {
    let network = ("[a-z0-9]{1,12}", words());
    ("[1-9][0-9]{7,14}", 1_u16..=999, network, billing(), money()).prop_map(
        |(number, country, (network_code, network_brandname), billing, amount)| AirtimeOrder {
            number: PhoneNumber::parse(&number).expect("a phone number"),
            country: CountryCode::parse(&country.to_string()).expect("a country"),
            network_code,
            network_brandname,
            billing,
            amount,
        },
    )
}

/// A meter payment.
pub fn electricity_orders() -> impl Strategy<Value = ElectricityOrder> {
    (meters(), money()).prop_map(|(meter, amount)| ElectricityOrder { meter, amount })
}

/// A meter, leading zeros and missing history included.
pub fn meters() -> impl Strategy<Value = Meter> {
    let identity = ("[0-9]{1,9}", words(), "[0-9]{6,15}", words(), words());
    let sums = (0..=AMOUNT_MAX, 0..=AMOUNT_MAX, 0..=AMOUNT_MAX);
    let last = proptest::option::of((moments(), 0..=AMOUNT_MAX));
    let tariff = ("[A-E]", 1_i64..=1_000_000, 0_u32..=4);
    (identity, billing(), sums, last, tariff).prop_map(
        |((disco, brandname, number, owner, address), billing, sums, last, tariff)| Meter {
            disco: DiscoCode::parse(&disco).expect("a company"),
            brandname,
            number: MeterNumber::parse(&number).expect("a meter"),
            owner,
            address,
            billing,
            debt: Money::from_minor(sums.0, Currency::Ngn),
            minimum: Money::from_minor(sums.1, Currency::Ngn),
            maximum: Money::from_minor(sums.2, Currency::Ngn),
            last_purchase: last.map(|(at, _)| at),
            last_paid: last.map(|(_, paid)| Money::from_minor(paid, Currency::Ngn)),
            tariff: Tariff {
                band: tariff.0,
                rate: Decimal::new(tariff.1, tariff.2),
            },
        },
    )
}

/// Commercial terms, also such as cost the gateway money.
pub fn terms() -> impl Strategy<Value = Terms> {
    let percent = || {
        let places = prop_oneof![Just(0_i64), 0..=50_000_i64];
        places.prop_map(|n| Percent::try_new(Decimal::new(n, 4)).expect("a percentage"))
    };
    let fee = prop_oneof![Just(0), 1..=10_000_i64];
    (percent(), percent(), fee).prop_map(|(commission, discount, fee)| Terms {
        commission,
        discount,
        fee: Money::from_minor(fee, Currency::Ngn),
    })
}

/// A price of an amount.
pub fn quotes(amount: Money) -> impl Strategy<Value = Quote> {
    (terms(), words()).prop_map(move |(terms, rule)| {
        // At most five percent of commission: even one kobo keeps a price.
        quote(amount, &terms, rule).expect("a price above zero")
    })
}

/// What a transaction of an account is opened from.
pub fn drafts(account: AccountId) -> impl Strategy<Value = Draft> {
    let names = (transaction_numbers(), references());
    let provider = prop_oneof![Just("sandbox"), Just("airwave-2")];
    let retry = proptest::option::of(idempotencies());
    let priced = orders().prop_flat_map(|order| (quotes(order.amount()), Just(order)));
    (names, retry, priced, provider).prop_map(
        move |((number, reference), idempotency, (quote, order), provider)| Draft {
            number,
            account: account.clone(),
            reference,
            idempotency,
            order,
            quote,
            provider: ProviderId::parse(provider).expect("a provider"),
        },
    )
}

fn idempotencies() -> impl Strategy<Value = Idempotency> {
    let key = "[ -~]{12,255}";
    (key, any::<[u8; 32]>()).prop_map(|(key, meaning)| Idempotency {
        key: IdempotencyKey::parse(&key).expect("a key"),
        meaning: Meaning(meaning),
    })
}

fn billing() -> impl Strategy<Value = Billing> {
    prop_oneof![Just(Billing::Prepaid), Just(Billing::Postpaid)]
}

/// Moments from 1970 to 2100, to the millisecond.
fn moments() -> impl Strategy<Value = Timestamp> {
    (0..4_102_444_800_000_i64).prop_map(Timestamp::from_millis)
}
