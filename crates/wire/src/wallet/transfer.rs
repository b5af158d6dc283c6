//! `POST /transfer/wallet`. It must show what left one wallet and what arrived in the other.

use crate::attribute::{NARRATION, TRANSFER_AMOUNT, WALLET_FROM, WALLET_TO};
use crate::attributes::Attributes;
use crate::format;
use crate::reader::{FieldReader, Handling};
use crate::transaction::identity;
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::bank::Narration;
use domain::money::Currency;
use domain::transaction::Transaction;
use domain::wallet::{WalletOrder, WalletTransfer};

/// The wallets that pay.
const PAYING: [(&str, Currency); 1] = [(Currency::Ngn.code(), Currency::Ngn)];

/// The wallets that are credited.
const CREDITED: [(&str, Currency); 1] = [(Currency::Crd.code(), Currency::Crd)];

/// Reads a transfer; its amount is in the currency of the wallet that pays.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<WalletTransfer, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    let from = reader.word(&WALLET_FROM, &PAYING);
    let to = reader.word(&WALLET_TO, &CREDITED);
    let amount = reader.amount_of(&TRANSFER_AMOUNT, Currency::Ngn);
    let narration = reader.required(&NARRATION, Narration::parse);
    reader.finish(|| {
        let (_, _) = (from?, to?);
        Ok(WalletTransfer {
            reference: reference?,
            amount: amount?,
            narration: narration?,
        })
    })
}

/// A transfer: what left, what arrived, and what one credit cost.
pub(crate) fn view(transaction: &Transaction, order: &WalletOrder, zone: &Zone) -> Object {
    let quote = &transaction.quote;
    let gateway = format::gateway_status(transaction.gateway_status());
    identity(transaction)
        .with("txnDate", zone.date_time(transaction.opened_at))
        .with("gtwStatus", gateway)
        .with("walFrom", order.amount.currency().code())
        .with("walTo", order.arrives.currency().code())
        .with("txnAmount", order.amount)
        .with("txnNarration", order.narration.as_str())
        .with("crdPrice", order.unit)
        .with("crdAmount", order.arrives)
        .with("price", quote.price)
        .with("currency", quote.price.currency().code())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{BAD_AMOUNTS, body, faults, lagos, pretty, replaced};
    use crate::transaction::{answer, report};
    use testkit::builders::wallet_transfer;

    const GOOD: [(&str, &str); 5] = [
        ("mrcReference", "\"order-1\""),
        ("walFrom", "\"NGN\""),
        ("walTo", "\"CRD\""),
        ("txnAmount", "\"1,000.00\""),
        ("txnNarration", "\"Messages of June\""),
    ];

    fn lenient(attributes: &Attributes) -> Result<WalletTransfer, Violations> {
        parse(attributes, Handling::Lenient)
    }

    #[test]
    fn a_transfer_is_read_whole() {
        let transfer = lenient(&body(&GOOD)).unwrap();
        assert_eq!(transfer.reference.as_str(), "order-1");
        assert_eq!(transfer.amount.minor(), 100_000);
        assert_eq!(transfer.amount.currency(), Currency::Ngn);
        assert_eq!(transfer.narration.as_str(), "Messages of June");
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
    fn money_buys_credits_and_no_other_exchange_is_made() {
        for (from, to, refused) in [
            (
                "\"CRD\"",
                "\"NGN\"",
                ["walFrom: must be NGN", "walTo: must be CRD"].as_slice(),
            ),
            ("\"NGN\"", "\"NGN\"", &["walTo: must be CRD"]),
            ("\"CRD\"", "\"CRD\"", &["walFrom: must be NGN"]),
            ("\"USD\"", "\"CRD\"", &["walFrom: must be NGN"]),
        ] {
            let pair = replaced(&replaced(&GOOD, "walFrom", from), "walTo", to);
            let expected = format!("400 -\n{}", refused.join("\n"));
            assert_eq!(faults(lenient(&body(&pair))), expected, "{from} to {to}");
        }
    }

    #[test]
    fn everything_that_is_wrong_is_named_at_once() {
        insta::assert_snapshot!("missing", faults(lenient(&body(&[]))));
        let strict = body(&[("walTo", "7"), ("txnNarration", "\"\""), ("x", "1")]);
        insta::assert_snapshot!("wrong", faults(parse(&strict, Handling::Strict)));
    }

    #[test]
    fn a_transfer_shows_what_left_and_what_arrived() {
        let booked = wallet_transfer().transaction();
        let shown = answer(&booked, &lagos());
        insta::assert_snapshot!("transfer", pretty(&shown.clone().into()));
        assert_eq!(shown, report(&booked, &lagos()));
    }
}
