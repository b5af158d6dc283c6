//! `POST /payment/airtime`. It must not know any numbering plan or network: the caller passes the
//! status of the number and the network that is named, so that they are reported together with
//! every other violation.

use crate::attribute::{NETWORK, PHONE};
use crate::attributes::Attributes;
use crate::format;
use crate::reader::{FieldReader, Handling};
use crate::transaction::{identity, money};
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::airtime::{AirtimeOrder, TopUp};
use domain::country::CountryCode;
use domain::money::Currency;
use domain::phone::{NumberStatus, PhoneNumber};
use domain::transaction::Transaction;

/// Reads a top-up; its amount is in the currency of the account. `status` is called with the
/// number where it and its country could be read, `named` with the network that is named, and
/// answers its brand or what is wrong with it.
pub fn parse(
    attributes: &Attributes,
    (handling, currency): (Handling, Currency),
    status: impl FnOnce(&PhoneNumber, CountryCode) -> NumberStatus,
    named: impl FnOnce(&str, CountryCode) -> Result<String, String>,
) -> Result<TopUp, Violations> {
    let mut reader = FieldReader::of_purchase(attributes, handling);
    let reference = reader.reference();
    let country = reader.country();
    let number = reader.phone();
    let network = reader.network_of(&PHONE, (&number, country), status);
    let amount = reader.amount(currency);
    let billing = reader.billing();
    let named_network = reader.optional(&NETWORK, |text| match country {
        Ok(country) => named(text, country).map(Some),
        // The country is what is wrong.
        Err(_) => Ok(None),
    });
    reader.finish(|| {
        Ok(TopUp {
            reference: reference?,
            country: country?,
            number: number?,
            network,
            named_network: named_network?.flatten(),
            amount: amount?,
            billing: billing?,
        })
    })
}

/// An airtime transaction (interface §2.4).
pub(crate) fn view(transaction: &Transaction, order: &AirtimeOrder, zone: &Zone) -> Object {
    let gateway = format::gateway_status(transaction.gateway_status());
    identity(transaction)
        .with("txnDate", zone.date_time(transaction.opened_at))
        .with("gtwStatus", gateway)
        .with("number", order.number.digits())
        .with("billing", format::billing(order.billing))
        .with("network", order.network_brandname.as_str())
        .and(money(transaction))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::country::{NOT_IN_PLAN, not_served};
    use crate::fixtures::replaced;
    use crate::fixtures::{BAD_AMOUNTS, STRING_OR_NUMBER, body, faults, in_every_state, lagos};
    use domain::billing::Billing;
    use testkit::builders::airtime;

    const GOOD: [(&str, &str); 5] = [
        ("mrcReference", "\"order-1\""),
        ("countryCode", "566"),
        ("number", "\"2348031234567\""),
        ("amount", "\"1,234.00\""),
        ("billing", "\"prepaid\""),
    ];

    fn lenient(attributes: &Attributes) -> Result<TopUp, Violations> {
        read(attributes, Handling::Lenient, NumberStatus::Exists(None))
    }

    fn strict(attributes: &Attributes) -> Result<TopUp, Violations> {
        read(attributes, Handling::Strict, NumberStatus::Exists(None))
    }

    /// Reads a top-up where `Airtel` is the one network there is.
    fn read(
        attributes: &Attributes,
        handling: Handling,
        status: NumberStatus,
    ) -> Result<TopUp, Violations> {
        let named = |text: &str, _| match text {
            "airtel" => Ok("Airtel".to_owned()),
            _ => Err("must be Airtel".to_owned()),
        };
        parse(attributes, (handling, Currency::Ngn), |_, _| status, named)
    }

    /// Asserts that `literal`, in an otherwise valid request, is the only violation.
    fn check(name: &str, literal: &str, expected: &str) {
        let read = lenient(&body(&replaced(&GOOD, name, literal)));
        assert_eq!(faults(read), expected, "{name}: {literal}");
    }

    #[test]
    fn a_top_up_is_read_from_strings_and_from_numbers_alike() {
        let top_up = lenient(&body(&GOOD)).unwrap();
        assert_eq!(top_up.reference.as_str(), "order-1");
        assert_eq!(top_up.country.get(), 566);
        assert_eq!(top_up.number.digits(), "2348031234567");
        assert_eq!(top_up.amount.minor(), 123_400);
        assert_eq!(top_up.billing, Billing::Prepaid);
        for (name, literal) in [
            ("countryCode", "\"566\""),
            ("number", "2348031234567"),
            ("number", "\"+2348031234567\""),
            ("amount", "1234"),
            ("amount", "1234.0"),
            ("amount", "\"1234.00\""),
        ] {
            let read = lenient(&body(&replaced(&GOOD, name, literal)));
            assert_eq!(read.as_ref(), Ok(&top_up), "{name}: {literal}");
        }
        let postpaid = lenient(&body(&replaced(&GOOD, "billing", "\"postpaid\"")));
        assert_eq!(postpaid.unwrap().billing, Billing::Postpaid);
    }

    #[test]
    fn an_amount_is_exact_and_above_zero_or_refused() {
        for (literal, message) in BAD_AMOUNTS {
            check("amount", literal, &format!("400 814\namount: {message}"));
        }
    }

    #[test]
    fn where_the_number_stands_is_reported_with_everything_else_that_is_wrong() {
        let request = body(&replaced(&GOOD, "amount", "\"1e5\""));
        let reported = |standing| faults(read(&request, Handling::Lenient, standing));
        let amount = "amount: must be a plain decimal such as 1234.00 or 1,234.00, in ASCII digits";
        assert_eq!(
            reported(NumberStatus::Exists(None)),
            format!("400 814\n{amount}")
        );
        let number = format!("400 822\nnumber: {NOT_IN_PLAN}\n{amount}");
        assert_eq!(reported(NumberStatus::NotInPlan), number);
        let country = format!(
            "400 851\ncountryCode: {}\n{amount}",
            not_served(CountryCode::NIGERIA)
        );
        assert_eq!(reported(NumberStatus::CountryNotServed), country);
    }

    #[test]
    fn a_network_may_be_named_and_must_be_one_there_is() {
        let with = |country: &str, network: &str| {
            let mut pairs = replaced(&GOOD, "countryCode", country).clone();
            pairs.push(("network", network));
            strict(&body(&pairs))
        };
        let named = with("566", "\"airtel\"").unwrap().named_network;
        assert_eq!(named.as_deref(), Some("Airtel"));
        let unknown = with("566", "\"mtn\"");
        assert_eq!(faults(unknown), "400 820\nnetwork: must be Airtel");
        let number = with("566", "1");
        assert_eq!(faults(number), "400 820\nnetwork: must be a string");
        let country = faults(with("0", "\"mtn\""));
        assert!(!country.contains("network"), "{country}");
    }

    #[test]
    fn a_number_is_international_or_refused() {
        let shape = "must be in international format: 8 to 15 digits, the plus sign optional";
        for literal in [
            "\"2348x31234567\"",
            "\"1234567\"",
            "1234567890123456",
            "\"08031234567\"",
            "\"234 803 123 4567\"",
            "\"２３４８０３１２３４５６７\"",
            "2.348e12",
            "-2348031234567",
            "\"\"",
        ] {
            check("number", literal, &format!("400 822\nnumber: {shape}"));
        }
        for literal in ["false", "null", "{}", "[\"2348031234567\"]"] {
            check(
                "number",
                literal,
                &format!("400 822\nnumber: {STRING_OR_NUMBER}"),
            );
        }
    }

    #[test]
    fn a_country_is_its_numeric_code_or_refused() {
        let shape = "must be an ISO 3166-1 numeric country code such as 566";
        for literal in [
            "\"NG\"",
            "0",
            "5660",
            "-566",
            "566.5",
            "\"+566\"",
            "\"５６６\"",
        ] {
            check(
                "countryCode",
                literal,
                &format!("400 851\ncountryCode: {shape}"),
            );
        }
    }

    #[test]
    fn words_and_references_are_strings_and_nothing_else() {
        for literal in ["\"paid\"", "\"\"", "\"prepaid \""] {
            check(
                "billing",
                literal,
                "400 -\nbilling: must be prepaid or postpaid",
            );
        }
        for literal in ["1", "true", "null", "[]", "{}"] {
            check("billing", literal, "400 -\nbilling: must be a string");
            check(
                "mrcReference",
                literal,
                "400 -\nmrcReference: must be a string",
            );
        }
        let shape = "must be 1 to 64 characters out of A-Z a-z 0-9 . _ : -";
        for literal in [
            "\"\"",
            "\"a b\"",
            "\"a/b\"",
            "\"\\u0000\"",
            "\"\\u202eabc\"",
        ] {
            check(
                "mrcReference",
                literal,
                &format!("400 -\nmrcReference: {shape}"),
            );
        }
    }

    #[test]
    fn everything_wrong_is_reported_at_once_in_the_order_of_the_interface() {
        insta::assert_snapshot!(faults(lenient(&body(&[]))), @r"
        400 851
        mrcReference: is required; add it to the body
        countryCode: is required; add it to the body
        number: is required; add it to the body
        amount: is required; add it to the body
        billing: is required; add it to the body
        ");
        let bad = [
            ("billing", "7"),
            ("amount", "\"1,23.00\""),
            ("number", "12"),
            ("mrcReference", "\"a b\""),
        ];
        insta::assert_snapshot!(faults(lenient(&body(&bad))), @r"
        400 851
        mrcReference: must be 1 to 64 characters out of A-Z a-z 0-9 . _ : -
        countryCode: is required; add it to the body
        number: must be in international format: 8 to 15 digits, the plus sign optional
        amount: has a comma that does not separate thousands; write 1,234.00 or 1234.00
        billing: must be a string
        ");
    }

    #[test]
    fn unknown_attributes_matter_only_where_the_client_asks_for_it() {
        let mut pairs = GOOD.to_vec();
        pairs.extend([("Amount", "5"), ("x y", "{\"deep\":[1]}")]);
        assert!(lenient(&body(&pairs)).is_ok());
        let strict = strict(&body(&pairs));
        insta::assert_snapshot!(faults(strict), @r#"
        400 -
        Amount: is not an attribute of this request; leave it out
        x y: is not an attribute of this request; leave "x y" out
        "#);
        assert!(self::strict(&body(&GOOD)).is_ok());
    }

    #[test]
    fn a_transaction_looks_the_same_in_its_answer_and_its_report() {
        let transaction = airtime().transaction();
        let zone = lagos();
        let answer = crate::transaction::answer(&transaction, &zone);
        assert_eq!(answer, crate::transaction::report(&transaction, &zone));
        let shown = in_every_state(&transaction, |tx| crate::transaction::answer(tx, &zone));
        insta::assert_snapshot!("airtime", shown);
    }
}
