//! The audit of the reference store names the invariant that tampering with its lists breaks.

use super::{MemoryStore, MemoryTables, TransactionRow};
use crate::builders::{
    airtime, at, declined, delivered, electricity, endpoint, kobo, not_sent, receipt,
};
use crate::contract::storage::Stores;
use domain::event::{Event, EventKind};
use domain::ledger::TransferKind;
use domain::transaction::{AttemptNumber, Delivered, Disproven, Evidence, Proof, Sending, State};
use domain::webhook::Topic;
use ports::audit::{Audit, CheckOutcome, Serving};
use ports::webhooks::{EndpointRegistration, Endpoints};
use std::sync::Arc;

/// A store with an open, a successful, a failed and a twice attempted transaction, in this order.
async fn store() -> Arc<MemoryStore> {
    let store = MemoryStore::new();
    let stores = Stores::of(store.clone());
    stores.has_account("shop", "100,000.00").await;
    let received = store
        .register(&endpoint("shop", 1), &crate::builders::noted_change("shop"))
        .await;
    assert_eq!(received.unwrap(), EndpointRegistration::Done);
    stores.has_opened(&airtime().nth(1)).await;
    let yes = stores.has_opened(&electricity().nth(2)).await;
    stores.has_applied(&yes, &delivered(&yes), at(1)).await;
    let no = stores.has_opened(&airtime().nth(3)).await;
    stores.has_applied(&no, &declined(&no), at(1)).await;
    let twice = stores.has_opened(&airtime().nth(4)).await;
    stores.has_applied(&twice, &not_sent(&twice), at(1)).await;
    store
}

async fn broken(store: &MemoryStore) -> Vec<&'static str> {
    let checks = store.audit(at(30), Serving::Yes).await.unwrap();
    let broken = checks
        .iter()
        .filter(|check| matches!(check.outcome, CheckOutcome::Broken { .. }));
    broken.map(|check| check.invariant).collect()
}

async fn check(invariant: &str, tamper: impl Fn(&mut MemoryTables)) {
    let store = store().await;
    assert_eq!(broken(&store).await, [""; 0]);
    tamper(&mut store.tables());
    let found = broken(&store).await;
    assert!(
        found.contains(&invariant),
        "{invariant} not among {found:?}"
    );
}

fn state(row: &mut TransactionRow) -> &mut State {
    &mut row.transaction.state
}

#[tokio::test]
async fn tampering_with_money_is_found() {
    check("I1", |tables| tables.transfers[1].1.amount = kobo(0)).await;
    check("I1", |tables| {
        let transfer = &mut tables.transfers[1].1;
        transfer.debit = transfer.credit.clone();
    })
    .await;
    check("I2", |tables| {
        tables.accounts[0].wallets[0].available = kobo(7);
    })
    .await;
    check("I2", |tables| {
        tables.accounts[0].wallets[0].held = kobo(7);
    })
    .await;
    check("I3", |tables| {
        let hold = tables.transfers[1].clone();
        tables.transfers.push(hold);
    })
    .await;
    check("I3", |tables| {
        let capture = |transfer: &domain::ledger::Transfer| transfer.kind == TransferKind::Capture;
        tables.transfers.retain(|(_, transfer)| !capture(transfer));
    })
    .await;
    check("I16", |tables| {
        let mut transfers = tables.transfers.iter_mut().map(|(_, it)| it);
        let hold = transfers
            .find(|transfer| transfer.kind == TransferKind::Hold)
            .unwrap();
        hold.amount = kobo(hold.amount.minor() + 1);
    })
    .await;
}

#[tokio::test]
async fn tampering_with_attempts_is_found() {
    let disproven = |attempt: AttemptNumber| Disproven::new(attempt, Proof::NotSent, at(1));
    check("I4", |tables| {
        let earlier = &mut tables.transactions[0].transaction.earlier;
        earlier.push(disproven(AttemptNumber::FIRST));
    })
    .await;
    check("I5", |tables| {
        let second = AttemptNumber::FIRST.next().unwrap();
        *state(&mut tables.transactions[0]) = State::Sending(Sending {
            attempt: second,
            started_at: at(0),
        });
    })
    .await;
    check("I5", |tables| {
        tables.transactions[3].transaction.earlier.clear();
    })
    .await;
    check("I6", |tables| {
        let fulfilment = receipt(&tables.transactions[2].transaction).fulfilment;
        *state(&mut tables.transactions[2]) = State::Successful(Delivered {
            attempt: AttemptNumber::FIRST,
            fulfilment,
            evidence: Evidence::Answered,
            at: at(1),
            refund: None,
        });
    })
    .await;
}

#[tokio::test]
async fn tampering_with_names_and_events_is_found() {
    check("I10", |tables| {
        let reference = tables.transactions[0].transaction.reference.clone();
        tables.transactions[1].transaction.reference = reference;
    })
    .await;
    check("I10", |tables| {
        tables.transactions[1].transaction.number = tables.transactions[0].transaction.number;
    })
    .await;
    check("I10", |tables| {
        let again = tables.fundings[0].clone();
        tables.fundings.push(again);
    })
    .await;
    check("I11", |tables| tables.events.truncate(2)).await;
    check("I13", |tables| {
        tables.transactions[0].due_at = Some(at(0).minus(MINUTES_3));
    })
    .await;
    check("I17", |tables| tables.endpoints.clear()).await;
    check("I17", |tables| {
        tables.deliveries[0].delivery.event.sequence += 1;
    })
    .await;
    check("I17", |tables| {
        tables.deliveries[0].delivery.event.topic = Topic::TransactionFailed;
    })
    .await;
    check("I14", |tables| {
        let tx = &mut tables.transactions[1].transaction;
        tx.sequence += 1;
        let event = Event {
            transaction: tx.number,
            sequence: tx.sequence,
            kind: EventKind::Failed,
            at: at(2),
        };
        tables.events.push((tx.account.clone(), event));
    })
    .await;
}

const MINUTES_3: std::time::Duration = std::time::Duration::from_mins(3);
