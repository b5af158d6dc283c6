//! Laws of the permit to send. The time of the store is its own: where a law needs a moment that is
//! past or to come for every store, it is decades away.

use super::setup::Stores;
use crate::builders::{advance_due, airtime, at, declined, takeover};
use domain::time::Timestamp;
use domain::transaction::{AttemptNumber, State, Transaction};
use ports::ledger_store::CommitOutcome;
use ports::transactions::AttemptKey;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;

/// 2100-01-01, after the time of every store.
const TO_COME: Timestamp = Timestamp::from_millis(4_102_444_800_000);

/// 1970-01-12, before the time of every store.
const PAST: Timestamp = Timestamp::from_millis(1_000_000_000);

/// Opens the `n`th purchase, due at a moment.
async fn opened(stores: &Stores, n: u64, due_at: Timestamp) -> Transaction {
    let purchase = airtime().nth(n).priced("1.00").due_at(due_at);
    stores.has_opened(&purchase).await
}

fn key(tx: &Transaction) -> AttemptKey {
    let State::Sending(sending) = tx.state else {
        panic!("not being sent: {tx:?}");
    };
    AttemptKey {
        account: tx.account.clone(),
        number: tx.number,
        attempt: sending.attempt,
        version: tx.version,
    }
}

async fn may_send(stores: &Stores, attempt: &AttemptKey) -> bool {
    stores.leases.may_send(attempt).await.expect("may send")
}

/// What was recorded a moment ago is this process's to send, however often it asks.
pub async fn an_attempt_that_is_being_sent_may_be_sent(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    let tx = opened(stores, 1, TO_COME).await;
    for _ in 0..3 {
        assert!(may_send(stores, &key(&tx)).await);
    }
    assert_eq!(stores.reread(&tx).await, Some(tx));
}

/// Another worker recorded that it no longer waits for the attempt.
pub async fn an_attempt_that_was_taken_over_may_not_be_sent(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    let tx = opened(stores, 1, TO_COME).await;
    let step = advance_due(&tx, &takeover(&tx), Some(TO_COME));
    assert_eq!(stores.step(&step).await, CommitOutcome::Done);
    assert!(!may_send(stores, &key(&tx)).await);
}

/// A claim changes no version, and still takes the attempt away.
pub async fn an_attempt_that_was_claimed_may_not_be_sent(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    let tx = opened(stores, 1, at(10)).await;
    let long = Duration::from_hours(24 * 365 * 100);
    assert_eq!(stores.claim(at(20), long, 1).await.len(), 1);
    assert_eq!(
        stores.reread(&tx).await.map(|tx| tx.version),
        Some(tx.version)
    );
    assert!(!may_send(stores, &key(&tx)).await);
}

/// What any worker may claim now is no longer this one's, whatever the clock of this one shows.
pub async fn an_attempt_that_is_due_by_the_time_of_the_store_may_not_be_sent(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    let tx = opened(stores, 1, PAST).await;
    assert!(!may_send(stores, &key(&tx)).await);
}

/// What ended is not sent again.
pub async fn an_attempt_that_ended_may_not_be_sent(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    let tx = opened(stores, 1, TO_COME).await;
    let step = advance_due(&tx, &declined(&tx), None);
    assert_eq!(stores.step(&step).await, CommitOutcome::Done);
    assert!(!may_send(stores, &key(&tx)).await);
}

/// Only the attempt that is recorded, by the account that owns it.
pub async fn no_other_attempt_than_the_recorded_one_may_be_sent(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    stores.has_account("other", "100.00").await;
    let tx = opened(stores, 1, TO_COME).await;
    let recorded = key(&tx);
    let others = [
        AttemptKey {
            attempt: AttemptNumber::try_new(2).expect("there are two attempts"),
            ..recorded.clone()
        },
        AttemptKey {
            version: recorded.version + 1,
            ..recorded.clone()
        },
        AttemptKey {
            account: crate::builders::account_id("other"),
            ..recorded.clone()
        },
        AttemptKey {
            number: crate::builders::number(77),
            ..recorded.clone()
        },
    ];
    for other in others {
        assert!(!may_send(stores, &other).await, "{other:?}");
    }
    assert!(may_send(stores, &recorded).await);
}

/// Of any number of concurrent calls, each receives the answer for its own attempt.
pub async fn each_that_asks_at_one_moment_is_answered_for_itself(stores: &Stores) {
    stores.has_account("shop", "1,000.00").await;
    let mut asking = JoinSet::new();
    for n in 1..=200 {
        let mine = n % 3 != 0;
        let due_at = if mine { TO_COME } else { PAST };
        let attempt = key(&opened(stores, n, due_at).await);
        let leases = Arc::clone(&stores.leases);
        asking.spawn(async move { (mine, leases.may_send(&attempt).await.expect("may send")) });
    }
    for (mine, answer) in asking.join_all().await {
        assert_eq!(answer, mine);
    }
}
