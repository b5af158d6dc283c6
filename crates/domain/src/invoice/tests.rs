//! The rules of invoices. They must hold whatever became of an invoice since.

use super::*;
use crate::collection::{
    COLLECTION_MAX, CollectionPaid, CollectionState, CollectionStatus, SaleItem,
};
use crate::money::{Currency, Money};
use crate::percent::Percent;
use proptest::prelude::*;

fn money(minor: i64) -> Money {
    Money::from_minor(minor, Currency::Ngn)
}

fn line(quantity: u32, minor: i64, rate: Option<&str>) -> InvoiceLine {
    InvoiceLine {
        item: SaleItem {
            name: GroupLabel::parse("Yam").unwrap(),
            quantity,
            amount: money(minor),
        },
        vat_rate: rate.map(|rate| Percent::parse(rate).unwrap()),
    }
}

fn draft(lines: Vec<InvoiceLine>) -> Invoice {
    let totals = InvoiceTotals::of(&lines).unwrap();
    let wanted = NewInvoice {
        reference: MerchantReference::parse("inv-1").unwrap(),
        customer: GroupLabel::parse("Ada Obi").unwrap(),
        email: None,
        phone: None,
        lines,
        totals,
        due_at: Timestamp::from_millis(1_000),
        is_draft: true,
    };
    let number = TransactionNumber::try_new(7).unwrap();
    let account = AccountId::parse("shop").unwrap();
    Invoice::draft(account, wanted, (number, Timestamp::from_millis(0)))
}

fn opened() -> OpenedInvoice {
    OpenedInvoice {
        number: InvoiceNumber::FIRST,
        payable: PaymentReference::drawn(TransactionNumber::try_new(9).unwrap()),
        at: Timestamp::from_millis(5),
    }
}

#[test]
fn tax_is_rounded_half_up_once_for_each_line() {
    // 7.5 % of 0.33 is 2.475 kobo and of 3 times 0.06 is 1.35; of 0.20 it is 1.5.
    let lines = [
        line(1, 33, Some("7.5")),
        line(3, 6, Some("7.5")),
        line(1, 20, Some("7.5")),
        line(2, 5_000, None),
        line(1, 100, Some("0")),
    ];
    let vats = lines.iter().map(|line| line.vat().unwrap().minor());
    assert_eq!(vats.collect::<Vec<_>>(), [2, 1, 2, 0, 0]);
    let totals = InvoiceTotals::of(&lines).unwrap();
    assert_eq!((totals.vat, totals.total), (money(5), money(10_176)));
    assert_eq!(totals.net(), money(10_171));
}

#[test]
fn what_cannot_be_collected_is_no_invoice() {
    assert_eq!(InvoiceTotals::of(&[]), None);
    assert_eq!(InvoiceTotals::of(&[line(1, 99, None)]), None);
    assert!(InvoiceTotals::of(&[line(1, 93, Some("7.5"))]).is_some());
    let largest = line(1, COLLECTION_MAX.minor(), None);
    assert!(InvoiceTotals::of(std::slice::from_ref(&largest)).is_some());
    let taxed = line(1, COLLECTION_MAX.minor(), Some("0.0001"));
    assert_eq!(InvoiceTotals::of(&[taxed]), None);
    assert_eq!(InvoiceTotals::of(&[largest, line(1, 1, None)]), None);
    let many = vec![line(1, 100, None); INVOICE_LINES_MAX + 1];
    assert_eq!(InvoiceTotals::of(&many), None);
    for wrong in [
        line(0, 100, None),
        line(1, 0, None),
        line(1_000_001, 1, None),
    ] {
        assert!(!wrong.fits(), "{wrong:?}");
    }
}

#[test]
fn numbers_count_from_one() {
    let first = InvoiceNumber::after(None).unwrap();
    assert_eq!(first.to_string(), "INV-000001");
    let second = InvoiceNumber::after(Some(first)).unwrap();
    assert_eq!(second.get(), 2);
    let far = InvoiceNumber::try_new(1_234_567).unwrap();
    assert_eq!(far.to_string(), "INV-1234567");
    let last = InvoiceNumber::try_new(u32::MAX.into()).unwrap();
    assert_eq!(InvoiceNumber::after(Some(last)), Err(InvalidInvoiceNumber));
    for none in [0, -1, i64::MAX] {
        assert_eq!(InvoiceNumber::try_new(none), Err(InvalidInvoiceNumber));
    }
}

#[test]
fn the_status_follows_from_what_was_paid_and_from_the_time() {
    let draft = draft(vec![line(2, 5_000, Some("7.5"))]);
    let open = draft.opened(opened());
    let (early, late) = (Timestamp::from_millis(999), Timestamp::from_millis(1_000));
    let shown = |invoice: &Invoice, paid, now| {
        let state = InvoiceState {
            invoice: invoice.clone(),
            paid: money(paid),
        };
        (state.status(now), state.due().minor())
    };
    assert_eq!(shown(&draft, 0, late), (InvoiceStatus::Draft, 10_750));
    assert_eq!(shown(&open, 0, early), (InvoiceStatus::Open, 10_750));
    assert_eq!(shown(&open, 10_749, early), (InvoiceStatus::Open, 1));
    assert_eq!(shown(&open, 10_749, late), (InvoiceStatus::Overdue, 1));
    assert_eq!(shown(&open, 10_750, late), (InvoiceStatus::Paid, 0));
    assert_eq!(shown(&open, 20_000, early), (InvoiceStatus::Paid, 0));
    let void = open.voided();
    assert_eq!(shown(&void, 20_000, late), (InvoiceStatus::Void, 0));
    assert_eq!(void.stage.opened(), open.stage.opened());
    assert_eq!((draft.version, open.version, void.version), (1, 2, 3));
    assert_eq!(draft.voided().stage, InvoiceStage::Void(None));
}

#[test]
fn a_bill_is_paid_in_parts_and_late() {
    let open = draft(vec![line(2, 5_000, Some("7.5"))]).created_open(opened());
    let bill = open.bill().unwrap();
    assert_eq!(
        (bill.number, &bill.reference),
        (open.number, &open.reference)
    );
    assert_eq!(bill.amount, Some(money(10_750)));
    let CollectionKind::Bill(terms) = &bill.kind else {
        panic!("{bill:?}");
    };
    assert_eq!(SaleItem::sum(&terms.items), bill.amount);
    let status = |total: i64| {
        let state = CollectionState {
            collection: bill.clone(),
            paid: CollectionPaid {
                total: money(total),
                largest: money(total.min(6_000)),
                fees: money(0),
                count: total.min(1).unsigned_abs(),
            },
        };
        state.status(Timestamp::from_millis(i64::MAX))
    };
    assert_eq!(status(0), CollectionStatus::Open);
    assert_eq!(status(6_000), CollectionStatus::Part);
    assert_eq!(status(10_750), CollectionStatus::Paid);
    let closed = open.voided().bill().unwrap();
    assert_eq!(closed.admission, CollectionAdmission::Closed);
    assert_eq!(draft(vec![line(1, 100, None)]).bill(), None);
}

#[test]
fn a_repeated_request_is_recognised_whatever_became_of_its_invoice() {
    let draft = draft(vec![line(1, 100, None)]);
    let wanted = |is_draft| NewInvoice {
        reference: draft.reference.clone(),
        customer: draft.customer.clone(),
        email: None,
        phone: None,
        lines: draft.lines.clone(),
        totals: draft.totals,
        due_at: draft.due_at,
        is_draft,
    };
    for drafted in [draft.clone(), draft.opened(opened()), draft.voided()] {
        assert!(wanted(true).made(&drafted), "{drafted:?}");
        assert!(!wanted(false).made(&drafted), "{drafted:?}");
    }
    let at_once = draft.created_open(OpenedInvoice {
        at: draft.created_at,
        ..opened()
    });
    for opened in [at_once.clone(), at_once.voided()] {
        assert!(wanted(false).made(&opened), "{opened:?}");
        assert!(!wanted(true).made(&opened), "{opened:?}");
    }
    let other = NewInvoice {
        lines: vec![line(1, 100, Some("7.5"))],
        ..wanted(true)
    };
    assert!(!other.made(&draft));
}

proptest! {
    #[test]
    fn lines_add_up_to_the_kobo(
        all in prop::collection::vec((1..100_u32, 1..1_000_000_i64, 0..=1_000_000_i64), 1..20)
    ) {
        let lines: Vec<_> = all
            .iter()
            .map(|(quantity, minor, rate)| {
                let rate = format!("{}.{:04}", rate / 10_000, rate % 10_000);
                line(*quantity, *minor, Some(&rate))
            })
            .collect();
        let net: i64 = all.iter().map(|(quantity, minor, _)| i64::from(*quantity) * minor).sum();
        let vat: i64 = all
            .iter()
            .map(|(quantity, minor, rate)| {
                let exact = i128::from(*quantity) * i128::from(*minor) * i128::from(*rate);
                i64::try_from((exact + 500_000) / 1_000_000).unwrap()
            })
            .sum();
        match InvoiceTotals::of(&lines) {
            Some(totals) => {
                prop_assert_eq!(totals.vat.minor(), vat);
                prop_assert_eq!(totals.total.minor(), net + vat);
                let sold = InvoiceLine::sold(&lines, totals);
                prop_assert_eq!(SaleItem::sum(&sold), Some(totals.total));
            }
            None => prop_assert!(net + vat < 100 || net + vat > COLLECTION_MAX.minor()),
        }
    }
}
