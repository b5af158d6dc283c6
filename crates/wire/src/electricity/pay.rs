//! `POST /payment/electricity`. It must show null for any value the biller has not sent yet, and
//! never a token it did not issue.

use crate::attributes::Attributes;
use crate::format::{self, available};
use crate::reader::{FieldReader, Handling};
use crate::transaction::{identity, money};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::Zone;
use domain::electricity::{ElectricityOrder, MeterPayment, MeterQuery, Vend};
use domain::money::Currency;
use domain::token::Token;
use domain::transaction::Transaction;

/// Reads a payment; its amount is in the currency of the account.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    currency: Currency,
) -> Result<MeterPayment, Violations> {
    let mut reader = FieldReader::of_purchase(attributes, handling);
    let reference = reader.reference();
    let disco = reader.disco();
    let number = reader.meter();
    let amount = reader.amount(currency);
    let billing = reader.billing();
    let customer_phone = reader.customer_phone();
    reader.finish(|| {
        Ok(MeterPayment {
            reference: reference?,
            meter: MeterQuery {
                disco: disco?,
                number: number?,
                billing: billing?,
            },
            amount: amount?,
            customer_phone: customer_phone?,
        })
    })
}

/// An electricity transaction (interface §2.6).
pub(crate) fn view(transaction: &Transaction, order: &ElectricityOrder, zone: &Zone) -> Object {
    identity(transaction).and(body(transaction, order, zone))
}

/// The fields after the identity. `amount` is the amount ordered: for a prepaid meter the price of
/// the token, VAT and recovered debt included; for an account what is credited to it.
pub(super) fn body(transaction: &Transaction, order: &ElectricityOrder, zone: &Zone) -> Object {
    let meter = &order.meter;
    let vend = vend(transaction);
    // Before the biller answers, its answer to the validation of the meter still applies.
    let debt = vend.map_or(meter.debt, |vend| vend.debt);
    let last_purchase = vend.map_or(meter.last_purchase, |vend| vend.last_purchase);
    let last_paid = vend.map_or(meter.last_paid, |vend| vend.last_paid);
    let token = vend.and_then(|vend| vend.token.as_ref());
    Object::new()
        .with("disco", meter.disco.as_str())
        .with("brandname", meter.brandname.as_str())
        .with("number", meter.number.digits())
        .with("billing", format::billing(meter.billing))
        .with("debt", debt)
        .with("outstanding", vend.and_then(|vend| vend.outstanding))
        .with("receipt", vend.map(|vend| available(&vend.receipt)))
        .with("lastPurchase", last_purchase.map(|at| zone.date(at)))
        .with("lastPaid", last_paid)
        .and(money(transaction))
        .with("token", token.map(token_view))
}

fn token_view(token: &Token) -> Node {
    Object::new()
        .with("number", format::token_number(token))
        .with("cost", token.cost)
        .with("units", format::units(token))
        .into()
}

/// The biller's answer, once it is certain. A reversed payment still shows it: a merchant who
/// passed the token on has to know which one was reversed.
fn vend(transaction: &Transaction) -> Option<&Vend> {
    transaction.state.delivered()?.fulfilment.vend()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{
        BAD_AMOUNTS, STRING_OR_NUMBER, body, faults, in_every_state, lagos, replaced,
    };
    use crate::transaction::{answer, report};
    use domain::billing::Billing;
    use testkit::builders::{START, advance, delivered, electricity, unfinished};

    const GOOD: [(&str, &str); 5] = [
        ("mrcReference", "\"order-1\""),
        ("disco", "101"),
        ("number", "\"04123456789\""),
        ("amount", "\"5,000.00\""),
        ("billing", "\"prepaid\""),
    ];

    fn lenient(attributes: &Attributes) -> Result<MeterPayment, Violations> {
        parse(attributes, Handling::Lenient, Currency::Ngn)
    }

    fn check(name: &str, literal: &str, expected: &str) {
        let read = lenient(&body(&replaced(&GOOD, name, literal)));
        assert_eq!(faults(read), expected, "{name}: {literal}");
    }

    #[test]
    fn the_telephone_of_the_customer_may_be_given() {
        let mut pairs = GOOD.to_vec();
        assert_eq!(
            parse(&body(&pairs), Handling::Strict, Currency::Ngn)
                .unwrap()
                .customer_phone,
            None
        );
        pairs.push(("customerNumber", "\"+2348031234567\""));
        let phone = parse(&body(&pairs), Handling::Strict, Currency::Ngn)
            .unwrap()
            .customer_phone;
        assert_eq!(phone.unwrap().digits(), "2348031234567");
        pairs.pop();
        pairs.push(("customerNumber", "\"0803\""));
        let wrong = faults(lenient(&body(&pairs)));
        let shape = "must be in international format: 8 to 15 digits, the plus sign optional";
        assert_eq!(wrong, format!("400 822\ncustomerNumber: {shape}"));
    }

    #[test]
    fn a_payment_keeps_the_leading_zeros_of_its_meter() {
        let payment = lenient(&body(&GOOD)).unwrap();
        assert_eq!(payment.reference.as_str(), "order-1");
        assert_eq!(payment.meter.disco.as_str(), "101");
        assert_eq!(payment.meter.number.digits(), "04123456789");
        assert_eq!(payment.meter.billing, Billing::Prepaid);
        assert_eq!(payment.amount.minor(), 500_000);
        let literal = lenient(&body(&replaced(&GOOD, "number", "45123456789")));
        assert_eq!(literal.unwrap().meter.number.digits(), "45123456789");
        let quoted = lenient(&body(&replaced(&GOOD, "disco", "\"101\"")));
        assert_eq!(quoted, Ok(payment));
    }

    #[test]
    fn an_amount_is_exact_and_above_zero_or_refused() {
        for (literal, message) in BAD_AMOUNTS {
            check("amount", literal, &format!("400 814\namount: {message}"));
        }
    }

    #[test]
    fn a_meter_and_its_company_are_digits_or_refused() {
        let shape = "must be a meter or account number of 6 to 15 digits";
        for literal in [
            "\"12345\"",
            "1234567890123456",
            "\"0412345678A\"",
            "1e7",
            "\"+4123456789\"",
        ] {
            check("number", literal, &format!("400 823\nnumber: {shape}"));
        }
        check(
            "number",
            "true",
            &format!("400 823\nnumber: {STRING_OR_NUMBER}"),
        );
        let shape = "must be the identifier of a distribution company, 1 to 9 digits";
        for literal in ["\"ikeja\"", "-101", "1.5", "1234567890", "\"\""] {
            check("disco", literal, &format!("400 820\ndisco: {shape}"));
        }
        check(
            "disco",
            "null",
            &format!("400 820\ndisco: {STRING_OR_NUMBER}"),
        );
    }

    #[test]
    fn everything_wrong_is_reported_at_once_in_the_order_of_the_interface() {
        let bad = [
            ("number", "[]"),
            ("amount", "\"１００\""),
            ("billing", "\"token\""),
            ("x", "1"),
        ];
        let strict = parse(&body(&bad), Handling::Strict, Currency::Ngn);
        insta::assert_snapshot!(faults(strict), @r"
        400 820
        mrcReference: is required; add it to the body
        disco: is required; add it to the body
        number: must be a string or a number
        amount: must be a plain decimal such as 1234.00 or 1,234.00, in ASCII digits
        billing: must be prepaid or postpaid
        x: is not an attribute of this request; leave it out
        ");
    }

    #[test]
    fn a_prepaid_payment_shows_its_token_only_once_it_is_certain() {
        let opened = electricity().transaction();
        let zone = lagos();
        insta::assert_snapshot!("prepaid", in_every_state(&opened, |tx| answer(tx, &zone)));
        let accepted = advance(&opened, &unfinished(&opened), START).transaction;
        let shown = answer(&accepted, &zone);
        let token = shown.fields().find(|(name, _)| *name == "token");
        assert_eq!(token, Some(("token", &Node::Null)));
    }

    #[test]
    fn a_postpaid_payment_has_a_receipt_and_no_token() {
        let opened = electricity().postpaid().transaction();
        let paid = advance(&opened, &delivered(&opened), START).transaction;
        let shown = crate::fixtures::pretty(&answer(&paid, &lagos()).into());
        insta::assert_snapshot!("postpaid", shown);
    }

    #[test]
    fn the_report_adds_the_gateway_and_the_service_and_changes_nothing_else() {
        let opened = electricity().transaction();
        let zone = lagos();
        insta::assert_snapshot!("report", in_every_state(&opened, |tx| report(tx, &zone)));
        let report = report(&opened, &zone);
        let added = |name: &str| matches!(name, "gtwStatus" | "service");
        let rest: Vec<_> = report.fields().filter(|(name, _)| !added(name)).collect();
        assert_eq!(rest, answer(&opened, &zone).fields().collect::<Vec<_>>());
    }
}
