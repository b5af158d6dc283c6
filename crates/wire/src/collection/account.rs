//! `/collection/account`. The number of a customer's identity must never be shown.

use super::{CollectionContext, CollectionsPart, address, amount, identity, name, page_of, truth};
use crate::attribute;
use crate::attributes::Attributes;
use crate::page::Paging;
use crate::reader::{FieldReader, Handling, InvalidField};
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::account::EmailAddress;
use domain::collection::{
    CollectionState, CustomerIdentity, IdentityRegister, NewCollection, NewVirtualAccount,
    VirtualAccount,
};
use domain::phone::PhoneNumber;
use domain::reference::MerchantReference;

const PATH: &str = "/collection/account";

/// The words of the registers of identities.
pub const REGISTERS: [(&str, IdentityRegister); 2] = [
    (IdentityRegister::Bvn.code(), IdentityRegister::Bvn),
    (IdentityRegister::Nin.code(), IdentityRegister::Nin),
];

/// Reads the account number that is wanted; moments are in the time zone of the account.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    zone: &Zone,
) -> Result<NewCollection, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    let customer = name(&mut reader, &attribute::CUSTOMER_NAME);
    let email = reader.optional(&attribute::CUSTOMER_EMAIL, EmailAddress::parse);
    let phone = reader.optional(&attribute::CUSTOMER_TELEPHONE, PhoneNumber::parse);
    let identity = customer_identity(&mut reader);
    let is_single = truth(&mut reader, &attribute::COLLECTION_SINGLE);
    let amount = amount(&mut reader, &attribute::COLLECTION_AMOUNT);
    let expires_at = reader.optional(&attribute::COLLECTION_EXPIRES, |text| zone.parse(text));
    reader.finish(|| {
        Ok(NewCollection::Account(NewVirtualAccount {
            reference: reference?,
            customer: customer?,
            email: email?,
            phone: phone?,
            identity: identity?,
            is_single: is_single?,
            amount: amount?,
            expires_at: expires_at?,
        }))
    })
}

/// A register and the number there, or neither.
fn customer_identity(
    reader: &mut FieldReader<'_>,
) -> Result<Option<CustomerIdentity>, InvalidField> {
    let register = reader.choice(&attribute::KYC_TYPE, &REGISTERS);
    let number = reader.optional(&attribute::KYC_NUMBER, |text| {
        // Either register has numbers of one shape.
        let kept = CustomerIdentity::of(IdentityRegister::Bvn, text);
        kept.ok_or("must be the 11 digits of a BVN or NIN")
    });
    match (register?, number?) {
        (None, None) => Ok(None),
        (Some(register), Some(kept)) => Ok(Some(CustomerIdentity { register, ..kept })),
        (Some(_), None) => {
            let message = "is required with kycType; add it to the body";
            Err(reader.fault(&attribute::KYC_NUMBER, message))
        }
        (None, Some(_)) => {
            let message = "is required with kycNumber; add it to the body";
            Err(reader.fault(&attribute::KYC_TYPE, message))
        }
    }
}

/// What is shown of an account number before what every collection has.
pub(super) fn fields(state: &CollectionState, made: &VirtualAccount, zone: &Zone) -> Object {
    let customer = state.collection.payer.as_str();
    let identity_of = made.identity.as_ref();
    let expires_at = state.collection.expires_at;
    identity(state)
        .with("customerName", customer)
        .with(
            "customerEmail",
            made.email.as_ref().map(EmailAddress::as_str),
        )
        .with(
            "customerPhone",
            made.phone.as_ref().map(PhoneNumber::digits),
        )
        .with("kycType", identity_of.map(|it| it.register.code()))
        .with(
            "kycNumber",
            identity_of.map(|it| format!("*******{}", it.last)),
        )
        .with("bankFullname", made.bank.as_str())
        .with("accountNumber", made.number.digits())
        .with("accountName", customer)
        .with("colSingle", made.is_single)
        .with("colAmount", state.collection.amount)
        .with("colExpires", expires_at.map(|it| zone.date_time(it)))
}

/// A page of account numbers.
pub fn view(
    part: CollectionsPart<'_>,
    query: &Paging<()>,
    context: CollectionContext<'_>,
) -> Object {
    page_of(("accounts", "account"), part, (query, context))
}

/// The `Link` header of the answer (RFC 8288).
pub fn link_header(part: CollectionsPart<'_>, query: &Paging<()>) -> String {
    query.link_header(PATH, part.total)
}

/// The address of an account number, for `Location`.
pub fn path(reference: &MerchantReference) -> String {
    address(PATH, reference)
}

#[cfg(test)]
mod tests {
    use super::super::{CollectionContext, read, view_one};
    use super::*;
    use crate::fixtures::{faults, lagos, pretty, query, replaced};
    use domain::collection::CollectionPaid;
    use domain::money::Money;
    use testkit::builders::{START, naira, virtual_account};

    const GOOD: [(&str, &str); 9] = [
        ("mrcReference", "\"col-1\""),
        ("customerName", "\"Ada Obi\""),
        ("customerEmail", "\"ada@example.com\""),
        ("customerPhone", "\"2348031234567\""),
        ("kycType", "\"BVN\""),
        ("kycNumber", "\"22345678901\""),
        ("colSingle", "true"),
        ("colAmount", "\"5,000.00\""),
        ("colExpires", "\"31-01-2026 12:00:00\""),
    ];

    fn wanted(pairs: &[(&str, &str)]) -> Result<NewVirtualAccount, Violations> {
        let zone = lagos();
        let wanted = read(pairs, |all| parse(all, Handling::Strict, &zone))?;
        match wanted {
            NewCollection::Account(wanted) => Ok(wanted),
            NewCollection::Invoice(_) | NewCollection::Checkout(_) => {
                panic!("another kind was read")
            }
        }
    }

    #[test]
    fn an_account_number_is_read_whole() {
        let read = wanted(&GOOD).unwrap();
        assert_eq!(read.customer.as_str(), "Ada Obi");
        assert_eq!(read.amount, Some(naira("5,000.00")));
        assert!(read.is_single && read.expires_at.is_some());
        let kept = read.identity.unwrap();
        assert_eq!(
            (kept.register, kept.last.as_str()),
            (IdentityRegister::Bvn, "8901")
        );
        let least = wanted(&GOOD[..2]).unwrap();
        assert_eq!((least.amount, least.expires_at), (None, None));
        assert!(!least.is_single && least.identity.is_none());
    }

    #[test]
    fn everything_that_is_wrong_is_named_at_once() {
        insta::assert_snapshot!(faults(wanted(&[("x", "1")])), @r"
        400 -
        mrcReference: is required; add it to the body
        customerName: is required; add it to the body
        x: is not an attribute of this request; leave it out
        ");
        let wrong = [
            ("mrcReference", "\"a b\""),
            ("customerName", "\" \""),
            ("customerEmail", "\"ada\""),
            ("customerPhone", "\"12\""),
            ("kycType", "\"passport\""),
            ("kycNumber", "\"123\""),
            ("colSingle", "\"perhaps\""),
            ("colAmount", "0"),
            ("colExpires", "\"soon\""),
        ];
        let named = faults(wanted(&wrong));
        for (name, _) in wrong {
            assert!(named.contains(&format!("\n{name}: ")), "{name} in {named}");
        }
        let large = replaced(&GOOD, "colAmount", "\"1000000000.01\"");
        let large = faults(wanted(&large));
        assert!(
            large.contains("colAmount: is too large; the largest is 1,000,000,000.00"),
            "{large}"
        );
        let number_alone: Vec<_> = GOOD
            .iter()
            .filter(|it| it.0 != "kycType")
            .copied()
            .collect();
        assert!(faults(wanted(&number_alone)).contains("kycType: is required with kycNumber"));
        let type_alone: Vec<_> = GOOD
            .iter()
            .filter(|it| it.0 != "kycNumber")
            .copied()
            .collect();
        assert!(faults(wanted(&type_alone)).contains("kycNumber: is required with kycType"));
    }

    #[test]
    fn of_an_identity_the_last_digits_are_shown() {
        let zone = lagos();
        let context = CollectionContext {
            receiving: None,
            now: START,
            zone: &zone,
        };
        let state = CollectionState {
            collection: virtual_account("shop", 7),
            paid: CollectionPaid {
                total: naira("250.00"),
                largest: naira("250.00"),
                fees: naira("10.75"),
                count: 1,
            },
        };
        insta::assert_snapshot!(pretty(&view_one(&state, context).into()), @r#"
        {
          mrcReference: "col-7"
          colIdentifier: 7
          customerName: "Ada Obi"
          customerEmail: "ada@example.com"
          customerPhone: "2348031234567"
          kycType: "bvn"
          kycNumber: "*******8901"
          bankFullname: "Wema Bank"
          accountNumber: "7740000071"
          accountName: "Ada Obi"
          colSingle: false
          colAmount: null
          colExpires: null
          colStatus: "Active"
          colPaid: "250.00"
          colDue: null
          colPayments: 1
          currency: "NGN"
          txnDate: "15-01-2026 10:00:00"
          version: 1
        }
        "#);
        let paging = super::super::parse_list(&query("length=1&offset=1"), Handling::Strict);
        let paging = paging.unwrap();
        let part = CollectionsPart {
            collections: std::slice::from_ref(&state),
            total: 3,
        };
        let listed = pretty(&view(part, &paging, context).into());
        assert!(
            listed.contains("accounts") && listed.contains("total: 3"),
            "{listed}"
        );
        let links = link_header(part, &paging);
        assert!(
            links.contains("/collection/account?") && links.contains("offset=2"),
            "{links}"
        );
        let address = path(&state.collection.reference);
        assert_eq!(
            address,
            "/collection/account/transaction?mrcReference=col-7"
        );
        assert_eq!(
            state.paid.total,
            Money::from_minor(25_000, domain::money::Currency::Ngn)
        );
    }
}
