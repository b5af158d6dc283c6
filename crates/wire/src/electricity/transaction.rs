//! `GET /payment/electricity/transaction`. It must show what the payment showed, and two fields more.

use super::pay;
use crate::attributes::Attributes;
use crate::figures;
use crate::reader::Handling;
use crate::transaction::identity;
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::electricity::ElectricityOrder;
use domain::reference::MerchantReference;
use domain::transaction::Transaction;

/// Reads which transaction is asked for.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<MerchantReference, Violations> {
    crate::transaction::parse_reference(attributes, handling)
}

/// The report: the payment with `gtwStatus` and `service` (interface §2.6).
pub(crate) fn view(transaction: &Transaction, order: &ElectricityOrder, zone: &Zone) -> Object {
    let gateway = figures::gateway_status(transaction.gateway_status());
    identity(transaction)
        .with("gtwStatus", gateway)
        .with("service", figures::service(transaction.order.service()))
        .and(pay::body(transaction, order, zone))
}
