//! Laws of the queue: what is paid for and not sent yet. A transaction must leave it once, with an
//! attempt that is stored or without one.

use super::setup::Stores;
use crate::builders::{account_id, advance, airtime, at, delivered, first_of, vouched};
use domain::account::AccountStatus;
use domain::ledger::TransferKind;
use domain::reference::ProviderReference;
use domain::time::Timestamp;
use domain::transaction::{CancelCause, Observation, Proof, State, StateChange, Transaction};
use ports::ledger_store::CommitOutcome;
use ports::reconciliation::{AcknowledgeOutcome, Clearance};
use ports::transactions::{Claim, ClaimedPlace};
use std::time::Duration;
use tokio::task::JoinSet;

const LEASE: Duration = Duration::from_mins(1);

/// A moment that no law comes to.
const FAR: Timestamp = Timestamp::from_millis(4_102_444_800_000);

const CANCELLED: Observation = Observation::Cancellation(CancelCause::Requested);

/// Opens the `n`th purchase in the queue, to be sent from a second on.
async fn queued(stores: &Stores, n: u64, second: u64) -> Transaction {
    let purchase = airtime().nth(n).priced("1.00").queued(at(second), FAR);
    stores.has_opened(&purchase).await
}

/// The step that records the first attempt.
fn sent(tx: &Transaction, second: u64) -> StateChange {
    StateChange {
        due_at: Some(at(second + 60)),
        ..advance(tx, &Observation::Due, at(second))
    }
}

async fn claimed(stores: &Stores, second: u64, limit: u32) -> Vec<u64> {
    let claimed = stores.claim_queued(at(second), LEASE, limit).await;
    claimed.iter().map(|tx| tx.number.get()).collect()
}

async fn kinds(stores: &Stores, tx: &Transaction) -> Vec<TransferKind> {
    let moved = stores.transactions.transfers(&tx.account, tx.number).await;
    let moved = moved.expect("read the transfers");
    moved.iter().map(|moved| moved.kind).collect()
}

/// Its price is set aside as that of any other; no provider could know anything of it.
pub async fn what_is_queued_is_paid_for_and_has_no_attempt(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    let none = stores.reconciliation.has_queued().await;
    assert!(!none.expect("look for queued transactions"));
    let tx = queued(stores, 1, 10).await;
    let one = stores.reconciliation.has_queued().await;
    assert!(one.expect("look for queued transactions"));
    assert_eq!(stores.reread(&tx).await.as_ref(), Some(&tx));
    assert_eq!(stores.balances("shop").await, (9_900, 100));
    assert_eq!(kinds(stores, &tx).await, [TransferKind::Hold]);
    let any = stores.reconciliation.has_transactions().await;
    assert!(any.expect("look for transactions"));
    let booked = stores.audit.attempts(tx.provider()).await;
    assert_eq!(booked.expect("list the attempts"), []);
    stores.must_be_clean(at(1)).await;
    let again = airtime().nth(1).number(7).priced("1.00").queued(at(1), FAR);
    let taken = CommitOutcome::ReferenceTaken(Box::new(tx));
    assert_eq!(stores.open(&again).await, taken);
}

/// Recovery asks about attempts, and there is none.
pub async fn what_is_queued_is_claimed_from_its_moment_on_and_is_never_due(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    for (n, second) in [(1, 30), (2, 20), (3, 40)] {
        queued(stores, n, second).await;
    }
    assert_eq!(claimed(stores, 19, 10).await, []);
    assert_eq!(claimed(stores, 30, 1).await, [2]);
    assert_eq!(claimed(stores, 30, 10).await, [1]);
    let longest = Duration::from_secs(1);
    let bounded = stores.leases.bound_due(at(1), longest).await;
    assert_eq!(bounded.expect("bound what is due"), 2, "what is claimed");
    assert_eq!(claimed(stores, 2, 10).await, [1, 2]);
    assert_eq!(stores.claim(at(1_000), LEASE, 10).await, []);
    assert_eq!(claimed(stores, 39, 10).await, []);
    assert_eq!(claimed(stores, 40, 10).await, [3]);
    stores.must_be_clean(at(50)).await;
}

/// A claim saves work: it changes nothing, and ends by itself.
pub async fn a_claim_of_the_queue_lasts_until_its_lease_ends(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    let tx = queued(stores, 1, 10).await;
    let mine = std::slice::from_ref(&tx);
    assert_eq!(stores.claim_queued(at(20), LEASE, 1).await, mine);
    let end = at(20).plus(LEASE);
    let before = end.minus(Duration::from_millis(1));
    assert_eq!(stores.claim_queued(before, LEASE, 1).await, []);
    assert_eq!(stores.reread(&tx).await.as_ref(), Some(&tx));
    assert_eq!(stores.claim_queued(end, LEASE, 1).await, mine);
}

/// From then on it is as if it had been opened so.
pub async fn what_leaves_the_queue_is_recorded_with_its_attempt(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    let tx = queued(stores, 1, 10).await;
    let step = sent(&tx, 20);
    assert_eq!(stores.step(&step).await, CommitOutcome::Done);
    let begun = step.transaction;
    assert_eq!(stores.reread(&tx).await.as_ref(), Some(&begun));
    let own = first_of(&tx).reference;
    let found = stores.transactions.by_provider_reference(&own).await;
    assert_eq!(found.expect("look a reference up").as_ref(), Some(&begun));
    assert_eq!(claimed(stores, 10_000, 10).await, []);
    assert_eq!(stores.claim(at(79), LEASE, 10).await, []);
    assert_eq!(stores.balances("shop").await, (9_900, 100));
    stores.must_be_clean(at(21)).await;
    let sold = stores.has_applied(&begun, &delivered(&begun), at(22)).await;
    assert_eq!(stores.reread(&tx).await, Some(sold));
    assert_eq!(stores.balances("shop").await, (9_900, 0));
    stores.must_be_clean(at(23)).await;
}

/// Whatever the reason.
pub async fn what_leaves_the_queue_without_an_attempt_gives_its_price_back(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    let causes = [
        CancelCause::Requested,
        CancelCause::NotApproved,
        CancelCause::Expired,
        CancelCause::BatchStopped,
        CancelCause::Unconfirmed,
    ];
    for (n, cause) in (1..).zip(causes) {
        let tx = queued(stores, n, 10).await;
        let observation = Observation::Cancellation(cause);
        let after = stores.has_applied(&tx, &observation, at(5)).await;
        assert!(matches!(after.state, State::Cancelled(it) if it.cause == cause));
        assert_eq!(stores.reread(&tx).await.as_ref(), Some(&after));
        assert_eq!(stores.balances("shop").await, (10_000, 0));
        let moved = [TransferKind::Hold, TransferKind::Release];
        assert_eq!(kinds(stores, &tx).await, moved);
    }
    assert_eq!(claimed(stores, 10_000, 10).await, []);
    assert_eq!(stores.claim(at(10_000), LEASE, 10).await, []);
    stores.must_be_clean(at(6)).await;
}

/// Of all that would send or cancel it at one moment, one does.
pub async fn what_is_queued_leaves_the_queue_once(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    let tx = queued(stores, 1, 10).await;
    let mut steps = JoinSet::new();
    for n in 0..16 {
        let step = if n % 2 == 0 {
            sent(&tx, 20)
        } else {
            advance(&tx, &CANCELLED, at(20))
        };
        let stores = stores.clone();
        steps.spawn(async move { stores.step(&step).await });
    }
    let verdicts = steps.join_all().await;
    let done = verdicts.iter().filter(|it| **it == CommitOutcome::Done);
    assert_eq!(done.count(), 1, "{verdicts:?}");
    let conflicts = verdicts.iter();
    let conflicts = conflicts.filter(|it| matches!(it, CommitOutcome::VersionConflict(_)));
    assert_eq!(conflicts.count(), 15, "{verdicts:?}");
    stores.must_be_clean(at(21)).await;
}

/// A store that was set back may have in its queue what was sent already: it is neither sent again
/// nor its price given back.
pub async fn while_payments_are_suspended_nothing_queued_is_sent(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    let tx = queued(stores, 1, 10).await;
    let suspended = stores.reconciliation.suspend("a test", Clearance::Person);
    suspended.await.expect("suspend payments");
    assert_eq!(stores.step(&sent(&tx, 20)).await, CommitOutcome::Suspended);
    let cancelled = advance(&tx, &CANCELLED, at(20));
    assert_eq!(stores.step(&cancelled).await, CommitOutcome::Suspended);
    assert_eq!(stores.reread(&tx).await.as_ref(), Some(&tx));
    stores.must_be_clean(at(21)).await;
}

/// What it has queued stays where it is, and may be cancelled.
pub async fn a_suspended_account_sends_nothing_that_was_queued(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    let tx = queued(stores, 1, 10).await;
    let set = async |status| {
        let set = stores
            .accounts
            .set_status(&account_id("shop"), status)
            .await;
        set.expect("set the status");
    };
    let other = queued(stores, 2, 10).await;
    set(AccountStatus::Suspended).await;
    stores.has_applied(&other, &CANCELLED, at(20)).await;
    let refused = CommitOutcome::AccountSuspended;
    assert_eq!(stores.step(&sent(&tx, 20)).await, refused);
    assert_eq!(stores.reread(&tx).await.as_ref(), Some(&tx));
    set(AccountStatus::Active).await;
    assert_eq!(stores.step(&sent(&tx, 20)).await, CommitOutcome::Done);
    stores.must_be_clean(at(21)).await;
}

/// It is recorded again whether or not payments are suspended, and is never in the queue again.
pub async fn a_journal_shows_the_attempt_of_what_the_store_has_queued(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    let tx = queued(stores, 1, 10).await;
    let suspended = stores.reconciliation.suspend("a test", Clearance::Person);
    suspended.await.expect("suspend payments");
    let journalled = Observation::Journalled {
        attempt: domain::transaction::AttemptNumber::FIRST,
        started_at: at(15),
        prepared: first_of(&tx),
        before: Proof::NotSent,
    };
    let reopened = stores.has_applied(&tx, &journalled, at(20)).await;
    assert_eq!(stores.reread(&tx).await.as_ref(), Some(&reopened));
    assert_eq!(claimed(stores, 10_000, 10).await, []);
    let own: ProviderReference = first_of(&tx).reference;
    let found = stores.transactions.by_provider_reference(&own).await;
    assert_eq!(found.expect("look a reference up"), Some(reopened));
    stores.must_be_clean(at(21)).await;
}

/// As what it was sending is taken over at once.
pub async fn what_a_dead_process_claimed_of_the_queue_is_claimed_at_once(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    queued(stores, 1, 10).await;
    queued(stores, 2, 500).await;
    assert_eq!(claimed(stores, 20, 10).await, [1]);
    let reclaimed = stores.leases.reclaim_orphans(at(21)).await;
    assert_eq!(reclaimed.expect("reclaim"), 1);
    assert_eq!(claimed(stores, 21, 10).await, [1]);
}

/// The store may have forgotten that it was cancelled. What is queued from then on may be sent.
pub async fn what_was_queued_before_a_person_resumed_payments_is_not_confirmed(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    let before = queued(stores, 1, 10).await;
    let suspended = stores
        .reconciliation
        .suspend("a law", Clearance::Person)
        .await;
    suspended.expect("suspend payments");
    let resumed = stores.reconciliation.acknowledge(&vouched([])).await;
    let resumed = resumed.expect("acknowledge");
    assert_eq!(resumed, AcknowledgeOutcome::Resumed);
    let after = queued(stores, 2, 11).await;
    let claim = Claim {
        now: at(20),
        lease: LEASE,
        limit: 10,
    };
    let claimed = stores.leases.claim_queued(claim, &[]).await;
    let place = |transaction: &Transaction, is_confirmed| ClaimedPlace {
        transaction: transaction.clone(),
        is_confirmed,
    };
    let expected = [place(&before, false), place(&after, true)];
    assert_eq!(claimed.expect("claim of the queue"), expected);
    let unconfirmed = Observation::Cancellation(CancelCause::Unconfirmed);
    let _ = stores.has_applied(&before, &unconfirmed, at(21)).await;
    assert_eq!(stores.balances("shop").await, (9_900, 100));
    stores.must_be_clean(at(22)).await;
}
