//! `GET /payment/electricity/transaction`. It must show what the payment showed, and two fields
//! more.

use super::pay;
use crate::attributes::Attributes;
use crate::format;
use crate::reader::Handling;
use crate::transaction::identity;
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::electricity::ElectricityOrder;
use domain::reference::MerchantReference;
use domain::transaction::Transaction;

/// Reads which transaction is requested.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<MerchantReference, Violations> {
    crate::transaction::parse_reference(attributes, handling)
}

/// The report: the payment with `gtwStatus` and `service` (interface §2.6).
pub(crate) fn view(transaction: &Transaction, order: &ElectricityOrder, zone: &Zone) -> Object {
    let gateway = format::gateway_status(transaction.gateway_status());
    identity(transaction)
        .with("gtwStatus", gateway)
        .with("service", crate::family::name(transaction.order.service()))
        .and(pay::body(transaction, order, zone))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, query};

    #[test]
    fn a_report_is_asked_for_by_reference_alone() {
        let read = |text, handling| parse(&query(text), handling);
        let reference = read("mrcReference=order-1", Handling::Strict).unwrap();
        assert_eq!(reference.as_str(), "order-1");
        insta::assert_snapshot!(faults(read("reference=order-1", Handling::Strict)), @r"
        405 -
        mrcReference: is required; add it to the query of the address
        reference: is not an attribute of this request; leave it out
        ");
    }
}
