//! Random names, prices and drafts. A price must come from the rules that price, never from a sum
//! done here.

use super::orders::orders;
use domain::account::AccountId;
use domain::bank::charges::Charges;
use domain::idempotency::{Idempotency, IdempotencyKey, RequestFingerprint};
use domain::money::{Currency, Money};
use domain::opening::Draft;
use domain::order::{Order, Service};
use domain::percent::Percent;
use domain::pricing::{Quote, Terms, quote, quote_own, quote_payout};
use domain::provider::ProviderId;
use domain::reference::{MerchantReference, TransactionNumber};
use domain::transaction::{
    AttemptNumber, AttemptRoute, PassedOver, PassedOverReason, PreparedAttempt, RouteReason,
};
use proptest::prelude::*;
use rust_decimal::Decimal;

/// Any merchant reference, up to the longest.
pub fn references() -> impl Strategy<Value = MerchantReference> {
    "[A-Za-z0-9._:-]{1,64}".prop_map(|text| MerchantReference::parse(&text).expect("a reference"))
}

/// Any transaction number.
pub fn transaction_numbers() -> impl Strategy<Value = TransactionNumber> {
    (1..=TransactionNumber::MAX).prop_map(|n| TransactionNumber::try_new(n).expect("a number"))
}

/// Commercial terms in naira, also such as cost the gateway money.
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

/// A price of an order, by terms or, for a payout, by charges.
pub fn quotes(order: &Order) -> impl Strategy<Value = Quote> + use<> {
    let (amount, service) = (order.amount(), order.service());
    let costs = || prop_oneof![Just(0), 1..=10_000_i64];
    let charges = (costs(), costs(), costs());
    (terms(), charges, super::words()).prop_map(move |(terms, (charge, vat, levy), rule)| {
        let sum = |minor| Money::from_minor(minor, amount.currency());
        let quoted = if !service.has_provider() {
            quote_own(amount, rule)
        } else if matches!(
            service,
            Service::Bank | Service::MobileMoney | Service::Card | Service::International
        ) {
            let charges = Charges {
                charge: sum(charge),
                vat: sum(vat),
                levy: sum(levy),
            };
            quote_payout(amount, &charges, rule)
        } else {
            let fee = sum(terms.fee.minor());
            quote(amount, &Terms { fee, ..terms }, rule)
        };
        // At most five percent of commission: even one minor unit keeps a price.
        quoted.expect("a price above zero")
    })
}

/// What a transaction of an account is opened from.
pub fn drafts(account: AccountId) -> impl Strategy<Value = Draft> {
    let names = (transaction_numbers(), references());
    let provider = prop_oneof![Just("sandbox"), Just("airwave-2")];
    let provider = (
        provider,
        proptest::option::weighted(0.2, super::words()),
        proptest::option::weighted(0.5, attempt_routes()),
    );
    let retry = proptest::option::of(idempotencies());
    let priced = orders().prop_flat_map(|order| (quotes(&order), Just(order)));
    (names, retry, priced, provider).prop_map(
        move |(
            (number, reference),
            idempotency,
            (quote, order),
            (provider, adapter_state, route),
        )| {
            let provider = ProviderId::parse(provider).expect("a provider");
            let (name, first) = ((&account, &reference), AttemptNumber::FIRST);
            Draft {
                number,
                prepared: PreparedAttempt {
                    adapter_state,
                    ..PreparedAttempt::derived(provider, name, first)
                },
                route,
                account: account.clone(),
                reference,
                idempotency,
                order,
                quote,
            }
        },
    )
}

/// Any route that an attempt took.
fn attempt_routes() -> impl Strategy<Value = AttemptRoute> {
    let percent = (0..=1_000_000_i64)
        .prop_map(|n| Percent::try_new(Decimal::new(n, 4)).expect("a percentage"));
    let passed_over = proptest::sample::select(PassedOverReason::ALL.as_slice());
    let passed_over = (any::<bool>(), passed_over).prop_map(|(other, reason)| PassedOver {
        provider: ProviderId::parse(if other { "other" } else { "third-1" }).expect("a provider"),
        reason,
    });
    let passed_over = proptest::collection::vec(passed_over, 0..=AttemptRoute::PASSED_OVER_MAX);
    let reason = proptest::sample::select(RouteReason::ALL.as_slice());
    let numbers = (any::<u32>(), any::<u16>(), any::<u16>());
    (numbers, reason, proptest::option::of(percent), passed_over).prop_map(
        |((number, priority, place), reason, cost, passed_over)| AttemptRoute {
            number,
            priority,
            reason,
            place,
            cost,
            passed_over,
        },
    )
}

fn idempotencies() -> impl Strategy<Value = Idempotency> {
    let key = "[ -~]{12,255}";
    (key, any::<[u8; 32]>()).prop_map(|(key, meaning)| Idempotency {
        key: IdempotencyKey::parse(&key).expect("a key"),
        fingerprint: RequestFingerprint(meaning),
    })
}
