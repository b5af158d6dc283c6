//! `POST /transfer/international`. It must show what the quote said, and no more than the end of a
//! beneficiary's account to those who list transfers.

use crate::attribute::{
    ACCOUNT_NAME, BANK, BENEFICIARY_ADDRESS, FOREIGN_ACCOUNT, IBAN, PURPOSE, QUOTE,
};
use crate::attributes::Attributes;
use crate::format;
use crate::reader::{FieldReader, Handling, InvalidField};
use crate::transaction::identity;
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::international::{
    Beneficiary, BeneficiaryAccount, BeneficiaryName, Bic, ForeignAccountNumber, Iban,
    InternationalOrder, InternationalTransfer, PostalAddress, TransferPurpose,
};
use domain::quote_identifier::QuoteIdentifier;
use domain::transaction::{GatewayStatus, Status, Transaction};

const BY_NUMBER: &str = "an account without an IBAN";

/// Reads a transfer.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
) -> Result<InternationalTransfer, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    let quote = reader.required(&QUOTE, QuoteIdentifier::parse);
    let name = reader.required(&ACCOUNT_NAME, BeneficiaryName::parse);
    let account = account(&mut reader);
    let address = reader.required(&BENEFICIARY_ADDRESS, PostalAddress::parse);
    let purposes = TransferPurpose::ALL.map(|purpose| (purpose.code(), purpose));
    let purpose = reader.word(&PURPOSE, &purposes);
    reader.finish(|| {
        Ok(InternationalTransfer {
            reference: reference?,
            quote: quote?,
            beneficiary: Beneficiary {
                name: name?,
                account: account?,
                address: address?,
            },
            purpose: purpose?,
        })
    })
}

/// The account: its IBAN alone, or its number and its bank.
fn account(reader: &mut FieldReader<'_>) -> Result<BeneficiaryAccount, InvalidField> {
    let iban = reader.optional(&IBAN, Iban::parse)?;
    if let Some(iban) = iban {
        let by = "an account with an IBAN";
        let bank = reader.excluded(&BANK, by);
        reader.excluded(&FOREIGN_ACCOUNT, by).and(bank)?;
        return Ok(BeneficiaryAccount::Iban(iban));
    }
    let bank = reader.optional(&BANK, Bic::parse);
    let bank = reader.needed(&BANK, bank, BY_NUMBER);
    let number = reader.optional(&FOREIGN_ACCOUNT, ForeignAccountNumber::parse);
    let number = reader.needed(&FOREIGN_ACCOUNT, number, BY_NUMBER);
    Ok(BeneficiaryAccount::AtBank(bank?, number?))
}

/// `intStatus`: how far the money is. What failed and what was taken back is in the balance again.
fn status(transaction: &Transaction) -> &'static str {
    match transaction.status() {
        Status::Successful => "Delivered",
        Status::Failed | Status::Reversed => "Returned",
        Status::Pending => match transaction.gateway_status() {
            GatewayStatus::Queued => "Received",
            GatewayStatus::Submitted => "Sent",
            GatewayStatus::Unknown
            | GatewayStatus::Delivered
            | GatewayStatus::Rejected
            | GatewayStatus::Reversed => "Unknown",
        },
    }
}

/// A transfer. The balance is charged what is converted and the charges.
pub(crate) fn view(transaction: &Transaction, order: &InternationalOrder, zone: &Zone) -> Object {
    let quote = &transaction.quote;
    let gateway = format::gateway_status(transaction.gateway_status());
    let account = &order.beneficiary.account;
    identity(transaction)
        .with("txnDate", zone.date_time(transaction.opened_at))
        .with("gtwStatus", gateway)
        .with("intStatus", status(transaction))
        .with("countryCode", order.country.to_string())
        .with("accountName", order.beneficiary.name.as_str())
        .with("bankIdentifier", account.bank().map(Bic::as_str))
        .with("accountNumber", account.number())
        .with("txnPurpose", order.purpose.code())
        .with("srcCurrency", order.source.currency().code())
        .with("srcAmount", order.source)
        .with("dstCurrency", order.destination.currency().code())
        .with("dstAmount", order.destination.to_string())
        .with("qteRate", order.rate.to_string())
        .with("txnCharges", quote.charges())
        .with("price", quote.price)
        .with("currency", quote.price.currency().code())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{body, faults, in_every_state, lagos};
    use crate::transaction::{answer, report};
    use testkit::builders::international;

    const GOOD: [(&str, &str); 7] = [
        ("mrcReference", "\"order-1\""),
        ("qteIdentifier", "\"qte_AAAA\""),
        ("accountName", "\"Ama Mensah\""),
        ("bankIdentifier", "\"GCBLGHAC\""),
        ("accountNumber", "\"1441000126789\""),
        ("address", "\"12 High Street, Accra\""),
        ("txnPurpose", "\"education\""),
    ];

    fn lenient(attributes: &Attributes) -> Result<InternationalTransfer, Violations> {
        parse(attributes, Handling::Lenient)
    }

    #[test]
    fn a_transfer_is_read_whole_with_a_number_or_an_iban() {
        let transfer = lenient(&body(&GOOD)).unwrap();
        assert_eq!(transfer.reference.as_str(), "order-1");
        assert_eq!(transfer.quote.as_str(), "qte_AAAA");
        assert_eq!(transfer.beneficiary.account.number(), "1441000126789");
        assert_eq!(transfer.purpose, TransferPurpose::Education);
        let [reference, quote, name, _, _, address, purpose] = GOOD;
        let iban = ("iban", "\"DE89 3704 0044 0532 0130 00\"");
        let by_iban = body(&[reference, quote, name, iban, address, purpose]);
        let transfer = lenient(&by_iban).unwrap();
        assert_eq!(
            transfer.beneficiary.account.number(),
            "DE89370400440532013000"
        );
        let [.., bank, number, _, _] = GOOD;
        let both = body(&[reference, quote, name, iban, bank, number, address, purpose]);
        insta::assert_snapshot!("both", faults(lenient(&both)));
    }

    #[test]
    fn everything_that_is_wrong_is_named_at_once() {
        insta::assert_snapshot!("missing", faults(lenient(&body(&[]))));
        let strict = body(&[
            ("qteIdentifier", "7"),
            ("accountName", "\"A\""),
            ("iban", "\"DE00\""),
            ("address", "\"x\""),
            ("txnPurpose", "\"other\""),
            ("x", "1"),
        ]);
        insta::assert_snapshot!("wrong", faults(parse(&strict, Handling::Strict)));
    }

    #[test]
    fn a_transfer_looks_the_same_in_every_state_and_form() {
        let opened = international().transaction();
        let zone = lagos();
        let shown = in_every_state(&opened, |tx| answer(tx, &zone));
        insta::assert_snapshot!("transfer", shown);
        assert_eq!(shown, in_every_state(&opened, |tx| report(tx, &zone)));
    }
}
