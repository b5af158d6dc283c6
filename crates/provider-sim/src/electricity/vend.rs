//! What a payment for a meter brings. It must come out the same whenever it is asked for:
//! everything is derived from the journal's entry.

use super::meter;
use super::table::DiscoRecord;
use crate::draw::Draw;
use crate::entry_facts::EntryFacts;
use crate::family_product::TokenState;
use domain::billing::Billing;
use domain::electricity::{DiscoCode, Meter, MeterNumber, Vend};
use domain::money::Money;
use domain::percent::Percent;
use domain::token::{Token, TokenNumber, breakdown};

/// The largest share of a prepaid amount, in percent, that a company keeps for old debt.
const RECOVERY_PERCENT: &str = "30";

/// One more than the largest token of 20 digits.
const TOKENS: u128 = 100_000_000_000_000_000_000;

/// Receipt numbers have ten digits after the company's identity.
const RECEIPTS: u64 = 10_000_000_000;

/// Which meter a payment was for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PaidMeter<'a> {
    pub(crate) record: &'a DiscoRecord,
    pub(crate) number: &'a MeterNumber,
    pub(crate) billing: Billing,
}

/// The vend of a journal entry; `None` where the amount cannot be divided.
pub(crate) fn vend(entry: &EntryFacts<'_>, paid: PaidMeter<'_>, token: TokenState) -> Option<Vend> {
    let mut meter = meter::meter(entry.seed, paid.record, (paid.number, paid.billing));
    meter::last_purchase(entry.seed, &mut meter, entry.at);
    let draw = draw(entry, &meter.disco, &meter.number);
    let debt = meter.debt?;
    let recovered = recovered(entry.amount, meter.billing, debt)?;
    let token = match (meter.billing, token) {
        (Billing::Prepaid, TokenState::Made) => Some(made(entry, &meter, recovered, &draw)?),
        (Billing::Prepaid, TokenState::Awaited) | (Billing::Postpaid, _) => None,
    };
    Some(Vend {
        receipt: format!("{}{:010}", meter.disco, draw.below("receipt", RECEIPTS)),
        debt: meter.debt,
        outstanding: Some(debt.checked_sub(recovered)?),
        last_purchase: meter.last_purchase,
        last_paid: meter.last_paid,
        token,
    })
}

/// What goes to old debt: a share of a prepaid vend, all of a payment for a bill.
fn recovered(amount: Money, billing: Billing, debt: Money) -> Option<Money> {
    let at_most = match billing {
        Billing::Prepaid => Percent::parse(RECOVERY_PERCENT).ok()?.of(amount)?,
        Billing::Postpaid => amount,
    };
    debt.checked_min(at_most)
}

fn made(entry: &EntryFacts<'_>, meter: &Meter, recovered: Money, draw: &Draw) -> Option<Token> {
    let parts = breakdown(entry.amount, recovered, meter.tariff.rate?)?;
    let digits = format!("{:020}", draw.bits("token").checked_rem(TOKENS)?);
    Some(Token {
        number: Some(TokenNumber::parse(&digits).ok()?),
        cost: Some(parts.cost),
        units: Some(parts.units),
    })
}

fn draw(entry: &EntryFacts<'_>, disco: &DiscoCode, number: &MeterNumber) -> Draw {
    let amount = entry.amount.minor().to_string();
    let parts = [
        "vend",
        disco.as_str(),
        number.digits(),
        &amount,
        entry.reference.as_str(),
    ];
    Draw::new(entry.seed, &parts)
}
