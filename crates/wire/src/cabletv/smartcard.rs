//! `GET /payment/cabletv/smartcard`. It must show the card as its biller describes it.

use crate::attributes::Attributes;
use crate::format::available;
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::cabletv::{Smartcard, SmartcardQuery};
use domain::phone::PhoneNumber;

/// Reads which smartcard is requested.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<SmartcardQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let provider = reader.provider();
    let number = reader.smartcard();
    reader.finish(|| {
        Ok(SmartcardQuery {
            provider: provider?,
            number: number?,
        })
    })
}

/// A smartcard (interface §2.5, smartcard validation). The interface declares the cost of its plan
/// under one name and shows it under another; both are sent.
pub fn view(card: &Smartcard, zone: &Zone) -> Object {
    let plan = card.plan.as_ref();
    let cost = plan.map(|plan| plan.amount);
    let customer = card.customer_number.as_ref();
    Object::new()
        .with("provider", card.provider.as_str())
        .with("brandname", card.brandname.as_str())
        .with("number", card.number.digits())
        .with("customerType", card.customer_type.clone())
        .with("customerName", available(&card.customer_name))
        .with("customerAddress", card.customer_address.clone())
        .with("customerNumber", customer.map(PhoneNumber::digits))
        .with("productIdentifier", plan.map(|plan| plan.code.as_str()))
        .with("productName", plan.map(|plan| plan.name.as_str()))
        .with("productCost", cost)
        .with("productPrice", cost)
        .with("dueDate", card.due_at.map(|at| zone.iso_date(at)))
        .with("accountStatus", available(&card.status))
        .with("accountBalance", card.balance)
        .with("accountCurrency", card.balance.currency().code())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, lagos, pretty, query};
    use testkit::builders::smartcard;

    fn lenient(text: &str) -> Result<SmartcardQuery, Violations> {
        parse(&query(text), Handling::Lenient)
    }

    #[test]
    fn a_card_is_asked_for_with_its_leading_zeros() {
        let asked = lenient("provider=2&number=0201234567").unwrap();
        assert_eq!(asked.provider.as_str(), "2");
        assert_eq!(asked.number.digits(), "0201234567");
    }

    #[test]
    fn a_missing_filter_is_distinguished_from_a_bad_one() {
        insta::assert_snapshot!(faults(lenient("number=x")), @r"
        405 820
        provider: is required; add it to the query of the address
        number: must be a smartcard or decoder number of 8 to 15 digits
        ");
        for text in [
            "",
            "1234567",
            "1234567890123456",
            "12345678a",
            "%2B12345678",
        ] {
            let read = lenient(&format!("provider=2&number={text}"));
            let shape = "must be a smartcard or decoder number of 8 to 15 digits";
            assert_eq!(
                faults(read),
                format!("400 824\nnumber: {shape}"),
                "{text:?}"
            );
        }
        let strict = parse(
            &query("provider=GOtv&number=0201234567&x=1"),
            Handling::Strict,
        );
        insta::assert_snapshot!(faults(strict), @r"
        400 820
        provider: must be the identifier of a provider, 1 to 9 digits
        x: is not an attribute of this request; leave it out
        ");
    }

    #[test]
    fn a_card_shows_null_or_a_placeholder_for_what_its_provider_does_not_know() {
        let known = view(&smartcard("0201234567"), &lagos());
        insta::assert_snapshot!("smartcard", pretty(&known.into()));
        let bare = Smartcard {
            customer_type: None,
            customer_name: String::new(),
            customer_address: None,
            customer_number: None,
            plan: None,
            due_at: None,
            status: String::new(),
            ..smartcard("0201234567")
        };
        insta::assert_snapshot!("bare_smartcard", pretty(&view(&bare, &lagos()).into()));
    }
}
