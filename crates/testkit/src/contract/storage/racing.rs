//! Laws of many at once. They must hold however the store orders or groups what comes together.

use super::setup::{Stores, whole};
use crate::builders::{
    PurchaseBuilder, account, advance, airtime, at, declined, delivered, funding,
};
use domain::change_set::ChangeSet;
use ports::accounts::Created;
use ports::ledger_store::CommitOutcome;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Barrier;
use tokio::task::JoinSet;

/// Commits changes by as many tasks, all let go at one moment; verdicts come in no order.
async fn at_once(stores: &Stores, changes: Vec<ChangeSet>) -> Vec<CommitOutcome> {
    let start = Arc::new(Barrier::new(changes.len()));
    let mut tasks = JoinSet::new();
    for change in changes {
        let (books, start) = (stores.books.clone(), start.clone());
        tasks.spawn(async move {
            start.wait().await;
            books.commit(change).await.expect("commit")
        });
    }
    tasks.join_all().await
}

fn count(verdicts: &[CommitOutcome], wanted: impl Fn(&CommitOutcome) -> bool) -> usize {
    verdicts.iter().filter(|verdict| wanted(verdict)).count()
}

fn changes(count: u64, purchase: impl Fn(u64) -> PurchaseBuilder) -> Vec<ChangeSet> {
    (1..=count).map(|n| purchase(n).change()).collect()
}

/// 64 tasks spend a balance that is enough for 21 of them: 21 succeed and nothing is left over.
pub async fn the_last_kobo_is_spent_once(stores: &Stores) {
    stores.has_account("shop", "210.06").await;
    let opened = changes(64, |n| airtime().nth(n).priced("10.00"));
    let verdicts = at_once(stores, opened).await;
    assert_eq!(count(&verdicts, |it| *it == CommitOutcome::Done), 21);
    assert_eq!(
        count(&verdicts, |it| *it == CommitOutcome::InsufficientFunds),
        43
    );
    assert_eq!(stores.balances("shop").await, (6, 21_000));
    assert_eq!(stores.statement("shop", &whole()).await.total, 22);
    stores.must_be_clean(at(1)).await;
}

/// 64 orders under one reference: one is executed, the others are answered that one.
pub async fn one_reference_opens_one_transaction(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    let opened = changes(64, |n| airtime().priced("10.00").number(n));
    let verdicts = at_once(stores, opened).await;
    let winner = stores
        .read("shop", "order-1")
        .await
        .expect("one was opened");
    let taken = CommitOutcome::ReferenceTaken(Box::new(winner));
    assert_eq!(count(&verdicts, |it| *it == CommitOutcome::Done), 1);
    assert_eq!(count(&verdicts, |it| *it == taken), 63);
    assert_eq!(stores.balances("shop").await, (999_000, 1_000));
    stores.must_be_clean(at(1)).await;
}

/// 64 retries under one key, each with its own reference: one is executed.
pub async fn one_key_opens_one_transaction(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    let opened = changes(64, |n| airtime().priced("10.00").nth(n).keyed("k", 1));
    let verdicts = at_once(stores, opened).await;
    let same =
        |it: &CommitOutcome| matches!(it, CommitOutcome::KeyTaken(tx) if tx.idempotency.is_some());
    assert_eq!(count(&verdicts, |it| *it == CommitOutcome::Done), 1);
    assert_eq!(count(&verdicts, same), 63);
    assert_eq!(stores.balances("shop").await, (999_000, 1_000));
    stores.must_be_clean(at(1)).await;
}

/// 16 steps on one version, some delivered and some declined: one is stored, and the others
/// receive the stored transaction.
pub async fn one_version_is_advanced_once(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    let tx = stores.has_opened(&airtime()).await;
    let step = |n: u64| {
        let observation = if n.is_multiple_of(2) {
            delivered(&tx)
        } else {
            declined(&tx)
        };
        ChangeSet::Advance(Box::new(advance(&tx, &observation, at(n))))
    };
    let verdicts = at_once(stores, (1..=16).map(step).collect()).await;
    let winner = stores.reread(&tx).await.expect("it is stored");
    let conflict = CommitOutcome::VersionConflict(Box::new(winner.clone()));
    assert_eq!(count(&verdicts, |it| *it == CommitOutcome::Done), 1);
    assert_eq!(count(&verdicts, |it| *it == conflict), 15);
    assert_eq!(winner.version, 2);
    assert_eq!(stores.events(&tx).await.len(), 2);
    stores.must_be_clean(at(20)).await;
}

/// 16 credits under one reference: the money comes in once.
pub async fn one_credit_is_made_of_many(stores: &Stores) {
    stores.has_account("shop", "1.00").await;
    let credit = || ChangeSet::Fund(funding("shop", "slip-1", "5.00"));
    let credits = std::iter::repeat_with(credit).take(16).collect();
    let verdicts = at_once(stores, credits).await;
    assert_eq!(count(&verdicts, |it| *it == CommitOutcome::Done), 1);
    assert_eq!(
        count(&verdicts, |it| matches!(it, CommitOutcome::FundingTaken(_))),
        15
    );
    assert_eq!(stores.balances("shop").await, (600, 0));
}

/// 16 accounts of one identity: one is opened, and paid into once.
pub async fn one_account_is_made_of_many(stores: &Stores) {
    let mut tasks = JoinSet::new();
    for _ in 0..16 {
        let accounts = stores.accounts.clone();
        let new = account("shop").with_balance("5.00").new_account();
        tasks.spawn(async move { accounts.create(&new).await.expect("create") });
    }
    let verdicts = tasks.join_all().await;
    let done = verdicts.iter().filter(|it| **it == Created::Done).count();
    assert_eq!((done, verdicts.len()), (1, 16));
    assert_eq!(stores.balances("shop").await, (500, 0));
}

/// 8 workers claim 40 due transactions: each transaction goes to one of them.
pub async fn claimers_never_share_a_transaction(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    for n in 1..=40 {
        stores
            .has_opened(&airtime().nth(n).priced("1.00").due_at(at(n)))
            .await;
    }
    let start = Arc::new(Barrier::new(8));
    let mut tasks = JoinSet::new();
    for _ in 0..8 {
        let (stores, start) = (stores.clone(), start.clone());
        tasks.spawn(async move {
            start.wait().await;
            let mut mine = Vec::new();
            loop {
                let claimed = stores.claim(at(60), Duration::from_mins(1), 3).await;
                if claimed.is_empty() {
                    return mine;
                }
                mine.extend(claimed.into_iter().map(|tx| tx.number));
                assert!(mine.len() <= 40, "what was claimed is claimed again");
            }
        });
    }
    let claimed: Vec<_> = tasks.join_all().await.into_iter().flatten().collect();
    assert_eq!(claimed.len(), 40);
    assert_eq!(claimed.iter().collect::<BTreeSet<_>>().len(), 40);
}
