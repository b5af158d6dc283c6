//! Laws of how accounts share the queue. However much one of them has there, what others have must
//! not wait until all of it was sent.

use super::setup::Stores;
use crate::builders::{account_id, airtime, at, batch, payout};
use domain::account::AccountId;
use domain::time::Timestamp;
use ports::ledger_store::CommitOutcome;
use ports::transactions::Claim;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Barrier;
use tokio::task::JoinSet;

const LEASE: Duration = Duration::from_mins(1);

/// A moment that no law comes to.
const FAR: Timestamp = Timestamp::from_millis(4_102_444_800_000);

/// Opens a batch of an account, due from a second on.
async fn batched(stores: &Stores, account: &str, (nth, second): (RangeInclusive<u64>, u64)) {
    let items = nth.map(|n| payout().nth(n).priced("1.00").queued(at(second), FAR));
    let opened = stores.commit(batch("run", items).by(account).change());
    assert_eq!(opened.await, CommitOutcome::Done);
}

/// The numbers of what is claimed, in its order.
async fn claimed(stores: &Stores, second: u64, limit: u32) -> Vec<u64> {
    let claimed = stores.claim_queued(at(second), LEASE, limit).await;
    claimed.iter().map(|tx| tx.number.get()).collect()
}

/// A thousand of one account became due before three of another.
pub async fn accounts_take_turns_in_the_queue(stores: &Stores) {
    stores.has_account("shop", "1,000.00").await;
    stores.has_account("other", "3.00").await;
    batched(stores, "shop", (1..=1_000, 10)).await;
    batched(stores, "other", (2_001..=2_003, 11)).await;
    assert_eq!(claimed(stores, 12, 4).await, [1, 2_001, 2, 2_002]);
    let mut expected: Vec<u64> = (3..=257).collect();
    expected.insert(1, 2_003);
    assert_eq!(claimed(stores, 12, 256).await, expected);
    stores.must_be_clean(at(13)).await;
}

/// No place is kept free for accounts that have nothing there.
pub async fn an_account_alone_has_the_whole_claim_of_the_queue(stores: &Stores) {
    stores.has_account("shop", "300.00").await;
    stores.has_account("other", "1.00").await;
    batched(stores, "shop", (1..=300, 10)).await;
    batched(stores, "other", (2_001..=2_001, 20)).await;
    let first: Vec<u64> = (1..=256).collect();
    assert_eq!(claimed(stores, 12, 256).await, first);
    let rest: Vec<u64> = (257..=300).collect();
    assert_eq!(claimed(stores, 12, 256).await, rest);
}

/// Whatever order it was opened in, and whatever others have in the queue.
pub async fn what_an_account_has_queued_is_claimed_in_the_order_it_is_due_in(stores: &Stores) {
    stores.has_account("shop", "10.00").await;
    stores.has_account("other", "10.00").await;
    for (account, n, second) in [
        ("shop", 1, 50),
        ("shop", 2, 20),
        ("other", 11, 45),
        ("shop", 3, 40),
        ("other", 12, 25),
        ("shop", 4, 30),
    ] {
        let purchase = airtime().by(account).nth(n).priced("1.00");
        stores.has_opened(&purchase.queued(at(second), FAR)).await;
    }
    assert_eq!(claimed(stores, 60, 3).await, [2, 12, 4]);
    assert_eq!(claimed(stores, 60, 10).await, [3, 11, 1]);
}

/// It has as much waiting as it may, and is not in the way of others that became due later.
pub async fn an_account_that_is_passed_over_leaves_its_turn_in_the_queue_to_others(
    stores: &Stores,
) {
    stores.has_account("shop", "30.00").await;
    stores.has_account("other", "2.00").await;
    batched(stores, "shop", (1..=30, 10)).await;
    batched(stores, "other", (2_001..=2_002, 11)).await;
    let claim = Claim {
        now: at(12),
        lease: LEASE,
        limit: 5,
    };
    let [shop, other, third] = ["shop", "other", "third"].map(account_id);
    let claimed_except = async |except: &[AccountId]| {
        let claimed = stores.leases.claim_queued(claim, except).await;
        let claimed = claimed.expect("claim of the queue").into_iter();
        let numbers = claimed.map(|it| it.transaction.number.get());
        numbers.collect::<Vec<_>>()
    };
    assert_eq!(claimed_except(&[shop.clone(), other]).await, []);
    assert_eq!(claimed_except(&[shop]).await, [2_001, 2_002]);
    assert_eq!(claimed_except(&[third]).await, [1, 2, 3, 4, 5]);
}

/// Nor is any left to none of them.
pub async fn claimers_of_the_queue_never_share_a_place(stores: &Stores) {
    stores.has_account("shop", "30.00").await;
    stores.has_account("other", "10.00").await;
    batched(stores, "shop", (1..=30, 10)).await;
    batched(stores, "other", (2_001..=2_010, 11)).await;
    let start = Arc::new(Barrier::new(8));
    let mut tasks = JoinSet::new();
    for _ in 0..8 {
        let (stores, start) = (stores.clone(), start.clone());
        tasks.spawn(async move {
            start.wait().await;
            let mut mine = Vec::new();
            loop {
                let more = claimed(&stores, 12, 3).await;
                if more.is_empty() {
                    return mine;
                }
                mine.extend(more);
                assert!(mine.len() <= 40, "what was claimed is claimed again");
            }
        });
    }
    let mut all: Vec<u64> = tasks.join_all().await.into_iter().flatten().collect();
    // Where others took all that one had chosen, it may have been given nothing.
    all.extend(claimed(stores, 12, 40).await);
    assert_eq!(all.len(), 40);
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 40);
}
