//! Laws of limits and approvals. A day must never cost more than its limit, however many pay at the
//! same time, and what waits for an approval must not be sent before.

use super::setup::Stores;
use crate::builders::{
    account_id, account_user_id, advance, airtime, answer, at, reference, refusal, spending_limit,
};
use domain::change_set::ChangeSet;
use domain::credential::KeyId;
use domain::money::{Currency, Money};
use domain::opening::Opening;
use domain::order::Service;
use domain::provider::SubmitOutcome;
use domain::spending::{
    DailySpending, LIMIT_CHANGES_PER_DAY_MAX, LimitedServices, SpendingDay, SpendingTerms,
};
use domain::statement::Sort;
use domain::time::Timestamp;
use domain::transaction::{
    Approval, ApprovalDecision, ApprovalVerdict, CancelCause, KeyHolder, Observation, State,
    StateChange, Transaction,
};
use ports::batches::PageOf;
use ports::ledger_store::CommitOutcome;
use ports::spending_limits::{ApprovalPage, LimitChange, SealedLimit, StoredLimit};
use std::time::Duration;
use tokio::task::JoinSet;

const LEASE: Duration = Duration::from_mins(1);

const ALL: PageOf = PageOf {
    offset: 0,
    length: 100,
    sort: Sort::Ascending,
};

async fn set(stores: &Stores, limit: &SealedLimit) -> LimitChange {
    let set = stores
        .spending_limits
        .set_spending_limit(limit, &crate::builders::noted_change("shop"))
        .await;
    set.expect("set a limit")
}

async fn latest(stores: &Stores, account: &str) -> Vec<StoredLimit> {
    let known = stores.accounts.credentials(&account_id(account)).await;
    let known = known.expect("find an account");
    known.map(|known| known.limits).unwrap_or_default()
}

fn naira(minor: i64) -> Money {
    Money::from_minor(minor, Currency::Ngn)
}

/// The day that began at a second, with a limit in kobo.
fn day(second: u64, limit: i64) -> SpendingDay {
    SpendingDay {
        began_at: at(second),
        limit: Some(naira(limit)),
    }
}

/// The `n`th purchase for 1.00, accepted in a day.
fn opening(n: u64, day: SpendingDay) -> Opening {
    let mut opening = airtime().nth(n).priced("1.00").opening();
    opening.day = day;
    opening
}

async fn open(stores: &Stores, opening: Opening) -> CommitOutcome {
    let opened = stores.books.commit(ChangeSet::Open(Box::new(opening)));
    opened.await.expect("open a transaction")
}

async fn spending(stores: &Stores) -> DailySpending {
    stores.wallet("shop").await.spending
}

/// A limit reads back as it was set, and its latest version is the one that counts.
pub async fn a_limit_reads_back_and_its_latest_version_counts(stores: &Stores) {
    stores.has_account("shop", "100").await;
    stores.has_account("other", "100").await;
    assert_eq!(latest(stores, "shop").await, []);
    let first = spending_limit("shop", 1);
    assert_eq!(set(stores, &first).await, LimitChange::Done);
    assert_eq!(
        latest(stores, "shop").await,
        [StoredLimit::Sealed(first.clone())]
    );
    let mut second = spending_limit("shop", 2);
    second.limit.terms = SpendingTerms::default();
    assert_eq!(set(stores, &second).await, LimitChange::Done);
    let mut of_banks = spending_limit("shop", 1);
    of_banks.limit.services = LimitedServices::One(Service::Bank);
    of_banks.limit.made_by = KeyId(i64::MIN);
    of_banks.limit.terms.per_day = None;
    assert_eq!(set(stores, &of_banks).await, LimitChange::Done);
    let mut counting = latest(stores, "shop").await;
    counting.sort_by_key(|stored| format!("{stored:?}"));
    let mut expected = [&second, &of_banks].map(|it| StoredLimit::Sealed(it.clone()));
    expected.sort_by_key(|stored| format!("{stored:?}"));
    assert_eq!(counting, expected);
    assert_eq!(latest(stores, "other").await, []);
    let all = stores.spending_limits.spending_limit_versions().await;
    let all = all.expect("list the limits");
    assert_eq!(all.len(), 3);
    assert!(all.contains(&StoredLimit::Sealed(first)));
    stores.must_be_clean(at(60)).await;
}

/// A version follows the one before it, and of those that are set at once one is taken.
pub async fn a_limit_changes_from_the_version_that_was_seen(stores: &Stores) {
    stores.has_account("shop", "100").await;
    let conflict = |version| LimitChange::VersionConflict(version);
    assert_eq!(set(stores, &spending_limit("shop", 2)).await, conflict(0));
    assert_eq!(
        set(stores, &spending_limit("unknown", 1)).await,
        LimitChange::AccountUnknown
    );
    let mut under_way = JoinSet::new();
    for key in 1..=8 {
        let mut limit = spending_limit("shop", 1);
        limit.limit.made_by = KeyId(key);
        let limits = stores.spending_limits.clone();
        under_way.spawn(async move {
            limits
                .set_spending_limit(&limit, &crate::builders::noted_change("shop"))
                .await
        });
    }
    let mut done = 0;
    while let Some(set) = under_way.join_next().await {
        let set = set.expect("no panic").expect("set a limit");
        if set == LimitChange::Done {
            done += 1;
        } else {
            assert_eq!(set, conflict(1));
        }
    }
    assert_eq!(done, 1);
    assert_eq!(set(stores, &spending_limit("shop", 1)).await, conflict(1));
    assert_eq!(
        set(stores, &spending_limit("shop", 2)).await,
        LimitChange::Done
    );
}

/// Rows of limits are kept, so only so many are set within a day.
pub async fn limits_are_set_so_often_in_a_day(stores: &Stores) {
    stores.has_account("shop", "100").await;
    for version in 1..=LIMIT_CHANGES_PER_DAY_MAX {
        let set = set(stores, &spending_limit("shop", version)).await;
        assert_eq!(set, LimitChange::Done);
    }
    let mut next = spending_limit("shop", LIMIT_CHANGES_PER_DAY_MAX + 1);
    assert_eq!(set(stores, &next).await, LimitChange::TooManyToday);
    next.limit.created_at = at(2).plus(Duration::from_hours(24));
    assert_eq!(set(stores, &next).await, LimitChange::Done);
}

/// The last kobo of a day may be spent and not one more; what failed is given back, and the next
/// day begins anew.
pub async fn a_day_costs_no_more_than_its_limit(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    for n in [1, 2] {
        assert_eq!(
            open(stores, opening(n, day(0, 200))).await,
            CommitOutcome::Done
        );
    }
    let over = CommitOutcome::OverDailyLimit(naira(200));
    assert_eq!(open(stores, opening(3, day(0, 200))).await, over);
    assert_eq!(stores.balances("shop").await, (9_800, 200));
    assert_eq!(spending(stores).await.spent, naira(200));
    stores.must_be_clean(at(1)).await;
    let failed = opening(1, day(0, 200)).transaction;
    stores.has_applied(&failed, &refused(&failed), at(2)).await;
    assert_eq!(spending(stores).await.spent, naira(100));
    assert_eq!(
        open(stores, opening(3, day(0, 200))).await,
        CommitOutcome::Done
    );
    let second = opening(2, day(0, 200)).transaction;
    let mut tomorrow = airtime()
        .nth(4)
        .priced("1.00")
        .opened_at(at(90_000))
        .opening();
    tomorrow.day = day(86_400, 200);
    assert_eq!(open(stores, tomorrow).await, CommitOutcome::Done);
    let today = DailySpending {
        counted_from: Some(at(86_400)),
        spent: naira(100),
    };
    assert_eq!(spending(stores).await, today);
    stores.must_be_clean(at(90_001)).await;
    // What was spent in a day that is over frees nothing of this one.
    stores
        .has_applied(&second, &refused(&second), at(90_002))
        .await;
    assert_eq!(spending(stores).await, today);
    stores.must_be_clean(at(90_003)).await;
}

/// However many pay at the same time.
pub async fn payments_that_race_for_a_day_stay_within_its_limit(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    let mut under_way = JoinSet::new();
    for n in 1..=12 {
        let books = stores.books.clone();
        let opening = opening(n, day(0, 500));
        under_way.spawn(async move { books.commit(ChangeSet::Open(Box::new(opening))).await });
    }
    let mut done = 0;
    while let Some(opened) = under_way.join_next().await {
        let opened = opened.expect("no panic").expect("open a transaction");
        if opened == CommitOutcome::Done {
            done += 1;
        } else {
            assert_eq!(opened, CommitOutcome::OverDailyLimit(naira(500)));
        }
    }
    assert_eq!(done, 5);
    assert_eq!(spending(stores).await.spent, naira(500));
    stores.must_be_clean(at(1)).await;
}

/// What counts of a day without a limit counts once there is one.
pub async fn what_was_spent_before_a_limit_was_set_counts(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    let unlimited = SpendingDay {
        began_at: at(0),
        limit: None,
    };
    assert_eq!(
        open(stores, opening(1, unlimited)).await,
        CommitOutcome::Done
    );
    let over = CommitOutcome::OverDailyLimit(naira(150));
    assert_eq!(open(stores, opening(2, day(0, 150))).await, over);
}

fn asked_by() -> KeyHolder {
    KeyHolder {
        key: KeyId(1),
        user: None,
    }
}

/// The `n`th purchase, waiting for an approval until a second.
async fn waiting(stores: &Stores, n: u64, second: u64) -> Transaction {
    let queued = airtime().nth(n).priced("1.00").queued(at(0), at(second));
    let opening = queued.opening().awaiting(Approval::awaited(asked_by()));
    let transaction = opening.transaction.clone();
    assert_eq!(open(stores, opening).await, CommitOutcome::Done);
    transaction
}

fn decided(tx: &Transaction, verdict: ApprovalVerdict, second: u64) -> StateChange {
    let decision = ApprovalDecision {
        verdict,
        by: KeyHolder {
            key: KeyId(2),
            user: Some(account_user_id(7)),
        },
        at: at(second),
    };
    let mut step = advance(tx, &Observation::Decision(decision), at(second));
    if matches!(step.transaction.state, State::Queued(_)) {
        step.due_at = Some(at(second));
    }
    step
}

async fn awaiting(stores: &Stores, account: &str, page: PageOf) -> ApprovalPage {
    let account = account_id(account);
    let found = stores.spending_limits.awaiting_approval(&account, page);
    found.await.expect("list what waits")
}

async fn claimed(stores: &Stores, at: Timestamp) -> usize {
    stores.claim_queued(at, LEASE, 10).await.len()
}

/// It is paid for, is not claimed, and is sent once another user approves it.
pub async fn what_waits_for_an_approval_is_sent_once_it_is_approved(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    let tx = waiting(stores, 1, 600).await;
    assert_eq!(stores.reread(&tx).await.as_ref(), Some(&tx));
    assert_eq!(claimed(stores, at(599)).await, 0);
    assert_eq!(awaiting(stores, "shop", ALL).await.total, 1);
    stores.must_be_clean(at(1)).await;
    let step = decided(&tx, ApprovalVerdict::Approved, 20);
    assert_eq!(stores.step(&step).await, CommitOutcome::Done);
    let approved = step.transaction;
    assert_eq!(stores.reread(&tx).await.as_ref(), Some(&approved));
    assert_eq!(awaiting(stores, "shop", ALL).await.total, 0);
    assert_eq!(claimed(stores, at(19)).await, 0);
    let due = stores.claim_queued(at(20), LEASE, 10).await;
    assert_eq!(due, std::slice::from_ref(&approved));
    stores.must_be_clean(at(21)).await;
    let refused = decided(&tx, ApprovalVerdict::Refused, 22);
    let conflict = CommitOutcome::VersionConflict(Box::new(approved));
    assert_eq!(stores.step(&refused).await, conflict);
}

/// Refused or never decided, the price comes back.
pub async fn what_is_not_approved_gives_its_price_back(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    let refused = waiting(stores, 1, 600).await;
    let late = waiting(stores, 2, 600).await;
    let step = decided(&refused, ApprovalVerdict::Refused, 20);
    assert_eq!(stores.step(&step).await, CommitOutcome::Done);
    let after = stores.reread(&refused).await.expect("it is there");
    assert!(matches!(after.state, State::Cancelled(it) if it.cause == CancelCause::NotApproved));
    assert_eq!(claimed(stores, at(600)).await, 1);
    let expired = stores.has_applied(&late, &Observation::Due, at(600)).await;
    assert!(matches!(expired.state, State::Cancelled(it) if it.cause == CancelCause::Expired));
    assert_eq!(stores.balances("shop").await, (10_000, 0));
    assert_eq!(awaiting(stores, "shop", ALL).await.total, 0);
    stores.must_be_clean(at(601)).await;
}

/// What waits is listed by when it was accepted, and to its account alone.
pub async fn what_waits_for_an_approval_comes_in_parts(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    stores.has_account("other", "100.00").await;
    for n in 1..=3 {
        waiting(stores, n, 600).await;
    }
    let plain = airtime().nth(4).priced("1.00").queued(at(0), at(600));
    stores.has_opened(&plain).await;
    let references = |page: ApprovalPage| {
        let payments = page.payments.into_iter();
        payments.map(|it| it.reference).collect::<Vec<_>>()
    };
    let all = references(awaiting(stores, "shop", ALL).await);
    assert_eq!(all, ["order-1", "order-2", "order-3"].map(reference));
    let part = PageOf {
        offset: 1,
        length: 1,
        sort: Sort::Descending,
    };
    let part = awaiting(stores, "shop", part).await;
    assert_eq!(part.total, 3);
    assert_eq!(references(part), [reference("order-2")]);
    assert_eq!(awaiting(stores, "other", ALL).await.total, 0);
}

/// The provider refuses the first attempt.
fn refused(tx: &Transaction) -> Observation {
    answer(tx, SubmitOutcome::Declined(refusal()))
}
