//! The report of a bill's payment. It must show what the payment showed, and the service.

use super::pay;
use crate::tree::Object;
use crate::zone::Zone;
use domain::bill::BillOrder;
use domain::transaction::Transaction;

/// The report: the payment with `service`.
pub(crate) fn view(transaction: &Transaction, order: &BillOrder, zone: &Zone) -> Object {
    let name = crate::family::name(transaction.order.service());
    pay::view(transaction, order, zone).with("service", name)
}
