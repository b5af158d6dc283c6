//! `/collection/invoice`. The number that payers type must be shown as it was made.

use super::{CollectionContext, CollectionsPart, address, amount, identity, name, page_of, truth};
use crate::attribute;
use crate::attributes::Attributes;
use crate::page::Paging;
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::collection::{
    CollectionPurpose, CollectionState, NewCollection, NewPaymentReference, PaymentReference,
};
use domain::reference::MerchantReference;

const PATH: &str = "/collection/invoice";

/// The words of what is paid.
pub const PURPOSES: [(&str, CollectionPurpose); 4] = [
    (CollectionPurpose::Fee.code(), CollectionPurpose::Fee),
    (CollectionPurpose::Tax.code(), CollectionPurpose::Tax),
    (CollectionPurpose::Fine.code(), CollectionPurpose::Fine),
    (CollectionPurpose::Debt.code(), CollectionPurpose::Debt),
];

/// Reads the payment reference that is wanted; moments are in the time zone of the account.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    zone: &Zone,
) -> Result<NewCollection, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    let payer = name(&mut reader, &attribute::PAYER_NAME);
    let purpose = reader.word(&attribute::COLLECTION_PURPOSE, &PURPOSES);
    let amount = amount(&mut reader, &attribute::COLLECTION_AMOUNT);
    let amount = reader.needed(&attribute::COLLECTION_AMOUNT, amount, "an invoice");
    let due_at = reader.required(&attribute::DUE_DATE, |text| zone.parse(text));
    let in_parts = truth(&mut reader, &attribute::COLLECTION_PARTIAL);
    reader.finish(|| {
        Ok(NewCollection::Invoice(NewPaymentReference {
            reference: reference?,
            payer: payer?,
            purpose: purpose?,
            amount: amount?,
            due_at: due_at?,
            in_parts: in_parts?,
        }))
    })
}

/// What is shown of a payment reference before what every collection has.
pub(super) fn fields(
    state: &CollectionState,
    (reference, purpose, in_parts): (&PaymentReference, CollectionPurpose, bool),
    context: CollectionContext<'_>,
) -> Object {
    let receiving = context.receiving;
    let zone = context.zone;
    let due_at = state.collection.expires_at;
    identity(state)
        .with("colReference", reference.as_str())
        .with("payerName", state.collection.payer.as_str())
        .with("colPurpose", purpose.code())
        .with("colAmount", state.collection.amount)
        .with("colPartial", in_parts)
        .with("dueDate", due_at.map(|it| zone.date_time(it)))
        .with("bankFullname", receiving.map(|it| it.bank.as_str()))
        .with("accountNumber", receiving.map(|it| it.number.digits()))
        .with("accountName", receiving.map(|it| it.name.as_str()))
}

/// A page of payment references.
pub fn view(
    part: CollectionsPart<'_>,
    query: &Paging<()>,
    context: CollectionContext<'_>,
) -> Object {
    page_of(("invoices", "invoice"), part, (query, context))
}

/// The `Link` header of the answer (RFC 8288).
pub fn link_header(part: CollectionsPart<'_>, query: &Paging<()>) -> String {
    query.link_header(PATH, part.total)
}

/// The address of a payment reference, for `Location`.
pub fn path(reference: &MerchantReference) -> String {
    address(PATH, reference)
}

#[cfg(test)]
mod tests {
    use super::super::{CollectionContext, read, view_one};
    use super::*;
    use crate::fixtures::{faults, lagos, pretty, query};
    use domain::collection::CollectionPaid;
    use testkit::builders::{START, naira, payment_reference, receiving_account};

    const GOOD: [(&str, &str); 6] = [
        ("mrcReference", "\"fee-1\""),
        ("payerName", "\"Ada Obi\""),
        ("colPurpose", "\"Fee\""),
        ("colAmount", "\"5,000.00\""),
        ("dueDate", "\"31-01-2026 12:00:00\""),
        ("colPartial", "\"true\""),
    ];

    fn wanted(pairs: &[(&str, &str)]) -> Result<NewPaymentReference, Violations> {
        let zone = lagos();
        let wanted = read(pairs, |all| parse(all, Handling::Strict, &zone))?;
        match wanted {
            NewCollection::Invoice(wanted) => Ok(wanted),
            NewCollection::Account(_) | NewCollection::Checkout(_) => {
                panic!("another kind was read")
            }
        }
    }

    #[test]
    fn a_payment_reference_is_read_whole() {
        let read = wanted(&GOOD).unwrap();
        assert_eq!(
            (read.purpose, read.in_parts),
            (CollectionPurpose::Fee, true)
        );
        assert_eq!(read.amount, naira("5,000.00"));
        assert!(!wanted(&GOOD[..5]).unwrap().in_parts);
    }

    #[test]
    fn everything_that_is_wrong_is_named_at_once() {
        insta::assert_snapshot!(faults(wanted(&[("x", "1")])), @r#"
        400 814
        mrcReference: is required; add it to the body
        payerName: is required; add it to the body
        colPurpose: is required; add it to the body
        colAmount: is required for an invoice; add it to the body
        dueDate: is required; add it to the body
        x: is not an attribute of this request; leave it out
        "#);
        let wrong = [
            ("mrcReference", "\"a b\""),
            ("payerName", "\"\""),
            ("colPurpose", "\"gift\""),
            ("colAmount", "\"0.99\""),
            ("dueDate", "\"soon\""),
            ("colPartial", "2"),
        ];
        let named = faults(wanted(&wrong));
        for (name, _) in wrong {
            assert!(named.contains(&format!("\n{name}: ")), "{name} in {named}");
        }
    }

    #[test]
    fn what_is_due_still_is_shown_with_where_to_pay() {
        let (receiving, zone) = (receiving_account(), lagos());
        let context = CollectionContext {
            receiving: Some(&receiving),
            now: START,
            zone: &zone,
        };
        let state = CollectionState {
            collection: payment_reference("shop", 7),
            paid: CollectionPaid {
                total: naira("2,000.00"),
                largest: naira("1,500.00"),
                fees: naira("10.75"),
                count: 2,
            },
        };
        insta::assert_snapshot!(pretty(&view_one(&state, context).into()), @r#"
        {
          mrcReference: "col-7"
          colIdentifier: 7
          colReference: "000000000777"
          payerName: "Ada Obi"
          colPurpose: "fee"
          colAmount: "5,000.00"
          colPartial: true
          dueDate: "15-01-2026 11:00:00"
          bankFullname: "Guaranty Trust Bank"
          accountNumber: "0123456789"
          accountName: "Manilla Payments"
          colStatus: "Part"
          colPaid: "2,000.00"
          colDue: "3,000.00"
          colPayments: 2
          currency: "NGN"
          txnDate: "15-01-2026 10:00:00"
          version: 1
        }
        "#);
        let paging = super::super::parse_list(&query(""), Handling::Strict).unwrap();
        let part = CollectionsPart {
            collections: std::slice::from_ref(&state),
            total: 1,
        };
        let listed = pretty(&view(part, &paging, context).into());
        assert!(listed.contains("invoices"), "{listed}");
        let address = path(&state.collection.reference);
        assert_eq!(
            address,
            "/collection/invoice/transaction?mrcReference=col-7"
        );
    }
}
