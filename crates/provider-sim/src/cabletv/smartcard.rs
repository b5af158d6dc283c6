//! What a cable TV provider knows of a smartcard. It must not remember anything: a card is derived
//! from the seed, its provider and its number, so that every process sees the same.

use super::table::CatalogueCableRecord;
use crate::draw::Draw;
use crate::people;
use domain::cabletv::{CablePlan, Smartcard, SmartcardNumber};
use domain::money::{Currency, Money};
use domain::phone::PhoneNumber;
use domain::time::Timestamp;

/// One card in so many never had a plan.
const NEW: u64 = 15;

/// One card in so many was not paid for when its plan ended.
const SUSPENDED: u64 = 5;

/// One customer in so many is known without a telephone number, or without an address.
const UNREACHABLE: u64 = 5;

/// One card in so many has something credited to it, in kobo from 50.00 to 4,000.00.
const CREDITED: u64 = 3;
const CREDIT: (u64, u64) = (5_000, 400_000);

/// Plans run for 30 days, in a rhythm of each card's own.
const CYCLE_MS: u64 = 30 * 86_400_000;

/// Where customers live whose provider knows it.
const AREAS: [&str; 8] = [
    "Ikeja, Lagos",
    "Surulere, Lagos",
    "Wuse, Abuja, FCT",
    "Bodija, Ibadan, Oyo",
    "GRA, Benin City, Edo",
    "Rumuola, Port Harcourt, Rivers",
    "Sabon Gari, Kano",
    "New Haven, Enugu",
];

/// The card as its provider knows it at a moment.
pub(crate) fn smartcard(
    seed: u64,
    record: &CatalogueCableRecord,
    (number, now): (&SmartcardNumber, Timestamp),
) -> Smartcard {
    let provider = &record.provider;
    let draw = Draw::new(seed, &["card", provider.code.as_str(), number.digits()]);
    let (plan, due_at, status) = subscription(&draw, &provider.plans, now);
    let kind = draw.pick("kind", &record.kinds);
    let reported = |property: &str| !draw.one_in(property, UNREACHABLE);
    let address = || {
        let areas = AREAS.map(String::from);
        people::address(&draw, &areas)
    };
    Smartcard {
        provider: provider.code.clone(),
        brandname: provider.brandname.clone(),
        number: number.clone(),
        customer_type: (!kind.is_empty()).then(|| kind.to_owned()),
        customer_name: people::name(&draw),
        customer_address: (record.addresses && reported("address")).then(address),
        customer_number: reported("telephone").then(|| telephone(&draw)).flatten(),
        plan: plan.cloned(),
        due_at,
        status: status.to_owned(),
        balance: balance(&draw),
    }
}

/// The plan of a card, when it ends or ended, and the provider's word for that.
fn subscription<'a>(
    draw: &Draw,
    plans: &'a [CablePlan],
    now: Timestamp,
) -> (Option<&'a CablePlan>, Option<Timestamp>, &'static str) {
    let index = usize::try_from(draw.below("plan", plans.len() as u64)).ok();
    let plan = index.and_then(|index| plans.get(index));
    if plan.is_none() || draw.one_in("new", NEW) {
        return (None, None, "New");
    }
    let (ends, status) = if draw.one_in("suspended", SUSPENDED) {
        (0, "Suspended")
    } else {
        (CYCLE_MS, "Open")
    };
    let phase_ms = draw.below("phase", CYCLE_MS);
    let due_ms = u64::try_from(now.as_millis()).ok().and_then(|now_ms| {
        let elapsed_ms = now_ms.checked_sub(phase_ms)?;
        let began_ms = elapsed_ms.checked_sub(elapsed_ms.checked_rem(CYCLE_MS)?)?;
        began_ms.checked_add(phase_ms)?.checked_add(ends)
    });
    let due_at = due_ms.and_then(|ms| i64::try_from(ms).ok());
    (plan, due_at.map(Timestamp::from_millis), status)
}

/// A number out of the first ten thousand of a block, so that a test reaches no subscriber.
fn telephone(draw: &Draw) -> Option<PhoneNumber> {
    let number = format!("234803000{:04}", draw.below("telephone number", 10_000));
    PhoneNumber::parse(&number).ok()
}

fn balance(draw: &Draw) -> Money {
    if draw.one_in("credited", CREDITED) {
        let kobo = draw.between("credit", CREDIT);
        Money::from_minor(i64::try_from(kobo).unwrap_or(0), Currency::Ngn)
    } else {
        Money::zero(Currency::Ngn)
    }
}
