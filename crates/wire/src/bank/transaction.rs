//! `GET /transfer/bank/transaction`. It must show exactly what the payout showed.

use crate::attributes::Attributes;
use crate::reader::Handling;
use crate::violations::Violations;
use domain::reference::MerchantReference;

/// The report adds nothing to the answer of the payout and omits nothing (interface §2.9).
pub(crate) use super::payout::view;

/// Reads which payout is requested.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<MerchantReference, Violations> {
    crate::transaction::parse_reference(attributes, handling)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, in_every_state, lagos, query};
    use crate::transaction::{answer, report};
    use testkit::builders::payout;

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
    fn the_report_shows_what_the_payout_showed() {
        let zone = lagos();
        let opened = payout().transaction();
        let reported = in_every_state(&opened, |tx| report(tx, &zone));
        assert_eq!(reported, in_every_state(&opened, |tx| answer(tx, &zone)));
    }
}
