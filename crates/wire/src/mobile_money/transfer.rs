//! `POST /transfer/mobilemoney`. It must show the name the wallet had when the money was held.

use crate::attribute::{NARRATION, PROVIDER_IDENTIFIER, TRANSFER_AMOUNT};
use crate::attributes::Attributes;
use crate::format::{self, available};
use crate::reader::{FieldReader, Handling};
use crate::transaction::identity;
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::bank::Narration;
use domain::mobile_money::{MobileMoneyOrder, MobileMoneyTransfer};
use domain::money::Currency;
use domain::subscription::BillerCode;
use domain::transaction::Transaction;

/// Reads a transfer; its amount is in the currency of the account.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    currency: Currency,
) -> Result<MobileMoneyTransfer, Violations> {
    let mut reader = FieldReader::of_purchase(attributes, handling);
    let reference = reader.reference();
    let country = reader.country();
    let operator = reader.required(&PROVIDER_IDENTIFIER, BillerCode::parse);
    let number = reader.phone();
    let amount = reader.amount_of(&TRANSFER_AMOUNT, currency);
    let narration = reader.required(&NARRATION, Narration::parse);
    reader.finish(|| {
        Ok(MobileMoneyTransfer {
            reference: reference?,
            country: country?,
            operator: operator?,
            number: number?,
            amount: amount?,
            narration: narration?,
        })
    })
}

/// A transfer. The balance is charged the amount, the charges and the fees.
pub(crate) fn view(transaction: &Transaction, order: &MobileMoneyOrder, zone: &Zone) -> Object {
    let quote = &transaction.quote;
    let gateway = format::gateway_status(transaction.gateway_status());
    identity(transaction)
        .with("txnDate", zone.date_time(transaction.opened_at))
        .with("gtwStatus", gateway)
        .with("identifier", order.operator.as_str())
        .with("brandname", order.brandname.as_str())
        .with("number", order.number.digits())
        .with("accountName", available(&order.account_name))
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
    use testkit::builders::mobile_money;

    const GOOD: [(&str, &str); 6] = [
        ("mrcReference", "\"order-1\""),
        ("countryCode", "566"),
        ("identifier", "901"),
        ("number", "\"2348031234567\""),
        ("txnAmount", "\"20,000.00\""),
        ("txnNarration", "\"Rent of June\""),
    ];

    fn lenient(attributes: &Attributes) -> Result<MobileMoneyTransfer, Violations> {
        parse(attributes, Handling::Lenient, Currency::Ngn)
    }

    #[test]
    fn a_transfer_is_read_whole() {
        let transfer = lenient(&body(&GOOD)).unwrap();
        assert_eq!(transfer.reference.as_str(), "order-1");
        assert_eq!(transfer.operator.as_str(), "901");
        assert_eq!(transfer.number.digits(), "2348031234567");
        assert_eq!(transfer.amount.minor(), 2_000_000);
        assert_eq!(transfer.narration.as_str(), "Rent of June");
        let text = lenient(&body(&replaced(&GOOD, "identifier", "\"901\"")));
        assert_eq!(text, Ok(transfer));
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
        let strict = body(&[("identifier", "\"MTN\""), ("number", "\"0\""), ("x", "1")]);
        let read = parse(&strict, Handling::Strict, Currency::Ngn);
        insta::assert_snapshot!("wrong", faults(read));
    }

    #[test]
    fn a_transfer_shows_whose_wallet_is_paid_in_every_state() {
        let opened = mobile_money().transaction();
        let zone = lagos();
        let shown = in_every_state(&opened, |tx| answer(tx, &zone));
        insta::assert_snapshot!("transfer", shown);
        assert_eq!(shown, in_every_state(&opened, |tx| report(tx, &zone)));
    }
}
