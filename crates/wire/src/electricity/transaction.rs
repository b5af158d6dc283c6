//! `GET /payment/electricity/transaction`. It must show what the payment showed, and two fields
//! more.

use super::pay;
use crate::format;
use crate::transaction::identity;
use crate::tree::Object;
use crate::zone::Zone;
use domain::electricity::ElectricityOrder;
use domain::transaction::Transaction;

/// The report: the payment with `gtwStatus` and `service` (interface §2.6).
pub(crate) fn view(transaction: &Transaction, order: &ElectricityOrder, zone: &Zone) -> Object {
    let gateway = format::gateway_status(transaction.gateway_status());
    identity(transaction)
        .with("gtwStatus", gateway)
        .with("service", crate::family::name(transaction.order.service()))
        .and(pay::body(transaction, order, zone))
}
