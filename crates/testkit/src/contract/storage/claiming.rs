//! Laws of claiming what is due.

use super::setup::Stores;
use crate::builders::{
    advance_due, airtime, at, declined, delivered, mismatched, pending, takeover,
};
use domain::transaction::Transaction;
use ports::ledger_store::CommitOutcome;
use std::time::Duration;

const LEASE: Duration = Duration::from_mins(1);

/// Opens the `n`th purchase, due at a second.
async fn due(stores: &Stores, n: u64, second: u64) -> Transaction {
    let purchase = airtime().nth(n).priced("1.00").due_at(at(second));
    stores.has_opened(&purchase).await
}

async fn claimed(stores: &Stores, second: u64, limit: u32) -> Vec<u64> {
    let claimed = stores.claim(at(second), LEASE, limit).await;
    claimed.iter().map(|tx| tx.number.get()).collect()
}

/// The longest due comes first, whatever its number; what is not due yet is left alone.
pub async fn what_is_due_is_claimed_longest_due_first(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    for (n, second) in [(4, 30), (1, 20), (9, 10), (2, 31)] {
        due(stores, n, second).await;
    }
    assert_eq!(claimed(stores, 9, 10).await, []);
    assert_eq!(claimed(stores, 30, 10).await, [9, 1, 4]);
    assert_eq!(claimed(stores, 31, 10).await, [2]);
    assert_eq!(claimed(stores, 32, 10).await, []);
}

/// The rest waits for the next claim.
pub async fn a_claim_takes_no_more_than_its_limit(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    for n in 1..=5 {
        due(stores, n, n).await;
    }
    assert_eq!(claimed(stores, 10, 0).await, []);
    assert_eq!(claimed(stores, 10, 2).await, [1, 2]);
    assert_eq!(claimed(stores, 10, 2).await, [3, 4]);
    assert_eq!(claimed(stores, 10, 2).await, [5]);
}

/// An unused claim ends with its lease, to the millisecond.
pub async fn a_claim_lasts_until_its_lease_ends(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    let tx = due(stores, 1, 10).await;
    assert_eq!(
        stores.claim(at(20), LEASE, 1).await,
        std::slice::from_ref(&tx)
    );
    let end = at(20).plus(LEASE);
    let before = end.minus(Duration::from_millis(1));
    assert_eq!(stores.claim(before, LEASE, 1).await, []);
    assert_eq!(stores.claim(end, LEASE, 1).await, [tx]);
}

/// A claim only saves work. Writes are guarded by the version, so any instance that knows it may
/// write.
pub async fn a_claim_changes_nothing_of_the_transaction(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    let tx = due(stores, 1, 10).await;
    let events = stores.events(&tx).await;
    assert_eq!(
        stores.claim(at(20), LEASE, 1).await,
        std::slice::from_ref(&tx)
    );
    assert_eq!(stores.reread(&tx).await, Some(tx.clone()));
    assert_eq!(stores.events(&tx).await, events);
    stores.has_applied(&tx, &delivered(&tx), at(21)).await;
}

/// A step sets the next due time anew, whichever instance held the transaction.
pub async fn an_advance_says_when_to_look_next(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    let tx = due(stores, 1, 10).await;
    assert_eq!(claimed(stores, 10, 1).await, [1]);
    let sooner = advance_due(&tx, &takeover(&tx), Some(at(15)));
    assert_eq!(stores.step(&sooner).await, CommitOutcome::Done);
    assert_eq!(claimed(stores, 14, 1).await, []);
    assert_eq!(claimed(stores, 15, 1).await, [1]);
    let tx = sooner.transaction;
    let later = advance_due(&tx, &pending(&tx), Some(at(5_000)));
    assert_eq!(stores.step(&later).await, CommitOutcome::Done);
    assert_eq!(claimed(stores, 4_999, 1).await, []);
    assert_eq!(claimed(stores, 5_000, 1).await, [1]);
}

/// A settled transaction is never due again.
pub async fn what_is_settled_is_never_claimed(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    for (n, observation) in (1..).zip([delivered, declined, mismatched]) {
        let tx = due(stores, n, 10).await;
        let step = advance_due(&tx, &observation(&tx), None);
        assert_eq!(stores.step(&step).await, CommitOutcome::Done);
    }
    assert_eq!(claimed(stores, 1_000_000, 10).await, []);
    assert_eq!(
        stores.leases.reclaim_orphans(at(1_000_000)).await.unwrap(),
        0
    );
    assert_eq!(claimed(stores, 1_000_000, 10).await, []);
}

/// What a clock that was ahead made due far away is due within the longest pause; what is due by
/// then keeps its time, and what is settled stays settled.
pub async fn nothing_undecided_is_due_later_than_the_longest_pause(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    due(stores, 1, 100_000).await;
    let waiting = due(stores, 2, 10).await;
    due(stores, 3, 80).await;
    due(stores, 4, 79).await;
    let step = advance_due(&waiting, &pending(&waiting), Some(at(200_000)));
    assert_eq!(stores.step(&step).await, CommitOutcome::Done);
    let settled = due(stores, 5, 100_000).await;
    let step = advance_due(&settled, &declined(&settled), None);
    assert_eq!(stores.step(&step).await, CommitOutcome::Done);
    let bound = stores.leases.bound_due(at(20), LEASE).await;
    assert_eq!(bound.unwrap(), 2);
    assert_eq!(stores.leases.bound_due(at(20), LEASE).await.unwrap(), 0);
    assert_eq!(claimed(stores, 78, 10).await, []);
    assert_eq!(claimed(stores, 79, 10).await, [4]);
    let mut all = claimed(stores, 80, 10).await;
    all.sort_unstable();
    assert_eq!(all, [1, 2, 3]);
    assert_eq!(
        stores.reread(&step.transaction).await,
        Some(step.transaction)
    );
}

/// What a process claimed or was sending when it died is due at once; what only waits for its time
/// goes on waiting, and what is due already keeps its place. For stores that one process owns
/// alone.
pub async fn what_a_dead_process_held_becomes_due_at_once(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    let being_sent = due(stores, 1, 500).await;
    let followed_up = due(stores, 2, 10).await;
    let waiting = due(stores, 3, 500).await;
    let settled = due(stores, 4, 10).await;
    let step = advance_due(&followed_up, &pending(&followed_up), Some(at(10)));
    assert_eq!(stores.step(&step).await, CommitOutcome::Done);
    let step = advance_due(&waiting, &pending(&waiting), Some(at(500)));
    assert_eq!(stores.step(&step).await, CommitOutcome::Done);
    let waiting = step.transaction;
    let step = advance_due(&settled, &delivered(&settled), None);
    assert_eq!(stores.step(&step).await, CommitOutcome::Done);
    let long = Duration::from_hours(1);
    let held = stores.claim(at(10), long, 10).await;
    assert_eq!(held.len(), 1);
    let overdue = due(stores, 5, 15).await;

    assert_eq!(stores.leases.reclaim_orphans(at(20)).await.unwrap(), 2);
    let due_now = stores.claim(at(20), long, 10).await;
    let mut due_now: Vec<_> = due_now.iter().map(|tx| tx.number).collect();
    assert_eq!(due_now[0], overdue.number);
    due_now.sort();
    let expected = [&being_sent, &followed_up, &overdue].map(|tx| tx.number);
    assert_eq!(due_now, expected);
    assert_eq!(stores.claim(at(500), long, 10).await, [waiting]);
}
