//! Reads the invoice that is wanted. What it comes to must be added up here as it is shown later.

use crate::attribute;
use crate::attributes::Attributes;
use crate::collection::naira_alone;
use crate::reader::{FieldReader, Handling, InvalidField};
use crate::violations::Violations;
use crate::zone::Zone;
use domain::account::EmailAddress;
use domain::bank::GroupLabel;
use domain::collection::{COLLECTION_MAX, COLLECTION_MIN, SALE_QUANTITY_MAX, SaleItem};
use domain::invoice::{INVOICE_LINES_MAX, InvoiceLine, InvoiceTotals, NewInvoice};
use domain::money::Currency;
use domain::percent::Percent;
use domain::phone::PhoneNumber;

/// Reads the invoice that is wanted; moments are in the time zone of the account.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    zone: &Zone,
) -> Result<NewInvoice, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    let customer = reader.required(&attribute::CUSTOMER_NAME, GroupLabel::parse);
    let email = reader.optional(&attribute::CUSTOMER_EMAIL, EmailAddress::parse);
    let phone = reader.optional(&attribute::CUSTOMER_TELEPHONE, PhoneNumber::parse);
    let lines = lines(&mut reader, handling);
    let due_at = reader.required(&attribute::DUE_DATE, |text| zone.parse(text));
    let currency = reader.required(&attribute::CURRENCY, naira_alone);
    let is_draft = reader.truth(&attribute::INVOICE_DRAFT);
    reader.finish(|| {
        currency?;
        let (lines, totals) = lines?;
        Ok(NewInvoice {
            reference: reference?,
            customer: customer?,
            email: email?,
            phone: phone?,
            lines,
            totals,
            due_at: due_at?,
            is_draft: is_draft?.unwrap_or_default(),
        })
    })
}

/// The lines and what they come to.
fn lines(
    reader: &mut FieldReader<'_>,
    handling: Handling,
) -> Result<(Vec<InvoiceLine>, InvoiceTotals), InvalidField> {
    let lines = reader.objects(&attribute::ITEMS, |item| line(item, handling))?;
    if lines.len() > INVOICE_LINES_MAX {
        let message = format!("must hold {INVOICE_LINES_MAX} objects at most");
        return Err(reader.fault(&attribute::ITEMS, &message));
    }
    if let Some(totals) = InvoiceTotals::of(&lines) {
        return Ok((lines, totals));
    }
    let message = format!(
        "must come to an amount from {COLLECTION_MIN} to {COLLECTION_MAX} with the value-added tax"
    );
    Err(reader.fault(&attribute::ITEMS, &message))
}

fn line(attributes: &Attributes, handling: Handling) -> Result<InvoiceLine, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let name = reader.required(&attribute::ITEM_NAME, GroupLabel::parse);
    let pieces = 1..=u64::from(SALE_QUANTITY_MAX);
    let quantity = reader.integer(&attribute::ITEM_QUANTITY, pieces);
    let quantity = reader.needed(&attribute::ITEM_QUANTITY, quantity, "each item");
    let amount = reader.amount_of(&attribute::AMOUNT, Currency::Ngn);
    let vat_rate = reader.optional(&attribute::VAT_RATE, Percent::parse);
    reader.try_finish(|reader| {
        let quantity = u32::try_from(quantity?).unwrap_or(u32::MAX);
        let line = InvoiceLine {
            item: SaleItem {
                name: name?,
                quantity,
                amount: amount?,
            },
            vat_rate: vat_rate?,
        };
        if line.fits() {
            return Ok(line);
        }
        let message = format!("comes to more than {COLLECTION_MAX} for all pieces");
        Err(reader.fault(&attribute::AMOUNT, &message))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{body, faults, lagos, replaced};
    use testkit::builders::{naira, reference};

    const ITEMS: &str = r#"[{"name":"Yam","quantity":2,"amount":"2,000.00","vatRate":"7.5"},
        {"name":"Basket","quantity":"1","amount":700}]"#;

    const GOOD: [(&str, &str); 7] = [
        ("mrcReference", "\"inv-1\""),
        ("customerName", "\"Ada Obi\""),
        ("customerEmail", "\"ada@example.com\""),
        ("customerPhone", "\"2348031234567\""),
        ("items", ITEMS),
        ("dueDate", "\"31-01-2026 12:00:00\""),
        ("currency", "\"NGN\""),
    ];

    fn read(pairs: &[(&str, &str)]) -> Result<NewInvoice, Violations> {
        parse(&body(pairs), Handling::Strict, &lagos())
    }

    #[test]
    fn an_invoice_is_read_whole() {
        let wanted = read(&GOOD).unwrap();
        assert_eq!(wanted.reference, reference("inv-1"));
        assert_eq!(wanted.lines.len(), 2);
        assert_eq!(wanted.totals.vat, naira("300.00"));
        assert_eq!(wanted.totals.total, naira("5,000.00"));
        assert!(!wanted.is_draft);
        for (draft, is_draft) in [("true", true), ("\"true\"", true), ("false", false)] {
            let wanted = [GOOD.as_slice(), &[("invDraft", draft)]].concat();
            assert_eq!(read(&wanted).unwrap().is_draft, is_draft);
        }
        let least: Vec<_> = GOOD
            .into_iter()
            .filter(|(name, _)| !["customerEmail", "customerPhone"].contains(name))
            .collect();
        let least = read(&least).unwrap();
        assert_eq!((least.email, least.phone), (None, None));
    }

    #[test]
    fn everything_that_is_wrong_is_named_at_once() {
        insta::assert_snapshot!(faults(read(&[("x", "1")])), @r"
        400 -
        mrcReference: is required; add it to the body
        customerName: is required; add it to the body
        items: is required; add it to the body
        dueDate: is required; add it to the body
        currency: is required; add it to the body
        x: is not an attribute of this request; leave it out
        ");
        let wrong = [
            ("mrcReference", "\"a b\""),
            ("customerName", "\"\""),
            ("customerEmail", "\"ada\""),
            ("customerPhone", "\"x\""),
            ("items", "[]"),
            ("dueDate", "\"soon\""),
            ("currency", "\"USD\""),
            ("invDraft", "\"maybe\""),
        ];
        let named = faults(read(&wrong));
        for (name, _) in wrong {
            assert!(named.contains(&format!("\n{name}: ")), "{name} in {named}");
        }
    }

    #[test]
    fn an_item_is_named_by_its_place() {
        for (items, name) in [
            (r#"[{"quantity":1,"amount":"1.00"}]"#, "name"),
            (r#"[{"name":"Yam","amount":"1.00"}]"#, "quantity"),
            (
                r#"[{"name":"Yam","quantity":0,"amount":"1.00"}]"#,
                "quantity",
            ),
            (
                r#"[{"name":"Yam","quantity":1000001,"amount":"1.00"}]"#,
                "quantity",
            ),
            (r#"[{"name":"Yam","quantity":1,"amount":"0"}]"#, "amount"),
            (
                r#"[{"name":"Yam","quantity":1,"amount":"1.001"}]"#,
                "amount",
            ),
            (
                r#"[{"name":"Yam","quantity":1000000,"amount":"1000.01"}]"#,
                "amount",
            ),
            (
                r#"[{"name":"Yam","quantity":1,"amount":"1.00","vatRate":"101"}]"#,
                "vatRate",
            ),
            (
                r#"[{"name":"Yam","quantity":1,"amount":"1.00","vatRate":"x"}]"#,
                "vatRate",
            ),
            (
                r#"[{"name":"Yam","quantity":1,"amount":"1.00","tax":"1"}]"#,
                "tax",
            ),
        ] {
            let named = faults(read(&replaced(&GOOD, "items", items)));
            assert!(
                named.contains(&format!("items.0.{name}: ")),
                "{items}: {named}"
            );
        }
        let many = vec![r#"{"name":"Yam","quantity":1,"amount":"1.00"}"#; 51].join(",");
        for items in [
            format!("[{many}]"),
            r#"[{"name":"Yam","quantity":1,"amount":"0.99"}]"#.to_owned(),
            r#"[{"name":"Yam","quantity":1,"amount":"1,000,000,000.00","vatRate":"7.5"}]"#
                .to_owned(),
            "\"Yam\"".to_owned(),
        ] {
            let named = faults(read(&replaced(&GOOD, "items", &items)));
            assert!(named.contains("\nitems: "), "{items}: {named}");
        }
    }
}
