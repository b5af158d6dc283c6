//! `POST /payment/electricity`. It must show null for whatever the company has not said yet, and
//! never a token it did not issue.

use crate::attributes::Attributes;
use crate::figures::{self, available};
use crate::reader::{Handling, Reader};
use crate::transaction::{identity, money};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::Zone;
use domain::electricity::{ElectricityOrder, MeterPayment, MeterQuery, Token, Vend};
use domain::money::Currency;
use domain::provider::Fulfilment;
use domain::transaction::{Delivered, State, Transaction};

/// Reads a payment; its amount is in the currency of the account.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    currency: Currency,
) -> Result<MeterPayment, Violations> {
    let mut reader = Reader::new(attributes, handling);
    let reference = reader.reference();
    let disco = reader.disco();
    let number = reader.meter();
    let amount = reader.amount(currency);
    let billing = reader.billing();
    reader.finish(|| {
        Ok(MeterPayment {
            reference: reference?,
            meter: MeterQuery {
                disco: disco?,
                number: number?,
                billing: billing?,
            },
            amount: amount?,
        })
    })
}

/// An electricity transaction (interface §2.6).
pub(crate) fn view(transaction: &Transaction, order: &ElectricityOrder, zone: &Zone) -> Object {
    identity(transaction).and(body(transaction, order, zone))
}

/// The fields after the identity. `amount` is the amount ordered: for a prepaid meter what the token
/// was bought for, VAT and recovered debt included; for an account what is credited to it.
pub(super) fn body(transaction: &Transaction, order: &ElectricityOrder, zone: &Zone) -> Object {
    let meter = &order.meter;
    let vend = vend(transaction);
    // Before the company answers, what it said about the meter when it was validated still holds.
    let debt = vend.map_or(meter.debt, |vend| vend.debt);
    let last_purchase = vend.map_or(meter.last_purchase, |vend| vend.last_purchase);
    let last_paid = vend.map_or(meter.last_paid, |vend| vend.last_paid);
    let token = vend.and_then(|vend| vend.token.as_ref());
    Object::new()
        .with("disco", meter.disco.as_str())
        .with("brandname", meter.brandname.as_str())
        .with("number", meter.number.digits())
        .with("billing", figures::billing(meter.billing))
        .with("debt", debt)
        .with("outstanding", vend.map(|vend| vend.outstanding))
        .with("receipt", vend.map(|vend| available(&vend.receipt)))
        .with("lastPurchase", last_purchase.map(|at| zone.date(at)))
        .with("lastPaid", last_paid)
        .and(money(transaction))
        .with("token", token.map(token_view))
}

fn token_view(token: &Token) -> Node {
    Object::new()
        .with("number", token.number.to_string())
        .with("cost", token.cost)
        .with("units", figures::units(token))
        .into()
}

/// What the company answered, once it is certain. A reversed payment still shows it: whoever handed
/// the token on has to know which one was taken back.
fn vend(transaction: &Transaction) -> Option<&Vend> {
    match &transaction.state {
        State::Successful(delivered) => of(delivered),
        State::Reversed(reversed) => of(&reversed.delivered),
        State::Sending(_) | State::InDoubt(_) | State::Review(_) | State::Failed(_) => None,
    }
}

fn of(delivered: &Delivered) -> Option<&Vend> {
    match &delivered.fulfilment {
        Fulfilment::Electricity(vend) => Some(vend),
        Fulfilment::Airtime => None,
    }
}
