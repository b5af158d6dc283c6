//! What a distribution company knows of a meter. It must not remember anything: a meter is derived
//! from the seed, its company and its number, so that every process sees the same.

use super::table::DiscoRecord;
use crate::draw::Draw;
use crate::people;
use domain::billing::Billing;
use domain::electricity::{Meter, MeterNumber, Tariff};
use domain::money::{Currency, Money};
use domain::time::Timestamp;

const CURRENCY: Currency = Currency::Ngn;

/// One meter in so many owes something.
const PREPAID_IN_DEBT: u64 = 5;
const POSTPAID_IN_DEBT: u64 = 2;

/// What is owed, in kobo: from 1,000.00 to 60,000.00.
const DEBT: (u64, u64) = (100_000, 6_000_000);

/// Smallest and largest purchases in naira, as companies set them per class of customer.
const LIMITS: [(u64, u64); 3] = [(500, 200_000), (1_000, 500_000), (1_000, 1_000_000)];

/// One meter in so many is new, and nothing was bought for it yet.
const NEW: u64 = 20;

/// Days between two purchases.
const CYCLE_DAYS: (u64, u64) = (6, 35);

const DAY_MS: u64 = 86_400_000;

/// What is paid at a time, in hundreds of naira.
const PAID_HUNDREDS: (u64, u64) = (10, 250);

/// The meter as its company knows it, without its last purchase.
pub(crate) fn meter(
    seed: u64,
    record: &DiscoRecord,
    (number, billing): (&MeterNumber, Billing),
) -> Meter {
    let draw = draw(seed, record.disco.code.as_str(), number);
    let class = LIMITS.get(usize::try_from(draw.below("class", 3)).unwrap_or(0));
    let (minimum, maximum) = class.copied().unwrap_or((500, 200_000));
    Meter {
        disco: record.disco.code.clone(),
        brandname: record.disco.brandname.clone(),
        number: number.clone(),
        owner: people::name(&draw),
        address: people::address(&draw, &record.areas),
        billing,
        debt: Some(debt(&draw, billing)),
        minimum: naira(minimum),
        maximum: naira(maximum),
        last_purchase: None,
        last_paid: None,
        tariff: tariff(&draw, record),
    }
}

/// Sets when and for how much something was last bought before a moment: customers buy every so
/// many days, each in a rhythm of their own.
pub(crate) fn last_purchase(seed: u64, meter: &mut Meter, before: Timestamp) {
    let draw = draw(seed, meter.disco.as_str(), &meter.number);
    let cycle_ms = draw.between("cycle", CYCLE_DAYS).saturating_mul(DAY_MS);
    let phase_ms = draw.below("phase", cycle_ms);
    let elapsed_ms = u64::try_from(before.as_millis())
        .ok()
        .and_then(|now_ms| now_ms.checked_sub(phase_ms));
    let Some(elapsed_ms) = elapsed_ms.filter(|_| !draw.one_in("new", NEW)) else {
        return;
    };
    let cycles = elapsed_ms.checked_div(cycle_ms).unwrap_or(0);
    let at_ms = cycles.saturating_mul(cycle_ms).saturating_add(phase_ms);
    let hundreds = draw.between(&format!("paid {cycles}"), PAID_HUNDREDS);
    meter.last_purchase = i64::try_from(at_ms).ok().map(Timestamp::from_millis);
    meter.last_paid = Some(naira(hundreds.saturating_mul(100)));
}

fn draw(seed: u64, disco: &str, number: &MeterNumber) -> Draw {
    Draw::new(seed, &["meter", disco, number.digits()])
}

fn debt(draw: &Draw, billing: Billing) -> Money {
    let (property, one_in) = match billing {
        Billing::Prepaid => ("prepaid debt", PREPAID_IN_DEBT),
        Billing::Postpaid => ("postpaid debt", POSTPAID_IN_DEBT),
    };
    if draw.one_in(property, one_in) {
        kobo(draw.between("owed", DEBT))
    } else {
        Money::zero(CURRENCY)
    }
}

fn tariff(draw: &Draw, record: &DiscoRecord) -> Tariff {
    let [first, second, third, fourth, last] = &record.tariffs;
    let tariff = match draw.below("band", 5) {
        0 => first,
        1 => second,
        2 => third,
        3 => fourth,
        _ => last,
    };
    tariff.clone()
}

fn naira(naira: u64) -> Money {
    kobo(naira.saturating_mul(100))
}

fn kobo(kobo: u64) -> Money {
    Money::from_minor(i64::try_from(kobo).unwrap_or(Money::MAX_MINOR), CURRENCY)
}
