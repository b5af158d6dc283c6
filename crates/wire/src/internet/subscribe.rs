//! `POST /payment/internet`. It must leave the choice of the operator to the plan.

use crate::attribute;
use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling};
use crate::transaction::{identity, money};
use crate::tree::Object;
use crate::violations::Violations;
use domain::internet::{BundlePurchase, DataOrder};
use domain::subscription::PlanCode;
use domain::transaction::Transaction;

/// Reads the purchase of a bundle.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<BundlePurchase, Violations> {
    let mut reader = FieldReader::of_purchase(attributes, handling);
    let reference = reader.reference();
    let plan = reader.required(&attribute::PLAN, PlanCode::parse);
    let number = reader.phone();
    reader.finish(|| {
        Ok(BundlePurchase {
            reference: reference?,
            plan: plan?,
            number: number?,
        })
    })
}

/// A data transaction (interface §2.7).
pub(crate) fn view(transaction: &Transaction, order: &DataOrder) -> Object {
    identity(transaction).and(body(transaction, order))
}

/// The fields after the identity.
pub(super) fn body(transaction: &Transaction, order: &DataOrder) -> Object {
    Object::new()
        .with("number", order.number.digits())
        .with("brandname", order.brandname.as_str())
        .with("identifier", order.plan.as_str())
        .with("name", order.name.as_str())
        .with("validity", order.validity_days.to_string())
        .and(money(transaction))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{STRING_OR_NUMBER, body, faults, in_every_state, lagos, replaced};
    use crate::transaction::answer;
    use testkit::builders::internet;

    const GOOD: [(&str, &str); 3] = [
        ("mrcReference", "\"order-1\""),
        ("identifier", "105"),
        ("number", "\"2348031234567\""),
    ];

    fn lenient(attributes: &Attributes) -> Result<BundlePurchase, Violations> {
        parse(attributes, Handling::Lenient)
    }

    fn check(name: &str, literal: &str, expected: &str) {
        let read = lenient(&body(&replaced(&GOOD, name, literal)));
        assert_eq!(faults(read), expected, "{name}: {literal}");
    }

    #[test]
    fn a_bundle_is_read_from_strings_and_from_numbers_alike() {
        let bundle = lenient(&body(&GOOD)).unwrap();
        assert_eq!(bundle.reference.as_str(), "order-1");
        assert_eq!(bundle.plan.as_str(), "105");
        assert_eq!(bundle.number.digits(), "2348031234567");
        for (name, literal) in [
            ("identifier", "\"105\""),
            ("number", "2348031234567"),
            ("number", "\"+2348031234567\""),
        ] {
            let read = lenient(&body(&replaced(&GOOD, name, literal)));
            assert_eq!(read.as_ref(), Ok(&bundle), "{name}: {literal}");
        }
        let padded = lenient(&body(&replaced(&GOOD, "identifier", "\"0105\"")));
        assert_eq!(padded.unwrap().plan.as_str(), "0105");
    }

    #[test]
    fn a_plan_and_a_number_are_digits_or_refused() {
        let plan = "must be the identifier of a plan, 1 to 9 digits";
        let phone = "must be in international format: 8 to 15 digits, the plus sign optional";
        for (name, code, shape) in [("identifier", 830, plan), ("number", 822, phone)] {
            for literal in [
                "\"\"",
                "\"1x5\"",
                "-105",
                "1.5",
                "\"１０５\"",
                "12345678901234567",
            ] {
                check(name, literal, &format!("400 {code}\n{name}: {shape}"));
            }
            for literal in ["false", "null", "{}", "[105]"] {
                let expected = format!("400 {code}\n{name}: {STRING_OR_NUMBER}");
                check(name, literal, &expected);
            }
        }
    }

    #[test]
    fn everything_wrong_is_reported_at_once_in_the_order_of_the_interface() {
        insta::assert_snapshot!(faults(lenient(&body(&[]))), @r"
        400 830
        mrcReference: is required; add it to the body
        identifier: is required; add it to the body
        number: is required; add it to the body
        ");
        let bad = [
            ("amount", "5"),
            ("number", "12"),
            ("identifier", "\"1GB\""),
            ("mrcReference", "1"),
        ];
        let strict = parse(&body(&bad), Handling::Strict);
        insta::assert_snapshot!(faults(strict), @r"
        400 830
        mrcReference: must be a string
        identifier: must be the identifier of a plan, 1 to 9 digits
        number: must be in international format: 8 to 15 digits, the plus sign optional
        amount: is not an attribute of this request; leave it out
        ");
        assert!(parse(&body(&GOOD), Handling::Strict).is_ok());
    }

    #[test]
    fn a_bundle_shows_its_plan_in_every_state() {
        let opened = internet().transaction();
        let zone = lagos();
        insta::assert_snapshot!("data", in_every_state(&opened, |tx| answer(tx, &zone)));
    }
}
