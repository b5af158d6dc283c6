//! Laws of what waits in a store. Every payment that is not final must be counted once, and none
//! that is.

use super::setup::Stores;
use crate::builders::{
    airtime, answer, at, delivered, mismatched, pending, provider_id, refusal_of, second_at,
};
use domain::change_set::StateChange;
use domain::provider::{AbsencePolicy, RefusalKind, SubmitOutcome};
use domain::transaction::{ApplyContext, Transition};
use ports::backlog::{OpenPayments, OpenState};
use ports::ledger_store::CommitOutcome;

/// So many payments of the provider of [`airtime`], by their ages.
fn open(state: OpenState, older_than: [u64; 5], oldest: u64) -> OpenPayments {
    OpenPayments {
        provider: provider_id("vtu"),
        state,
        older_than,
        oldest_at: at(oldest),
    }
}

/// By state and by age, to the millisecond; what is final is counted no more.
pub async fn open_payments_are_counted_by_state_and_age(stores: &Stores) {
    stores.has_account("shop", "100,000.00").await;
    let waiting = |now| stores.backlog.open_payments(at(now));
    assert_eq!(waiting(0).await.unwrap(), []);
    let opened = |n, second| airtime().nth(n).opened_at(at(second));
    stores.has_opened(&opened(1, 100)).await;
    for (n, second) in [(2, 0), (3, 1)] {
        let tx = stores.has_opened(&opened(n, second)).await;
        stores.has_applied(&tx, &pending(&tx), at(200)).await;
    }
    let tx = stores.has_opened(&opened(4, 50)).await;
    stores.has_applied(&tx, &mismatched(&tx), at(200)).await;
    let done = stores.has_opened(&opened(5, 3)).await;
    let done = stores.has_applied(&done, &delivered(&done), at(4)).await;
    let provider = done.provider().clone();

    let counted = |states: [OpenPayments; 3]| {
        states.map(|it| OpenPayments {
            provider: provider.clone(),
            ..it
        })
    };
    let young = [
        open(OpenState::Sending, [1, 0, 0, 0, 0], 100),
        open(OpenState::InDoubt, [2, 1, 0, 0, 0], 0),
        open(OpenState::Review, [1, 0, 0, 0, 0], 50),
    ];
    let mut found = waiting(60).await.unwrap();
    found.sort();
    assert_eq!(found, counted(young));
    let old = [
        open(OpenState::Sending, [1, 1, 1, 1, 0], 100),
        open(OpenState::InDoubt, [2, 2, 2, 2, 2], 0),
        open(OpenState::Review, [1, 1, 1, 1, 0], 50),
    ];
    let mut found = waiting(86_401).await.unwrap();
    found.sort();
    assert_eq!(found, counted(old));
}

/// What is queued counts as queued, and under the provider that it would be sent to.
pub async fn queued_payments_are_counted(stores: &Stores) {
    stores.has_account("shop", "100,000.00").await;
    let queued = airtime().queued(at(0), at(500));
    let tx = stores.has_opened(&queued).await;
    let found = stores.backlog.open_payments(at(1_000)).await.unwrap();
    let expected = OpenPayments {
        provider: tx.provider().clone(),
        ..open(OpenState::Queued, [1, 1, 1, 0, 0], 0)
    };
    let expected = OpenPayments {
        oldest_at: tx.opened_at,
        ..expected
    };
    assert_eq!(found, [expected]);
}

/// After a further attempt a payment counts for the provider of that one.
pub async fn a_second_attempt_counts_for_its_own_provider(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    let tx = stores.has_opened(&airtime()).await;
    let refused = answer(
        &tx,
        SubmitOutcome::Declined(refusal_of(RefusalKind::Account)),
    );
    let next = second_at(&tx, provider_id("other"));
    let context = ApplyContext {
        next: Some(&next),
        ..ApplyContext::new(at(1), &AbsencePolicy::CAUTIOUS)
    };
    let Transition::Changed(step) = tx.apply(&refused, context) else {
        panic!("nothing changed");
    };
    let step = StateChange {
        due_at: Some(at(60)),
        ..*step
    };
    assert_eq!(stores.step(&step).await, CommitOutcome::Done);
    let found = stores.backlog.open_payments(at(2)).await.unwrap();
    let providers: Vec<_> = found.iter().map(|it| it.provider.as_str()).collect();
    assert_eq!(providers, ["other"]);
}

/// A store that works says so, by its reads and by its writer.
pub async fn a_store_that_works_can_be_read_and_written(stores: &Stores) {
    stores.backlog.await_writer().await.expect("its writer");
    let state = stores.backlog.read_state().await.expect("its state");
    assert!(state.bytes.is_none_or(|bytes| bytes > 0));
}
