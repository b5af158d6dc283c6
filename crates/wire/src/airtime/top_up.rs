//! `POST /payment/airtime`. It must not look anything up: whether the number can be topped up is not
//! decided here.

use crate::attributes::Attributes;
use crate::figures;
use crate::reader::{Handling, Reader};
use crate::transaction::{identity, money};
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::airtime::{AirtimeOrder, TopUp};
use domain::money::Currency;
use domain::transaction::Transaction;

/// Reads a top-up; its amount is in the currency of the account.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    currency: Currency,
) -> Result<TopUp, Violations> {
    let mut reader = Reader::new(attributes, handling);
    let reference = reader.reference();
    let country = reader.country();
    let number = reader.phone();
    let amount = reader.amount(currency);
    let billing = reader.billing();
    reader.finish(|| {
        Ok(TopUp {
            reference: reference?,
            country: country?,
            number: number?,
            amount: amount?,
            billing: billing?,
        })
    })
}

/// An airtime transaction (interface §2.4).
pub(crate) fn view(transaction: &Transaction, order: &AirtimeOrder, zone: &Zone) -> Object {
    let gateway = figures::gateway_status(transaction.gateway_status());
    identity(transaction)
        .with("txnDate", zone.date_time(transaction.opened_at))
        .with("gtwStatus", gateway)
        .with("number", order.number.digits())
        .with("billing", figures::billing(order.billing))
        .with("network", order.network_brandname.as_str())
        .and(money(transaction))
}
