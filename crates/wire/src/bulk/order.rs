//! `POST /transfer/bulk`. It must name every payout that cannot be read, by its place.

use super::ON_FAILURE;
use crate::attribute;
use crate::attributes::Attributes;
use crate::bank::payout;
use crate::reader::{FieldReader, Handling, InvalidField};
use crate::violations::Violations;
use domain::bank::{BulkPayout, Payout};
use domain::batch::OnFailure;
use domain::money::Currency;
use domain::reference::MerchantReference;
use std::collections::HashMap;

/// Reads a request for many payouts; their amounts are in the currency of the account.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    currency: Currency,
) -> Result<BulkPayout, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    let on_failure = reader.choice(&attribute::ON_FAILURE, &ON_FAILURE);
    let read = |item: &Attributes| payout::parse(item, handling, currency);
    let payouts = reader.objects(&attribute::ITEMS, read);
    let payouts = payouts.and_then(|payouts| {
        named_apart(&mut reader, reference.as_ref().ok(), &payouts)?;
        Ok(payouts)
    });
    reader.finish(|| {
        Ok(BulkPayout {
            reference: reference?,
            on_failure: on_failure?.unwrap_or(OnFailure::Continue),
            payouts: payouts?,
        })
    })
}

/// Each payout has a reference of its own, and none that of the batch.
fn named_apart(
    reader: &mut FieldReader<'_>,
    batch: Option<&MerchantReference>,
    payouts: &[Payout],
) -> Result<(), InvalidField> {
    let mut earlier: HashMap<&MerchantReference, usize> = HashMap::new();
    let mut named = Ok(());
    for (place, payout) in payouts.iter().enumerate() {
        let other = if batch == Some(&payout.reference) {
            Some("is the reference of the batch".to_owned())
        } else {
            let other = earlier.insert(&payout.reference, place);
            other.map(|other| format!("is that of items.{other} as well"))
        };
        if let Some(other) = other {
            let message = format!("{other}; give each payout one of its own");
            let at = (&attribute::ITEMS, place);
            named = Err(reader.fault_of_object(at, &attribute::REFERENCE, &message));
        }
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{body, faults};

    fn item(reference: &str) -> String {
        format!(
            r#"{{"mrcReference":"{reference}","bankIdentifier":"00000000058",
                "accountNumber":"0123456789","txnAmount":"1,000.00","txnNarration":"Pay"}}"#
        )
    }

    fn read(items: &str) -> Result<BulkPayout, Violations> {
        let attributes = body(&[("mrcReference", "\"run-1\""), ("items", items)]);
        parse(&attributes, Handling::Strict, Currency::Ngn)
    }

    #[test]
    fn many_payouts_are_read_in_their_order() {
        let bulk = read(&format!("[{},{}]", item("a"), item("b"))).unwrap();
        assert_eq!(bulk.reference.as_str(), "run-1");
        assert_eq!(bulk.on_failure, OnFailure::Continue);
        let names = bulk.payouts.iter().map(|it| it.reference.as_str());
        assert_eq!(names.collect::<Vec<_>>(), ["a", "b"]);
        let attributes = body(&[
            ("mrcReference", "\"run-1\""),
            ("batOnFailure", "\"stop\""),
            ("items", &format!("[{}]", item("a"))),
        ]);
        let stopping = parse(&attributes, Handling::Strict, Currency::Ngn).unwrap();
        assert_eq!(stopping.on_failure, OnFailure::Stop);
    }

    #[test]
    fn every_payout_that_cannot_be_read_is_named_by_its_place() {
        let wrong = item("b")
            .replace("1,000.00", "0")
            .replace("00000000058", "058");
        let strange = item("c").replace("\"txnNarration\":\"Pay\"", "\"txnNarration\":5,\"x\":1");
        let items = format!("[{},{wrong},{strange}]", item("a"));
        insta::assert_snapshot!(faults(read(&items)), @r"
        400 840
        items.1.bankIdentifier: must be the identifier of a bank, 11 capital letters and digits
        items.1.txnAmount: must be an amount above zero, such as 1234.00
        items.2.txnNarration: must be a string
        items.2.x: is not an attribute of this request; leave it out
        ");
    }

    #[test]
    fn what_is_no_list_of_payouts_is_refused() {
        for (items, expected) in [
            ("[]", "items: must hold at least one object"),
            ("{}", "items: must be an array of objects"),
            ("\"a\"", "items: must be an array of objects"),
            ("[1]", "items: must be an array of objects"),
        ] {
            assert_eq!(faults(read(items)), format!("400 -\n{expected}"), "{items}");
        }
        let little = body(&[("batOnFailure", "\"retry\"")]);
        let refused = parse(&little, Handling::Lenient, Currency::Ngn);
        insta::assert_snapshot!(faults(refused), @r"
        400 -
        mrcReference: is required; add it to the body
        batOnFailure: must be continue or stop
        items: is required; add it to the body
        ");
    }

    #[test]
    fn references_are_each_payouts_own() {
        let items = format!("[{},{},{}]", item("a"), item("run-1"), item("a"));
        insta::assert_snapshot!(faults(read(&items)), @r"
        400 -
        items.1.mrcReference: is the reference of the batch; give each payout one of its own
        items.2.mrcReference: is that of items.0 as well; give each payout one of its own
        ");
    }

    #[test]
    fn an_answer_names_a_hundred_payouts_and_counts_the_others() {
        let items = vec!["{}"; 150].join(",");
        let refused = faults(read(&format!("[{items}]")));
        assert!(refused.contains("items.99.mrcReference"), "{refused}");
        assert!(!refused.contains("items.100."), "{refused}");
        let rest = "items: has 50 more objects that are not valid";
        assert!(refused.ends_with(rest), "{refused}");
    }
}
