//! `GET /payment/internet/transaction`. It must show what the subscription showed, and one field
//! more.

use super::subscribe;
use crate::attributes::Attributes;
use crate::format;
use crate::reader::Handling;
use crate::transaction::identity;
use crate::tree::Object;
use crate::violations::Violations;
use domain::internet::DataOrder;
use domain::reference::MerchantReference;
use domain::transaction::Transaction;

/// Reads which transaction is requested.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<MerchantReference, Violations> {
    crate::transaction::parse_reference(attributes, handling)
}

/// The report: the subscription with `gtwStatus` (interface §2.7).
pub(crate) fn view(transaction: &Transaction, order: &DataOrder) -> Object {
    let gateway = format::gateway_status(transaction.gateway_status());
    identity(transaction)
        .with("gtwStatus", gateway)
        .and(subscribe::body(transaction, order))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, in_every_state, lagos, query};
    use crate::transaction::{answer, report};
    use testkit::builders::internet;

    #[test]
    fn a_report_is_asked_for_by_reference_alone() {
        let read = |text| parse(&query(text), Handling::Strict);
        assert_eq!(read("mrcReference=order-1").unwrap().as_str(), "order-1");
        insta::assert_snapshot!(faults(read("number=1")), @r"
        405 -
        mrcReference: is required; add it to the query of the address
        number: is not an attribute of this request; leave it out
        ");
    }

    #[test]
    fn the_report_adds_the_gateway_and_changes_nothing_else() {
        let zone = lagos();
        let opened = internet().transaction();
        insta::assert_snapshot!(
            "data_report",
            in_every_state(&opened, |tx| report(tx, &zone))
        );
        let report = report(&opened, &zone);
        let rest: Vec<_> = report.fields().filter(|it| it.0 != "gtwStatus").collect();
        assert_eq!(rest, answer(&opened, &zone).fields().collect::<Vec<_>>());
    }
}
