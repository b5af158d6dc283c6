//! The report of a bill's payment. It must show what the payment showed, and the service.

use super::pay;
use crate::attributes::Attributes;
use crate::reader::Handling;
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::bill::BillOrder;
use domain::reference::MerchantReference;
use domain::transaction::Transaction;

/// Reads which transaction is requested.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<MerchantReference, Violations> {
    crate::transaction::parse_reference(attributes, handling)
}

/// The report: the payment with `service`.
pub(crate) fn view(transaction: &Transaction, order: &BillOrder, zone: &Zone) -> Object {
    let name = crate::family::name(transaction.order.service());
    pay::view(transaction, order, zone).with("service", name)
}
