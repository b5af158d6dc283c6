//! `POST /transfer/card`. It must show which card was paid and never its token.

use crate::attribute::{CARD_TOKEN, NARRATION, TRANSFER_AMOUNT};
use crate::attributes::Attributes;
use crate::format;
use crate::reader::{FieldReader, Handling};
use crate::transaction::identity;
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::bank::Narration;
use domain::card::{CardOrder, CardToken, CardTransfer};
use domain::money::Currency;
use domain::transaction::Transaction;

/// Reads a transfer; its amount is in the currency of the account.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    currency: Currency,
) -> Result<CardTransfer, Violations> {
    let mut reader = FieldReader::of_purchase(attributes, handling);
    let reference = reader.reference();
    let token = reader.required(&CARD_TOKEN, CardToken::parse);
    let amount = reader.amount_of(&TRANSFER_AMOUNT, currency);
    let narration = reader.required(&NARRATION, Narration::parse);
    reader.refuse_card_numbers(&CARD_TOKEN);
    reader.finish(|| {
        Ok(CardTransfer {
            reference: reference?,
            token: token?,
            amount: amount?,
            narration: narration?,
        })
    })
}

/// A transfer. The balance is charged the amount, the charges and the fees.
pub(crate) fn view(transaction: &Transaction, order: &CardOrder, zone: &Zone) -> Object {
    let quote = &transaction.quote;
    let gateway = format::gateway_status(transaction.gateway_status());
    identity(transaction)
        .with("txnDate", zone.date_time(transaction.opened_at))
        .with("gtwStatus", gateway)
        .with("crdBrand", order.brand.as_str())
        .with("crdLast", order.last.as_str())
        .with("txnAmount", order.amount)
        .with("txnNarration", order.narration.as_str())
        .with("txnCharges", quote.charges())
        .with("txnFees", quote.levy)
        .with("price", quote.price)
        .with("currency", quote.price.currency().code())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{BAD_AMOUNTS, body, faults, in_every_state, lagos, replaced};
    use crate::transaction::{answer, report};
    use testkit::builders::card_transfer;

    const NUMBER: &str = "4111111111111111";

    const GOOD: [(&str, &str); 4] = [
        ("mrcReference", "\"order-1\""),
        ("crdToken", "\"tok_visa_6789\""),
        ("txnAmount", "\"20,000.00\""),
        ("txnNarration", "\"Prize of May\""),
    ];

    fn lenient(attributes: &Attributes) -> Result<CardTransfer, Violations> {
        parse(attributes, Handling::Lenient, Currency::Ngn)
    }

    #[test]
    fn a_transfer_is_read_whole() {
        let transfer = lenient(&body(&GOOD)).unwrap();
        assert_eq!(transfer.reference.as_str(), "order-1");
        assert_eq!(transfer.token.as_str(), "tok_visa_6789");
        assert_eq!(transfer.amount.minor(), 2_000_000);
        assert_eq!(transfer.narration.as_str(), "Prize of May");
    }

    #[test]
    fn an_amount_is_exact_and_above_zero_or_refused() {
        for (literal, message) in BAD_AMOUNTS {
            let read = lenient(&body(&replaced(&GOOD, "txnAmount", literal)));
            let expected = format!("400 814\ntxnAmount: {message}");
            assert_eq!(faults(read), expected, "{literal}");
        }
    }

    #[test]
    fn everything_that_is_wrong_is_named_at_once() {
        insta::assert_snapshot!("missing", faults(lenient(&body(&[]))));
        let strict = body(&[("crdToken", "7"), ("txnNarration", "\"\""), ("x", "1")]);
        let read = parse(&strict, Handling::Strict, Currency::Ngn);
        insta::assert_snapshot!("wrong", faults(read));
    }

    #[test]
    fn the_number_of_a_card_is_refused_wherever_it_stands_and_not_repeated() {
        let quoted = format!("\"{NUMBER}\"");
        let listed = format!("[\"a\",\"{NUMBER}\"]");
        let nested = format!("[{{\"a\":\"{NUMBER}\"}}]");
        let spaced = "\"to 4111 1111 1111 1111\"";
        let mut bodies: Vec<_> = [
            ("crdToken", quoted.as_str()),
            ("txnNarration", spaced),
            ("mrcReference", &quoted),
            ("txnAmount", NUMBER),
        ]
        .map(|(name, value)| (name, replaced(&GOOD, name, value)))
        .into();
        for (name, value) in [
            ("crdNumber", NUMBER),
            ("cvv", quoted.as_str()),
            ("others", &listed),
            ("objects", &nested),
            (NUMBER, "1"),
        ] {
            bodies.push((name, GOOD.into_iter().chain([(name, value)]).collect()));
        }
        for (name, fields) in bodies {
            for handling in [Handling::Lenient, Handling::Strict] {
                let read = parse(&body(&fields), handling, Currency::Ngn);
                let refused = faults(read);
                assert!(refused.contains("number of a card"), "{name}: {refused}");
                assert!(!refused.contains(NUMBER), "{name}: {refused}");
            }
        }
        let repeated = format!(r#"{{"{NUMBER}":1,"{NUMBER}":2}}"#);
        let refused = Attributes::from_json(repeated.as_bytes()).unwrap_err();
        assert!(!refused.to_string().contains(NUMBER), "{refused}");
    }

    #[test]
    fn a_transfer_shows_which_card_is_paid_and_no_token_in_every_state() {
        let opened = card_transfer().transaction();
        let zone = lagos();
        let shown = in_every_state(&opened, |tx| answer(tx, &zone));
        insta::assert_snapshot!("transfer", shown);
        assert!(!shown.contains("tok_"), "{shown}");
        assert_eq!(shown, in_every_state(&opened, |tx| report(tx, &zone)));
    }
}
