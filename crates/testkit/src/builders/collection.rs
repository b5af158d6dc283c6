//! Collections in few words.

use super::{account_id, at, naira, reference};
use domain::account::EmailAddress;
use domain::bank::{BankCode, GroupLabel};
use domain::collection::{
    BankSession, CheckoutTerms, CollectedPayment, Collection, CollectionAdmission, CollectionFee,
    CollectionKind, CollectionPayer, CollectionPurpose, CollectionSource, CustomerIdentity,
    IdentityRegister, PaymentReference, RedirectUrl, SaleItem, VirtualAccount, VirtualAccountRange,
};
use domain::phone::PhoneNumber;
use domain::reference::TransactionNumber;

/// The numbers that a bank lets the gateway hand out.
pub fn virtual_accounts() -> VirtualAccountRange {
    let bank = label("Wema Bank");
    let code = BankCode::parse("035").expect("a bank code");
    VirtualAccountRange::try_new(bank, code, "774").expect("a range")
}

/// A virtual account of any amount, of an account called `account`.
pub fn virtual_account(account: &str, number: u64) -> Collection {
    let number = TransactionNumber::try_new(number).expect("a number");
    let range = virtual_accounts();
    Collection {
        account: account_id(account),
        number,
        reference: reference(&format!("col-{number}")),
        payer: label("Ada Obi"),
        kind: CollectionKind::Account(VirtualAccount {
            bank: range.bank().clone(),
            number: range.drawn(number),
            email: EmailAddress::parse("ada@example.com").ok(),
            phone: PhoneNumber::parse("2348031234567").ok(),
            identity: CustomerIdentity::of(IdentityRegister::Bvn, "22345678901"),
            is_single: false,
        }),
        amount: None,
        expires_at: None,
        admission: CollectionAdmission::Active,
        version: 1,
        created_at: at(0),
    }
}

/// A payment reference for a fee of 5,000.00 that may be paid in parts, due an hour after the
/// start.
pub fn payment_reference(account: &str, number: u64) -> Collection {
    let made = virtual_account(account, number);
    Collection {
        kind: CollectionKind::Invoice {
            reference: PaymentReference::drawn(made.number),
            purpose: CollectionPurpose::Fee,
            in_parts: true,
        },
        amount: Some(naira("5,000.00")),
        expires_at: Some(at(3_600)),
        ..made
    }
}

/// A checkout session of two yams for 5,000.00, that ends an hour after the start.
pub fn checkout(account: &str, number: u64) -> Collection {
    let made = payment_reference(account, number);
    Collection {
        kind: CollectionKind::Checkout(CheckoutTerms {
            reference: PaymentReference::drawn(made.number),
            email: EmailAddress::parse("ada@example.com").ok(),
            phone: None,
            redirect: RedirectUrl::parse("https://shop.example/orders?id=7").expect("an address"),
            items: vec![SaleItem {
                name: label("Yam"),
                quantity: 2,
                amount: naira("2,500.00"),
            }],
        }),
        ..made
    }
}

/// A payment to a collection that the bank reports, a minute after the start, with a charge of
/// 10.00 and 0.75 of tax.
pub fn collected(
    collection: &Collection,
    (number, session): (u64, &str),
    amount: &str,
) -> CollectedPayment {
    CollectedPayment {
        account: collection.account.clone(),
        number: TransactionNumber::try_new(number).expect("a number"),
        collection: collection.number,
        reference: collection.reference.clone(),
        source: CollectionSource::Bank,
        session: BankSession::parse(session).expect("a session"),
        amount: naira(amount),
        fee: CollectionFee {
            charge: naira("10.00"),
            vat: naira("0.75"),
        },
        payer: CollectionPayer {
            name: Some("Ngozi Eze".into()),
            bank: Some("Zenith Bank".into()),
            account_last: Some("4321".into()),
        },
        paid_at: at(30),
        at: at(60),
    }
}

fn label(text: &str) -> GroupLabel {
    GroupLabel::parse(text).expect("a label")
}
