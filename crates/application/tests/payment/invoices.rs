//! Invoices: how they are created, opened and voided, and how their numbers stay without a gap
//! whatever is asked at once, repeated or refused.

use super::support::{World, merchant};
use application::expected_version::ExpectedVersion;
use application::invoices::{InvoiceError, InvoiceName, InvoiceResult, InvoiceStep};
use application::{Gateway, ReplayMark, RequestError};
use domain::idempotency::IdempotencyKey;
use domain::invoice::{InvoiceState, InvoiceStatus, NewInvoice};
use domain::reference::TransactionNumber;
use std::collections::BTreeSet;
use testkit::builders::{at, invoice, reference};
use tokio::task::JoinSet;

fn wanted(under: &str, is_draft: bool) -> NewInvoice {
    let like = invoice("shop", 1);
    NewInvoice {
        reference: reference(under),
        customer: like.customer,
        email: like.email,
        phone: like.phone,
        lines: like.lines,
        totals: like.totals,
        due_at: at(86_400),
        is_draft,
    }
}

async fn create(
    gateway: &Gateway,
    wanted: NewInvoice,
    key: Option<&str>,
) -> Result<InvoiceResult, InvoiceError> {
    let key = key.map(|key| IdempotencyKey::parse(key).unwrap());
    let shop = merchant("shop");
    gateway.create_invoice(&shop, wanted, key.as_ref()).await
}

async fn step(
    gateway: &Gateway,
    number: TransactionNumber,
    (step, stated): (InvoiceStep, u32),
) -> Result<InvoiceState, InvoiceError> {
    let seen = ExpectedVersion {
        stated,
        only_in: None,
    };
    let shop = merchant("shop");
    gateway.change_invoice(&shop, (number, step), &seen).await
}

fn given(state: &InvoiceState) -> Option<u32> {
    let opened = state.invoice.stage.opened();
    opened.map(|it| it.number.get())
}

#[tokio::test]
async fn a_key_creates_one_invoice_however_many_ask_at_once() {
    let world = World::new().await;
    let gateway = world.gateway();
    let mut asked = JoinSet::new();
    for _ in 0..50 {
        let gateway = gateway.clone();
        asked.spawn(async move {
            let created = create(&gateway, wanted("inv-1", false), Some("try-1"));
            created.await.unwrap()
        });
    }
    let created = asked.join_all().await;
    let new = created.iter().filter(|it| it.replay == ReplayMark::New);
    assert_eq!(new.count(), 1);
    assert!(created.iter().all(|it| given(&it.state) == Some(1)));
    let other = create(&gateway, wanted("inv-1", true), Some("try-1")).await;
    assert!(
        matches!(other, Err(InvoiceError::Request(RequestError::KeyReused))),
        "{other:?}"
    );
    let taken = create(&gateway, wanted("inv-1", false), None).await;
    assert!(
        matches!(taken, Err(InvoiceError::ReferenceTaken(_))),
        "{taken:?}"
    );
    let next = create(&gateway, wanted("inv-2", false), None).await;
    assert_eq!(given(&next.unwrap().state), Some(2));
}

#[tokio::test]
async fn invoices_that_are_opened_at_once_are_numbered_without_a_gap() {
    let world = World::new().await;
    let gateway = world.gateway();
    let mut asked = JoinSet::new();
    for nth in 1..=100 {
        let gateway = gateway.clone();
        asked.spawn(async move {
            let is_draft = nth % 2 == 0;
            let created = create(&gateway, wanted(&format!("inv-{nth}"), is_draft), None);
            let created = created.await.unwrap().state;
            if !is_draft {
                return given(&created).unwrap();
            }
            assert_eq!(given(&created), None);
            let number = created.invoice.number;
            let opened = step(&gateway, number, (InvoiceStep::Open, 1)).await;
            given(&opened.unwrap()).unwrap()
        });
    }
    let numbers: BTreeSet<u32> = asked.join_all().await.into_iter().collect();
    assert!(numbers.into_iter().eq(1..=100));
}

#[tokio::test]
async fn a_step_that_was_taken_is_answered_as_it_is() {
    let world = World::new().await;
    let gateway = world.gateway();
    let draft = create(&gateway, wanted("inv-1", true), None).await.unwrap();
    let number = draft.state.invoice.number;
    let mut steps = JoinSet::new();
    for _ in 0..50 {
        let gateway = gateway.clone();
        steps.spawn(async move { step(&gateway, number, (InvoiceStep::Open, 1)).await });
    }
    for opened in steps.join_all().await {
        assert_eq!(given(&opened.unwrap()), Some(1));
    }
    let stale = step(&gateway, number, (InvoiceStep::Void, 1)).await;
    assert!(matches!(stale, Err(InvoiceError::Stale(2))), "{stale:?}");
    for seen in [2, 2, 3] {
        let void = step(&gateway, number, (InvoiceStep::Void, seen))
            .await
            .unwrap();
        assert_eq!(void.status(at(0)), InvoiceStatus::Void);
        assert_eq!((given(&void), void.invoice.version), (Some(1), 3));
    }
    let open = step(&gateway, number, (InvoiceStep::Open, 3)).await;
    assert!(matches!(open, Err(InvoiceError::Void)), "{open:?}");
}

#[tokio::test]
async fn a_due_date_is_to_come_as_it_is_created_and_as_it_is_opened() {
    let world = World::new().await;
    let gateway = world.gateway();
    let due = |under: &str, seconds| NewInvoice {
        due_at: at(seconds),
        ..wanted(under, true)
    };
    let over = create(&gateway, due("inv-1", 0), None).await;
    assert!(matches!(over, Err(InvoiceError::DueOver)), "{over:?}");
    let far = create(&gateway, due("inv-1", 3_654 * 86_400), None).await;
    assert!(matches!(far, Err(InvoiceError::DueFar)), "{far:?}");
    let draft = create(&gateway, due("inv-1", 60), None).await.unwrap();
    world.clock.jump(std::time::Duration::from_mins(1));
    let number = draft.state.invoice.number;
    let late = step(&gateway, number, (InvoiceStep::Open, 1)).await;
    assert!(matches!(late, Err(InvoiceError::DraftOver)), "{late:?}");
    let unknown = merchant("other");
    let found = gateway.invoice(&unknown, InvoiceName::Number(number)).await;
    assert!(matches!(found, Err(InvoiceError::Unknown)), "{found:?}");
}
