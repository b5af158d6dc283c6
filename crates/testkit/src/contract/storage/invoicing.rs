//! Laws of invoices. The numbers of an account must have no gap, whatever is opened at once,
//! refused or given up.

use super::setup::Stores;
use crate::builders::{
    account_id, at, collected, invoice, invoice_opening, naira, opened_invoice, payment_reference,
    reference,
};
use domain::change_set::ChangeSet;
use domain::collection::{
    CollectedPayment, Collection, CollectionAdmission, CollectionSource, CollectionStep,
};
use domain::invoice::{Invoice, InvoiceStage, InvoiceState, InvoiceStatus};
use domain::statement::Sort;
use ports::audit::{CheckOutcome, Serving};
use ports::batches::PageOf;
use ports::collections::{CollectionCreation, CollectionName};
use ports::invoices::{InvoiceName, InvoiceOpening, InvoiceWrite};
use ports::ledger_store::CommitOutcome;
use std::collections::BTreeSet;
use tokio::task::JoinSet;

async fn drafted(stores: &Stores, draft: &Invoice) -> InvoiceWrite {
    let created = stores.invoices.create_invoice(draft, None).await;
    created.expect("create an invoice")
}

async fn has_drafted(stores: &Stores, draft: Invoice) -> Invoice {
    let done = InvoiceWrite::Done(Box::new(draft.clone()));
    assert_eq!(drafted(stores, &draft).await, done);
    draft
}

async fn open(stores: &Stores, draft: &Invoice, payable: u64) -> InvoiceWrite {
    let opening = invoice_opening(payable);
    let opened = stores.invoices.open_invoice(draft, &opening).await;
    opened.expect("open an invoice")
}

async fn void(stores: &Stores, invoice: &Invoice) -> InvoiceWrite {
    let voided = stores.invoices.void_invoice(invoice).await;
    voided.expect("void an invoice")
}

fn done(written: InvoiceWrite) -> Invoice {
    let InvoiceWrite::Done(invoice) = written else {
        panic!("{written:?}");
    };
    *invoice
}

async fn found(stores: &Stores, invoice: &Invoice) -> Option<InvoiceState> {
    let name = InvoiceName::Number(invoice.number);
    let found = stores.invoices.invoice(&invoice.account, name).await;
    found.expect("find an invoice")
}

/// Pays to the collection of an invoice.
async fn pays(stores: &Stores, invoice: &Invoice, (number, amount): (u64, &str)) {
    let bill = invoice.bill().expect("a collection");
    let session = format!("session-{number}");
    let paid = CollectedPayment {
        source: CollectionSource::Sandbox,
        ..collected(&bill, (number, &session), amount)
    };
    let paid = stores.commit(ChangeSet::Collect(Box::new(paid))).await;
    assert_eq!(paid, CommitOutcome::Done);
}

fn given(invoice: &Invoice) -> Option<u32> {
    invoice.stage.opened().map(|opened| opened.number.get())
}

/// A draft reads back as it was created, to its account alone, and nothing is to be paid for it.
pub async fn a_draft_reads_back_as_it_was_created(stores: &Stores) {
    stores.has_account("shop", "100").await;
    stores.has_account("other", "100").await;
    let bare = Invoice {
        email: None,
        phone: None,
        ..invoice("shop", 8)
    };
    for draft in [invoice("shop", 7), bare] {
        let draft = has_drafted(stores, draft).await;
        let state = found(stores, &draft).await.expect("an invoice");
        assert_eq!((&state.invoice, state.paid), (&draft, naira("0.00")));
        assert_eq!(state.status(at(9_999)), InvoiceStatus::Draft);
        let name = InvoiceName::Reference(&draft.reference);
        let named = stores.invoices.invoice(&draft.account, name).await;
        assert_eq!(named.expect("find"), Some(state));
        let other = stores.invoices.invoice(&account_id("other"), name).await;
        assert_eq!(other.expect("find"), None);
        let name = CollectionName::Number(draft.number);
        let bill = stores.collections.collection(&draft.account, name).await;
        assert_eq!(bill.expect("find"), None);
    }
    stores.must_be_clean(at(0)).await;
}

/// An invoice is opened with the number after the last and with its collection, whether it was a
/// draft before or not.
pub async fn opening_gives_a_number_and_makes_the_collection(stores: &Stores) {
    stores.has_account("shop", "100").await;
    stores.has_account("other", "100").await;
    let draft = has_drafted(stores, invoice("shop", 7)).await;
    let at_once = invoice("shop", 8);
    let created = stores
        .invoices
        .create_invoice(&at_once, Some(&invoice_opening(8)))
        .await;
    let created = done(created.expect("create an opened invoice"));
    assert_eq!(created, at_once.created_open(opened_invoice(1, 8)));
    let opened = done(open(stores, &draft, 7).await);
    assert_eq!(opened, draft.opened(opened_invoice(2, 7)));
    let elsewhere = has_drafted(stores, invoice("other", 7)).await;
    let elsewhere = done(open(stores, &elsewhere, 9).await);
    assert_eq!(given(&elsewhere), Some(1));
    for invoice in [&created, &opened, &elsewhere] {
        let state = found(stores, invoice).await.expect("an invoice");
        assert_eq!(state.invoice, *invoice);
        let name = CollectionName::Reference(&invoice.reference);
        let bill = stores.collections.collection(&invoice.account, name).await;
        let bill = bill.expect("find").expect("a collection");
        assert_eq!(Some(&bill.collection), invoice.bill().as_ref());
        let payee = bill.collection.kind.payee();
        let typed = stores.collections.collection_of_payee(payee).await;
        assert_eq!(typed.expect("find"), invoice.bill());
    }
    stores.must_be_clean(at(20)).await;
}

/// What is refused, and what comes too late, uses up no number.
pub async fn what_is_refused_uses_up_no_number(stores: &Stores) {
    stores.has_account("shop", "100").await;
    let first = has_drafted(stores, invoice("shop", 7)).await;
    let first = done(open(stores, &first, 7).await);
    assert_eq!(given(&first), Some(1));
    let same_reference = Invoice {
        reference: first.reference.clone(),
        ..invoice("shop", 8)
    };
    let same_number = Invoice {
        number: first.number,
        ..invoice("shop", 8)
    };
    for (wanted, refused) in [
        (same_reference, InvoiceWrite::ReferenceTaken),
        (same_number, InvoiceWrite::NumberTaken),
        (invoice("stranger", 8), InvoiceWrite::AccountUnknown),
    ] {
        assert_eq!(drafted(stores, &wanted).await, refused);
        let opening = invoice_opening(8);
        let created = stores
            .invoices
            .create_invoice(&wanted, Some(&opening))
            .await;
        assert_eq!(created.expect("create"), refused);
    }
    let second = has_drafted(stores, invoice("shop", 8)).await;
    let taken = open(stores, &second, 7).await;
    assert_eq!(taken, InvoiceWrite::NumberTaken, "of another payer");
    let stale = Invoice {
        version: 2,
        ..second.clone()
    };
    assert_eq!(open(stores, &stale, 8).await, InvoiceWrite::Conflict);
    let second = done(open(stores, &second, 8).await);
    assert_eq!(given(&second), Some(2));
    stores.must_be_clean(at(20)).await;
}

/// An invoice is dated no earlier than the one with the number before, whichever clock opens it.
pub async fn dates_of_invoices_follow_their_numbers(stores: &Stores) {
    stores.has_account("shop", "100").await;
    for (number, clock, dated) in [(7, 20, 20), (8, 10, 20), (9, 30, 30)] {
        let draft = has_drafted(stores, invoice("shop", number)).await;
        let opening = InvoiceOpening {
            at: at(clock),
            ..invoice_opening(number)
        };
        let opened = stores.invoices.open_invoice(&draft, &opening).await;
        let opened = done(opened.expect("open an invoice"));
        let opened_at = opened.stage.opened().map(|opened| opened.at);
        assert_eq!(opened_at, Some(at(dated)));
        let kept = found(stores, &opened).await.map(|state| state.invoice);
        assert_eq!(kept, Some(opened));
    }
    stores.must_be_clean(at(40)).await;
}

/// A reference is that of a collection or of an invoice, also while the invoice is a draft.
pub async fn a_reference_of_a_collection_is_no_invoices(stores: &Stores) {
    stores.has_account("shop", "100").await;
    let draft = has_drafted(stores, invoice("shop", 7)).await;
    let under = |number, name: &str| Collection {
        reference: reference(name),
        ..payment_reference("shop", number)
    };
    for (made, expected) in [
        (under(19, "inv-7"), CollectionCreation::ReferenceTaken),
        (under(20, "inv-8"), CollectionCreation::Done),
    ] {
        let created = stores.collections.create_collection(&made).await;
        assert_eq!(created.expect("make"), expected);
    }
    assert_eq!(given(&done(open(stores, &draft, 7).await)), Some(1));
    let refused = drafted(stores, &invoice("shop", 8)).await;
    assert_eq!(refused, InvoiceWrite::CollectionTaken);
    let same_number = drafted(stores, &invoice("shop", 20)).await;
    assert_eq!(same_number, InvoiceWrite::NumberTaken);
    let next = has_drafted(stores, invoice("shop", 9)).await;
    let next = done(open(stores, &next, 9).await);
    assert_eq!(given(&next), Some(2));
    let later = payment_reference("shop", 30);
    let later = Collection {
        reference: next.reference.clone(),
        ..later
    };
    let refused = stores.collections.create_collection(&later).await;
    assert_eq!(refused.expect("make"), CollectionCreation::ReferenceTaken);
    stores.must_be_clean(at(20)).await;
}

/// What is paid to the collection is what was paid of the invoice, in parts and after its due date.
pub async fn an_invoice_is_paid_through_its_collection(stores: &Stores) {
    stores.has_account("shop", "100").await;
    let draft = has_drafted(stores, invoice("shop", 7)).await;
    let opened = done(open(stores, &draft, 7).await);
    let shown = |now| async move {
        let state = found(stores, &invoice("shop", 7)).await;
        let state = state.expect("an invoice");
        (state.status(at(now)), state.paid, state.due())
    };
    let part = (InvoiceStatus::Open, naira("0.00"), naira("5,000.00"));
    assert_eq!(shown(20).await, part);
    pays(stores, &opened, (20, "2,000.00")).await;
    let part = (InvoiceStatus::Overdue, naira("2,000.00"), naira("3,000.00"));
    assert_eq!(shown(3_600).await, part);
    pays(stores, &opened, (21, "3,000.01")).await;
    let paid = (InvoiceStatus::Paid, naira("5,000.01"), naira("0.00"));
    assert_eq!(shown(3_600).await, paid);
    stores.must_be_clean(at(61)).await;
}

/// A void invoice keeps its number and closes its collection; what arrives still is credited.
/// What something was paid of is not voided.
pub async fn a_void_invoice_keeps_its_number(stores: &Stores) {
    stores.has_account("shop", "100").await;
    let first = has_drafted(stores, invoice("shop", 7)).await;
    let opened = done(open(stores, &first, 7).await);
    assert_eq!(void(stores, &first).await, InvoiceWrite::Conflict);
    let voided = done(void(stores, &opened).await);
    assert_eq!(voided, opened.voided());
    assert_eq!(void(stores, &opened).await, InvoiceWrite::Conflict);
    let name = CollectionName::Number(voided.number);
    let bill = stores.collections.collection(&voided.account, name).await;
    let bill = bill.expect("find").expect("a collection").collection;
    assert_eq!(bill.admission, CollectionAdmission::Closed);
    assert_eq!(Some(bill), voided.bill());
    pays(stores, &voided, (20, "2,000.00")).await;
    let state = found(stores, &voided).await.expect("an invoice");
    assert_eq!(state.status(at(20)), InvoiceStatus::Void);
    assert_eq!(
        (state.paid, state.due()),
        (naira("2,000.00"), naira("0.00"))
    );
    let second = has_drafted(stores, invoice("shop", 8)).await;
    let second = done(open(stores, &second, 8).await);
    assert_eq!(given(&second), Some(2));
    pays(stores, &second, (21, "20.00")).await;
    assert_eq!(void(stores, &second).await, InvoiceWrite::Paid);
    let state = found(stores, &second).await.expect("an invoice");
    assert_eq!(state.invoice, second);
    let draft = has_drafted(stores, invoice("shop", 9)).await;
    let voided = done(void(stores, &draft).await);
    assert_eq!(voided.stage, InvoiceStage::Void(None));
    assert_eq!(open(stores, &draft, 9).await, InvoiceWrite::Conflict);
    stores.must_be_clean(at(61)).await;
}

/// The invoices of an account come in parts.
pub async fn the_invoices_of_an_account_come_in_parts(stores: &Stores) {
    stores.has_account("shop", "100").await;
    stores.has_account("other", "100").await;
    for nth in 1..4_u8 {
        let own = Invoice {
            created_at: at(nth.into()),
            ..invoice("shop", nth.into())
        };
        let own = has_drafted(stores, own).await;
        if nth > 1 {
            done(open(stores, &own, nth.into()).await);
        }
    }
    has_drafted(stores, invoice("other", 9)).await;
    let listed = |offset, length, sort| async move {
        let page = PageOf {
            offset,
            length,
            sort,
        };
        let page = stores.invoices.invoices(&account_id("shop"), page).await;
        let page = page.expect("list invoices");
        let numbers = page.invoices.iter().map(|it| it.invoice.number.get());
        (numbers.collect::<Vec<_>>(), page.total)
    };
    assert_eq!(listed(0, 100, Sort::Ascending).await, (vec![1, 2, 3], 3));
    assert_eq!(listed(1, 1, Sort::Descending).await, (vec![2], 3));
    assert_eq!(listed(9, 10, Sort::Ascending).await, (vec![], 3));
}

/// A hundred invoices that are opened at once, half of them drafts before, get 1 to 100.
pub async fn invoices_that_are_opened_at_once_have_no_gap(stores: &Stores) {
    stores.has_account("shop", "100").await;
    let mut openings = JoinSet::new();
    for nth in 1..=100_u64 {
        let draft = invoice("shop", nth);
        let invoices = stores.invoices.clone();
        let is_drafted = nth % 2 == 0;
        if is_drafted {
            has_drafted(stores, draft.clone()).await;
        }
        openings.spawn(async move {
            let opening = invoice_opening(nth);
            let opened = if is_drafted {
                invoices.open_invoice(&draft, &opening).await
            } else {
                invoices.create_invoice(&draft, Some(&opening)).await
            };
            given(&done(opened.expect("open"))).expect("a number")
        });
    }
    let numbers: BTreeSet<u32> = openings.join_all().await.into_iter().collect();
    assert!(numbers.into_iter().eq(1..=100));
    stores.must_be_clean(at(20)).await;
}

/// Of a hundred that open one draft at once, one does; of an opening and a void at once, one is
/// written.
pub async fn of_steps_of_an_invoice_at_once_one_is_written(stores: &Stores) {
    stores.has_account("shop", "100").await;
    let draft = has_drafted(stores, invoice("shop", 7)).await;
    let mut steps = JoinSet::new();
    for nth in 1..=100_u64 {
        let draft = draft.clone();
        let invoices = stores.invoices.clone();
        steps.spawn(async move {
            let step = if nth % 2 == 0 {
                invoices.open_invoice(&draft, &invoice_opening(nth)).await
            } else {
                invoices.void_invoice(&draft).await
            };
            step.expect("a step")
        });
    }
    let all = steps.join_all().await;
    let is_done = |it: &&InvoiceWrite| matches!(it, InvoiceWrite::Done(_));
    assert_eq!(all.iter().filter(is_done).count(), 1, "{all:?}");
    let next = has_drafted(stores, invoice("shop", 200)).await;
    done(open(stores, &next, 200).await);
    stores.must_be_clean(at(20)).await;
}

/// A collection that its merchant closed behind the back of its invoice is found.
pub async fn a_collection_unlike_its_invoice_is_found(stores: &Stores) {
    stores.has_account("shop", "100").await;
    let draft = has_drafted(stores, invoice("shop", 7)).await;
    let opened = done(open(stores, &draft, 7).await);
    let offences = || async {
        let checks = stores.audit.audit(at(20), Serving::No).await;
        let mut checks = checks.expect("audit").into_iter();
        let check = checks.find(|check| check.invariant == "I32");
        match check.expect("a check of invoices").outcome {
            CheckOutcome::Broken { offences } => offences.len(),
            CheckOutcome::Holds { .. } | CheckOutcome::NotApplicable { .. } => 0,
        }
    };
    assert_eq!(offences().await, 0);
    let bill = opened.bill().expect("a collection");
    let closed = bill.after(CollectionStep::Close, None).expect("a step");
    let changed = stores.collections.change_collection(&closed).await;
    changed.expect("close a collection");
    assert_eq!(offences().await, 1);
    let alone = invoice("shop", 50).opened(opened_invoice(1, 50));
    let alone = alone.bill().expect("a collection");
    let created = stores.collections.create_collection(&alone).await;
    assert_eq!(created.expect("make"), CollectionCreation::Done);
    assert_eq!(offences().await, 2);
}
