//! What a biller knows of a customer, and what it hands over. It must not remember anything:
//! everything is derived from the seed, the biller and the number, or from an entry of the journal.

use crate::draw::Draw;
use crate::entry_facts::EntryFacts;
use crate::family_product::TokenState;
use crate::people;
use domain::bill::{BillAccount, BillNumber, BillQuery, BillReceipt, Biller, BillingOffer};
use domain::billing::Billing;
use domain::money::{Currency, Money};
use domain::time::Timestamp;
use domain::token::{Token, TokenNumber, breakdown};

/// One customer in so many owes something before use; after use all but one in so many do.
const PREPAID_IN_DEBT: u64 = 6;
const POSTPAID_PAID_UP: u64 = 8;

/// What is owed, in kobo: from 1,000.00 to 40,000.00.
const DEBT: (u64, u64) = (100_000, 4_000_000);

/// One address in so many is not known.
const NO_ADDRESS: u64 = 6;

/// How long a period of billing lasts, and how long after it a bill is due.
const PERIOD_MS: u64 = 30 * 86_400_000;
const DUE_AFTER_MS: u64 = 14 * 86_400_000;

const AREAS: [&str; 4] = ["Lagos", "Abuja, FCT", "Kaduna", "Port Harcourt, Rivers"];
const BANDS: [&str; 3] = ["Domestic", "Commercial", "Industrial"];

/// One more than the largest token of 20 digits.
const TOKENS: u128 = 100_000_000_000_000_000_000;

/// Receipt numbers have ten digits after the biller's identity.
const RECEIPTS: u64 = 10_000_000_000;

/// The customer as the biller knows them at a moment.
pub(crate) fn account(
    seed: u64,
    biller: &Biller,
    (query, now): (&BillQuery, Timestamp),
) -> BillAccount {
    let draw = draw(seed, biller, &query.number);
    let billing = billing(&draw, biller);
    let debt = debt(&draw, billing);
    let period = period(now);
    let is_open = debt.is_positive();
    let due_ms = period
        .saturating_mul(PERIOD_MS)
        .saturating_add(DUE_AFTER_MS);
    BillAccount {
        biller: biller.code.clone(),
        number: query.number.clone(),
        customer_name: people::name(&draw),
        customer_address: (!draw.one_in("no address", NO_ADDRESS))
            .then(|| people::address(&draw, &AREAS.map(String::from))),
        billing,
        debt,
        bill_reference: is_open.then(|| {
            format!(
                "{}-{period:05}-{:06}",
                biller.code,
                draw.below("bill", 1_000_000)
            )
        }),
        bill_period: is_open.then(|| format!("Period {period}")),
        due_at: i64::try_from(due_ms)
            .ok()
            .filter(|_| is_open)
            .map(Timestamp::from_millis),
        tariff_band: biller
            .unit_price
            .map(|_| draw.pick("band", &BANDS).to_owned()),
    }
}

/// What the biller hands over for an entry; `None` where the amount cannot be divided.
pub(crate) fn receipt(
    entry: &EntryFacts<'_>,
    (biller, number, has_token): (&Biller, &BillNumber, bool),
    token: TokenState,
) -> Option<BillReceipt> {
    let customer = draw(entry.seed, biller, number);
    let debt = debt(&customer, billing(&customer, biller));
    let amount = entry.amount.minor().to_string();
    let reference = entry.reference.as_str();
    let parts = [
        "receipt",
        biller.code.as_str(),
        number.digits(),
        &amount,
        reference,
    ];
    let draw = Draw::new(entry.seed, &parts);
    let token = match token {
        TokenState::Made if has_token => Some(made(entry, biller, &draw)?),
        TokenState::Made | TokenState::Awaited => None,
    };
    let left = debt.checked_sub(entry.amount);
    let left = left.filter(|left| left.is_positive());
    Some(BillReceipt {
        category: biller.category,
        receipt: format!("{}{:010}", biller.code, draw.below("receipt", RECEIPTS)),
        outstanding: left.unwrap_or(Money::zero(debt.currency())),
        token,
    })
}

fn made(entry: &EntryFacts<'_>, biller: &Biller, draw: &Draw) -> Option<Token> {
    let nothing = Money::zero(entry.amount.currency());
    let parts = breakdown(entry.amount, nothing, biller.unit_price?)?;
    let digits = format!("{:020}", draw.bits("token").checked_rem(TOKENS)?);
    Some(Token {
        number: Some(TokenNumber::parse(&digits).ok()?),
        cost: Some(parts.cost),
        units: Some(parts.units),
    })
}

fn billing(draw: &Draw, biller: &Biller) -> Billing {
    match biller.billing {
        BillingOffer::Prepaid => Billing::Prepaid,
        BillingOffer::Both if draw.one_in("prepaid", 2) => Billing::Prepaid,
        BillingOffer::Both | BillingOffer::Postpaid => Billing::Postpaid,
    }
}

fn debt(draw: &Draw, billing: Billing) -> Money {
    let owes = match billing {
        Billing::Prepaid => draw.one_in("prepaid debt", PREPAID_IN_DEBT),
        Billing::Postpaid => !draw.one_in("paid up", POSTPAID_PAID_UP),
    };
    let minor = i64::try_from(draw.between("owed", DEBT)).unwrap_or(0);
    Money::from_minor(if owes { minor } else { 0 }, Currency::Ngn)
}

fn period(now: Timestamp) -> u64 {
    let now_ms = u64::try_from(now.as_millis()).unwrap_or(0);
    now_ms.checked_div(PERIOD_MS).unwrap_or(0)
}

fn draw(seed: u64, biller: &Biller, number: &BillNumber) -> Draw {
    let category = biller.category.code();
    Draw::new(
        seed,
        &["bill", category, biller.code.as_str(), number.digits()],
    )
}

#[cfg(test)]
mod tests {
    use super::{Billing, Draw, debt};

    #[test]
    fn most_who_are_billed_afterwards_owe_and_most_who_pay_in_advance_do_not() {
        let owing = |billing| {
            let draws = (0..400).map(|seed| Draw::new(seed, &["biller", "number"]));
            draws
                .filter(|draw| debt(draw, billing).is_positive())
                .count()
        };
        assert!(owing(Billing::Postpaid) > 300);
        assert!(owing(Billing::Prepaid) < 100);
    }
}
