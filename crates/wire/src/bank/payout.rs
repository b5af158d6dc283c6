//! `POST /transfer/bank/payout`. It must show the name the account had when the money was held.

use crate::attribute;
use crate::attributes::Attributes;
use crate::format::available;
use crate::reader::{FieldReader, Handling};
use crate::transaction::identity;
use crate::tree::Object;
use crate::violations::Violations;
use domain::bank::{Narration, Payout, PayoutOrder};
use domain::money::Currency;
use domain::transaction::Transaction;

/// Reads a payout; its amount is in the currency of the account.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    currency: Currency,
) -> Result<Payout, Violations> {
    read(FieldReader::of_purchase(attributes, handling), currency)
}

/// Reads a payout of a batch, which goes by no quote.
pub(crate) fn parse_item(
    attributes: &Attributes,
    handling: Handling,
    currency: Currency,
) -> Result<Payout, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    // What is wrong is recorded; nothing is read.
    let _ = reader.excluded(&attribute::QUOTE, "a payment of a batch");
    read(reader, currency)
}

fn read(mut reader: FieldReader<'_>, currency: Currency) -> Result<Payout, Violations> {
    let reference = reader.reference();
    let bank = reader.bank();
    let number = reader.bank_account();
    let amount = reader.amount_of(&attribute::TRANSFER_AMOUNT, currency);
    let narration = reader.required(&attribute::NARRATION, Narration::parse);
    reader.finish(|| {
        Ok(Payout {
            reference: reference?,
            bank: bank?,
            number: number?,
            amount: amount?,
            narration: narration?,
            salary: None,
        })
    })
}

/// A payout (interface §2.9). The balance is charged the amount, the charges and the fees.
pub(crate) fn view(transaction: &Transaction, order: &PayoutOrder) -> Object {
    let quote = &transaction.quote;
    identity(transaction)
        .with("bankFullname", order.bank_fullname.as_str())
        .with("accountNumber", order.account.number.digits())
        .with("accountName", available(&order.account.name))
        .with("txnAmount", order.amount)
        .with("txnNarration", order.narration.as_str())
        .with("txnCharges", quote.charges())
        .with("txnFees", quote.levy)
        .with("txnCurrency", quote.price.currency().code())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{
        BAD_AMOUNTS, STRING_OR_NUMBER, body, faults, in_every_state, lagos, replaced,
    };
    use crate::transaction::{answer, report};
    use testkit::builders::payout;

    const GOOD: [(&str, &str); 5] = [
        ("mrcReference", "\"order-1\""),
        ("bankIdentifier", "\"00000000058\""),
        ("accountNumber", "\"0123456789\""),
        ("txnAmount", "\"20,000.00\""),
        ("txnNarration", "\"Rent of June\""),
    ];

    fn lenient(attributes: &Attributes) -> Result<Payout, Violations> {
        parse(attributes, Handling::Lenient, Currency::Ngn)
    }

    fn check(name: &str, literal: &str, expected: &str) {
        let read = lenient(&body(&replaced(&GOOD, name, literal)));
        assert_eq!(faults(read), expected, "{name}: {literal}");
    }

    #[test]
    fn a_payout_keeps_the_leading_zeros_of_its_account() {
        let payout = lenient(&body(&GOOD)).unwrap();
        assert_eq!(payout.reference.as_str(), "order-1");
        assert_eq!(payout.bank.as_str(), "00000000058");
        assert_eq!(payout.number.digits(), "0123456789");
        assert_eq!(payout.amount.minor(), 2_000_000);
        assert_eq!(payout.narration.as_str(), "Rent of June");
        for (name, literal) in [
            ("txnAmount", "20000"),
            ("txnAmount", "\"20000.00\""),
            ("txnNarration", "\"  Rent of June \""),
        ] {
            let read = lenient(&body(&replaced(&GOOD, name, literal)));
            assert_eq!(read.as_ref(), Ok(&payout), "{name}: {literal}");
        }
        let literal = lenient(&body(&replaced(&GOOD, "accountNumber", "1234567890")));
        assert_eq!(literal.unwrap().number.digits(), "1234567890");
    }

    #[test]
    fn an_amount_is_exact_and_above_zero_or_refused() {
        for (literal, message) in BAD_AMOUNTS {
            check(
                "txnAmount",
                literal,
                &format!("400 814\ntxnAmount: {message}"),
            );
        }
    }

    #[test]
    fn a_bank_is_eleven_characters_and_always_a_string() {
        let shape = "must be the identifier of a bank, 11 capital letters and digits";
        for literal in ["\"\"", "\"058\"", "\"0000000005-\"", "\"000000000058\""] {
            check(
                "bankIdentifier",
                literal,
                &format!("400 840\nbankIdentifier: {shape}"),
            );
        }
        // A number would have lost its leading zeros.
        for literal in ["10000000058", "null", "true", "[]"] {
            let expected = "400 840\nbankIdentifier: must be a string";
            check("bankIdentifier", literal, expected);
        }
    }

    #[test]
    fn an_account_number_is_ten_digits_or_refused() {
        for literal in [
            "123456789",
            "\"012345678\"",
            "\"O123456789\"",
            "1e9",
            "-123456789",
        ] {
            let expected = "400 842\naccountNumber: must be an account number of 10 digits, with \
                            the zeros it begins with";
            check("accountNumber", literal, expected);
        }
        for literal in ["null", "false", "{}"] {
            let expected = format!("400 842\naccountNumber: {STRING_OR_NUMBER}");
            check("accountNumber", literal, &expected);
        }
    }

    #[test]
    fn a_narration_is_one_visible_line_or_refused() {
        let long = format!("\"{}\"", "x".repeat(101));
        for (literal, message) in [
            ("\"\"", "must say what the transfer is for"),
            ("\" \"", "must say what the transfer is for"),
            ("\"a\\nb\"", "must not hold control characters"),
            ("\"a\\u0000\"", "must not hold control characters"),
            ("\"a\\u0085b\"", "must not hold control characters"),
            (
                "\"a\\u202Eb\"",
                "must not hold bidirectional control characters",
            ),
            (
                "\"a\\uFFFEb\"",
                "must not hold code points that are no characters",
            ),
            (&long, "must be at most 100 characters"),
            ("5", "must be a string"),
            ("null", "must be a string"),
        ] {
            check(
                "txnNarration",
                literal,
                &format!("400 -\ntxnNarration: {message}"),
            );
        }
    }

    #[test]
    fn everything_wrong_is_reported_at_once_in_the_order_of_the_interface() {
        insta::assert_snapshot!(faults(lenient(&body(&[]))), @r"
        400 840
        mrcReference: is required; add it to the body
        bankIdentifier: is required; add it to the body
        accountNumber: is required; add it to the body
        txnAmount: is required; add it to the body
        txnNarration: is required; add it to the body
        ");
        let bad = [
            ("amount", "5"),
            ("txnNarration", "\"\\u202e\""),
            ("txnAmount", "0"),
            ("accountNumber", "\"1\""),
            ("bankIdentifier", "58"),
        ];
        let strict = parse(&body(&bad), Handling::Strict, Currency::Ngn);
        insta::assert_snapshot!(faults(strict), @r"
        400 840
        mrcReference: is required; add it to the body
        bankIdentifier: must be a string
        accountNumber: must be an account number of 10 digits, with the zeros it begins with
        txnAmount: must be an amount above zero, such as 1234.00
        txnNarration: must not hold bidirectional control characters
        amount: is not an attribute of this request; leave it out
        ");
        assert!(parse(&body(&GOOD), Handling::Strict, Currency::Ngn).is_ok());
    }

    #[test]
    fn a_payout_shows_its_charges_with_vat_and_its_levy_in_every_state() {
        let opened = payout().transaction();
        let zone = lagos();
        insta::assert_snapshot!("payout", in_every_state(&opened, |tx| answer(tx, &zone)));
    }

    #[test]
    fn the_report_shows_what_the_payout_showed() {
        let opened = payout().transaction();
        let zone = lagos();
        let reported = in_every_state(&opened, |tx| report(tx, &zone));
        assert_eq!(reported, in_every_state(&opened, |tx| answer(tx, &zone)));
    }
}
