//! Laws of batches: many payments of one request. All of them must be stored or none, and each is a
//! payment like any other.

use super::setup::Stores;
use crate::builders::{
    BatchBuilder, PurchaseBuilder, account_id, airtime, at, batch, declined, delivered, payout,
    reference,
};
use domain::account::AccountStatus;
use domain::batch::{Batch, BatchKind, BatchProgress, BatchStatus};
use domain::environment::Environment;
use domain::statement::Sort;
use domain::time::Timestamp;
use domain::transaction::{CancelCause, Observation, Transaction};
use ports::batches::PageOf;
use ports::ledger_store::CommitOutcome;
use ports::reconciliation::Clearance;
use std::time::Duration;
use tokio::task::JoinSet;

const FAR: Timestamp = Timestamp::from_millis(4_102_444_800_000);

const ALL: PageOf = PageOf {
    offset: 0,
    length: 1_000,
    sort: Sort::Ascending,
};

/// The `n`th payment, of one naira.
fn item(n: u64) -> PurchaseBuilder {
    payout().nth(n).priced("1.00").queued(at(0), FAR)
}

fn run(name: &str, items: std::ops::RangeInclusive<u64>) -> BatchBuilder {
    batch(name, items.map(item))
}

async fn opened(stores: &Stores, described: BatchBuilder) -> (Batch, Vec<Transaction>) {
    let opening = described.opening();
    let items = opening.items().iter().map(|it| it.transaction.clone());
    let (run_1, items) = (opening.batch().clone(), items.collect());
    let change = domain::change_set::ChangeSet::OpenBatch(Box::new(opening));
    assert_eq!(stores.commit(change).await, CommitOutcome::Done);
    (run_1, items)
}

async fn found(stores: &Stores, name: &str) -> Option<(Batch, BatchProgress)> {
    let account = account_id("shop");
    let found = stores.batches.batch(&account, &reference(name)).await;
    found.expect("find a batch")
}

async fn items(stores: &Stores, batch: &Batch, page: PageOf) -> Vec<Transaction> {
    let items = stores
        .batches
        .batch_items(&batch.account, batch.number, page);
    items.await.expect("read the payments of a batch")
}

async fn is_stopped(stores: &Stores, tx: &Transaction) -> bool {
    let asked = [(tx.account.clone(), tx.number)];
    let stopped = stores.batches.stopped(&asked).await;
    stopped.expect("look which batches stopped") == [0]
}

/// Each has a hold of its own, and its place in the queue.
pub async fn a_batch_is_stored_with_all_its_payments(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    let (run_1, payments) = opened(stores, run("run-1", 1..=3).keyed("key", 7)).await;
    let progress = BatchProgress {
        queued: 3,
        ..BatchProgress::default()
    };
    assert_eq!(
        found(stores, "run-1").await,
        Some((run_1.clone(), progress))
    );
    assert_eq!(items(stores, &run_1, ALL).await, payments);
    for tx in &payments {
        assert_eq!(stores.reread(tx).await.as_ref(), Some(tx));
    }
    assert_eq!(stores.balances("shop").await, (9_700, 300));
    let queued = stores.claim_queued(at(1), Duration::from_mins(1), 10).await;
    assert_eq!(queued.len(), 3);
    assert_eq!(found(stores, "run-2").await, None);
    stores.must_be_clean(at(1)).await;
}

/// What one payment lacks, all lack.
pub async fn a_batch_that_cannot_be_paid_for_whole_leaves_nothing(stores: &Stores) {
    stores.has_account("shop", "2.99").await;
    let refused = stores.commit(run("run-1", 1..=3).change()).await;
    assert_eq!(refused, CommitOutcome::InsufficientFunds);
    assert_eq!(found(stores, "run-1").await, None);
    assert_eq!(stores.balances("shop").await, (299, 0));
    assert_eq!(stores.reread(&item(1).transaction()).await, None);
    stores.must_be_clean(at(1)).await;
    opened(stores, run("run-1", 1..=2)).await;
    assert_eq!(stores.balances("shop").await, (99, 200));
}

/// The reference is the way back to it, for a batch as for a payment.
pub async fn a_reference_belongs_to_one_batch_or_one_payment(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    let bought = airtime().nth(9).priced("1.00");
    let paid = stores.has_opened(&bought).await;
    let taken = CommitOutcome::ReferenceTaken(Box::new(paid));
    assert_eq!(stores.commit(run("order-9", 1..=2).change()).await, taken);
    let with_it = batch("run-1", [item(1), item(9).number(2)]);
    assert_eq!(stores.commit(with_it.change()).await, taken);
    assert_eq!(stores.balances("shop").await, (9_900, 100));
    let (run_1, _) = opened(stores, run("run-1", 1..=2)).await;
    let taken = CommitOutcome::BatchTaken(Box::new(run_1));
    let again = run("run-1", 3..=4).number(2);
    assert_eq!(stores.commit(again.change()).await, taken);
    let payment = airtime().nth(20).reference("run-1").priced("1.00");
    assert_eq!(stores.open(&payment).await, taken);
    let within = batch("run-2", [item(5).reference("run-1")]).number(2);
    assert_eq!(stores.commit(within.change()).await, taken);
    stores.has_account("kiosk", "100.00").await;
    let other = run("run-1", 1..=2).by("kiosk");
    assert_eq!(stores.commit(other.change()).await, CommitOutcome::Done);
    stores.must_be_clean(at(1)).await;
}

/// As with a payment, whatever the reference.
pub async fn a_key_belongs_to_one_batch(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    let (run_1, _) = opened(stores, run("run-1", 1..=2).keyed("key", 7)).await;
    let taken = CommitOutcome::BatchTaken(Box::new(run_1));
    let again = run("run-2", 3..=4).number(2).keyed("key", 8);
    assert_eq!(stores.commit(again.change()).await, taken);
    let other = run("run-2", 3..=4).number(2).keyed("other", 8);
    assert_eq!(stores.commit(other.change()).await, CommitOutcome::Done);
    stores.must_be_clean(at(1)).await;
}

/// The guards of an opening hold for each.
pub async fn a_batch_is_refused_for_whatever_an_opening_is(stores: &Stores) {
    let any = || run("run-1", 1..=2);
    let unknown = stores.commit(any().change()).await;
    assert_eq!(unknown, CommitOutcome::AccountUnknown);
    stores.has_account("shop", "100.00").await;
    let first = stores.has_opened(&airtime().nth(2).priced("1.00")).await;
    let number = batch("run-1", [item(1), item(3).number(2)]);
    let drawn = stores.commit(number.change()).await;
    assert_eq!(drawn, CommitOutcome::NumberTaken);
    let live = batch("run-1", [item(1), item(3).sold_by("live-1")]);
    let live_one = [("live-1", Environment::Live)];
    assert_eq!(stores.register(&live_one).await, []);
    let environment = stores.commit(live.change()).await;
    assert_eq!(environment, CommitOutcome::OtherEnvironment);
    let suspended = AccountStatus::Suspended;
    let set = stores.accounts.set_status(&first.account, suspended).await;
    assert!(set.expect("suspend an account"));
    let refused = stores.commit(any().change()).await;
    assert_eq!(refused, CommitOutcome::AccountSuspended);
    let held = stores
        .reconciliation
        .suspend("a law", Clearance::Person)
        .await;
    held.expect("suspend payments");
    assert_eq!(
        stores.commit(any().change()).await,
        CommitOutcome::Suspended
    );
    assert_eq!(stores.balances("shop").await, (9_900, 100));
    assert_eq!(found(stores, "run-1").await, None);
}

/// From opening to the end of the last.
pub async fn how_far_a_batch_has_come_is_where_its_payments_stand(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    let (_, payments) = opened(stores, run("run-1", 1..=4)).await;
    let [first, second, third, fourth] = <[_; 4]>::try_from(payments).expect("four payments");
    let status = async || {
        let (_, progress) = found(stores, "run-1").await.expect("a batch");
        (progress.status(), progress)
    };
    assert_eq!(status().await.0, BatchStatus::Pending);
    let sent = stores.has_applied(&first, &Observation::Due, at(1)).await;
    assert_eq!(status().await.0, BatchStatus::Processing);
    let _ = stores.has_applied(&sent, &delivered(&sent), at(2)).await;
    let sent = stores.has_applied(&second, &Observation::Due, at(1)).await;
    let _ = stores.has_applied(&sent, &declined(&sent), at(2)).await;
    let cancelled = Observation::Cancellation(CancelCause::Requested);
    let _ = stores.has_applied(&third, &cancelled, at(3)).await;
    let progress = BatchProgress {
        queued: 1,
        successful: 1,
        failed: 1,
        cancelled: 1,
        ..BatchProgress::default()
    };
    assert_eq!(status().await, (BatchStatus::Processing, progress));
    let _ = stores.has_applied(&fourth, &cancelled, at(3)).await;
    assert_eq!(status().await.0, BatchStatus::Completed);
    assert_eq!(stores.balances("shop").await, (9_900, 0));
    stores.must_be_clean(at(4)).await;
}

/// Both in the order of the request and from its end.
pub async fn the_payments_of_a_batch_come_in_parts(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    // Neither their numbers nor their references are in the order of the request.
    let described = batch("run-1", [5, 2, 9, 1].map(item));
    let (run_1, payments) = opened(stores, described).await;
    let part = |offset, length, sort| PageOf {
        offset,
        length,
        sort,
    };
    let middle = items(stores, &run_1, part(1, 2, Sort::Ascending)).await;
    assert_eq!(middle, payments[1..3]);
    let last = items(stores, &run_1, part(0, 1, Sort::Descending)).await;
    assert_eq!(last, payments[3..]);
    assert_eq!(items(stores, &run_1, part(4, 9, Sort::Ascending)).await, []);
}

/// Oldest first or newest first, with how far each has come.
pub async fn the_batches_of_an_account_are_listed(stores: &Stores) {
    for account in ["shop", "kiosk"] {
        stores.has_account(account, "100.00").await;
    }
    let (first, _) = opened(stores, run("run-1", 1..=2)).await;
    let (second, _) = opened(stores, run("run-2", 3..=3).number(2)).await;
    opened(stores, run("run-3", 1..=1).by("kiosk")).await;
    let list = async |offset, length, sort| {
        let page = PageOf {
            offset,
            length,
            sort,
        };
        let account = account_id("shop");
        let kind = BatchKind::BankTransfers;
        let listed = stores.batches.batches(&account, kind, page).await;
        let listed = listed.expect("list batches");
        let counts = listed.batches.iter().map(|(batch, progress)| {
            assert_eq!(progress.queued, batch.count);
            batch.clone()
        });
        (counts.collect::<Vec<_>>(), listed.total)
    };
    let both = (vec![first.clone(), second.clone()], 2);
    assert_eq!(list(0, 10, Sort::Ascending).await, both);
    let newest = (vec![second.clone(), first], 2);
    assert_eq!(list(0, 10, Sort::Descending).await, newest);
    assert_eq!(list(1, 1, Sort::Ascending).await, (vec![second], 2));
    assert_eq!(list(2, 1, Sort::Ascending).await, (Vec::new(), 2));
}

/// Another's failure, and one of a batch that goes on, stop nothing.
pub async fn a_batch_that_is_to_stop_stops_with_its_first_failure(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    let (_, stopping) = opened(stores, run("run-1", 1..=3).stopping()).await;
    let (_, going_on) = opened(stores, run("run-2", 4..=5).number(2)).await;
    for tx in [&stopping[0], &going_on[0]] {
        let sent = stores.has_applied(tx, &Observation::Due, at(1)).await;
        assert!(!is_stopped(stores, tx).await, "{}", tx.reference);
        let _ = stores.has_applied(&sent, &declined(&sent), at(2)).await;
    }
    assert!(is_stopped(stores, &stopping[1]).await);
    assert!(!is_stopped(stores, &going_on[1]).await);
    let single = stores.has_opened(&airtime().nth(9).priced("1.00")).await;
    let asked = [&single, &stopping[2], &going_on[1], &stopping[1]];
    let asked = asked.map(|tx| (tx.account.clone(), tx.number));
    let stopped = stores.batches.stopped(&asked).await;
    assert_eq!(stopped.expect("look which batches stopped"), [1, 3]);
    // What its merchant cancels is no failure.
    let (_, cancelled) = opened(stores, run("run-3", 6..=7).number(3).stopping()).await;
    let requested = Observation::Cancellation(CancelCause::Requested);
    let _ = stores.has_applied(&cancelled[0], &requested, at(3)).await;
    assert!(!is_stopped(stores, &cancelled[1]).await);
}

/// Which of them wins is open; money and references are used once.
pub async fn batches_that_race_for_money_and_references_are_whole(stores: &Stores) {
    stores.has_account("shop", "5.00").await;
    let mut racing = JoinSet::new();
    for n in 1..=8_u64 {
        let stores = stores.clone();
        // Two of each name.
        let name = n.div_ceil(2);
        let described = run(&format!("run-{name}"), n * 10..=n * 10 + 1).number(n);
        racing.spawn(async move { stores.commit(described.change()).await });
    }
    let verdicts = racing.join_all().await;
    let done = verdicts.iter().filter(|it| **it == CommitOutcome::Done);
    assert_eq!(done.count(), 2, "{verdicts:?}");
    assert_eq!(stores.balances("shop").await, (100, 400));
    stores.must_be_clean(at(1)).await;
}
