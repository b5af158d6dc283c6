//! Laws of freezes. Once a freeze is answered nothing more may be opened that it stops, nor leave
//! the queue, and what is under way must be concluded.

use super::setup::Stores;
use crate::builders::{
    access_key, account_id, advance, airtime, at, delivered, freeze, operator_freeze, payout,
};
use domain::account::AccountStatus;
use domain::change_set::ChangeSet;
use domain::credential::KeyId;
use domain::family::Service;
use domain::freeze::{
    FreezeAuthority, FreezeBreach, FreezeMaker, FreezeState, FreezeTarget, UNFREEZES_PER_DAY_MAX,
};
use domain::transaction::{CancelCause, Observation, StateChange, Transaction};
use ports::freezes::{FreezeChange, SealedFreeze, StoredFreeze};
use ports::ledger_store::CommitOutcome;
use std::time::Duration;
use tokio::task::JoinSet;

const OF_ACCOUNT: CommitOutcome =
    CommitOutcome::Frozen(FreezeBreach::Account(FreezeAuthority::Merchant));
const OF_AIRTIME: CommitOutcome = CommitOutcome::Frozen(FreezeBreach::Service(
    Service::Airtime,
    FreezeAuthority::Merchant,
));
const AIRTIME: FreezeTarget = FreezeTarget::Service(Service::Airtime);

pub(super) async fn set(stores: &Stores, freeze: &SealedFreeze) -> FreezeChange {
    let set = stores
        .freezes
        .set_freeze(freeze, &crate::builders::noted_change("shop"))
        .await;
    set.expect("set a freeze")
}

/// Sets a version, which follows the one before it.
async fn has_set(stores: &Stores, target: FreezeTarget, version: u32) {
    let set = set(stores, &freeze("shop", target, version)).await;
    assert_eq!(set, FreezeChange::Done);
}

async fn latest(stores: &Stores, account: &str) -> Vec<StoredFreeze> {
    let known = stores.accounts.credentials(&account_id(account)).await;
    let known = known.expect("find an account");
    known.map(|known| known.freezes).unwrap_or_default()
}

/// Makes a key of the shop.
async fn has_key(stores: &Stores) -> KeyId {
    let key = access_key("shop", 7, "till");
    let noted = crate::builders::noted_change("shop");
    let made = stores.access_keys.make_access_key(&key, &noted).await;
    made.expect("make a key");
    key.key.id
}

/// The step that records the first attempt of what is queued.
fn sent(tx: &Transaction, second: u64) -> StateChange {
    StateChange {
        due_at: Some(at(second + 60)),
        ..advance(tx, &Observation::Due, at(second))
    }
}

async fn queued(stores: &Stores, n: u64) -> Transaction {
    let purchase = airtime().nth(n).priced("1.00");
    stores.has_opened(&purchase.queued(at(10), at(9_000))).await
}

/// A freeze reads back as it was set, and its latest version is the one that counts; those of keys
/// that work no longer are left out.
pub async fn a_freeze_reads_back_and_its_latest_version_counts(stores: &Stores) {
    stores.has_account("shop", "100").await;
    stores.has_account("other", "100").await;
    assert_eq!(latest(stores, "shop").await, []);
    let key = has_key(stores).await;
    let gone = FreezeTarget::Key(KeyId(i64::MIN));
    for target in [FreezeTarget::Account, FreezeTarget::Key(key), gone] {
        has_set(stores, target, 1).await;
    }
    has_set(stores, AIRTIME, 1).await;
    has_set(stores, AIRTIME, 2).await;
    let expected = [
        freeze("shop", FreezeTarget::Account, 1),
        freeze("shop", AIRTIME, 2),
        freeze("shop", FreezeTarget::Key(key), 1),
    ];
    let mut expected = expected.map(StoredFreeze::Sealed);
    let mut counting = latest(stores, "shop").await;
    expected.sort_by_key(|stored| format!("{stored:?}"));
    counting.sort_by_key(|stored| format!("{stored:?}"));
    assert_eq!(counting, expected);
    assert_eq!(latest(stores, "other").await, []);
    let all = stores.freezes.audited_freezes().await;
    let all = all.expect("list the freezes");
    assert_eq!(all.versions.len(), 5);
    for (account, kept) in &all.wallets {
        let breach = kept.breach_of_account();
        let is_shop = *account == account_id("shop");
        assert_eq!(breach.is_some(), is_shop, "{account}");
    }
    stores.must_be_clean(at(60)).await;
}

/// A version follows the one before it, and of those that are set at once one is taken.
pub async fn a_freeze_changes_from_the_version_before_it(stores: &Stores) {
    stores.has_account("shop", "100").await;
    let account = FreezeTarget::Account;
    let conflict = |version| FreezeChange::VersionConflict(version);
    let second = freeze("shop", account, 2);
    assert_eq!(set(stores, &second).await, conflict(0));
    let unknown = set(stores, &freeze("unknown", account, 1)).await;
    assert_eq!(unknown, FreezeChange::AccountUnknown);
    let mut under_way = JoinSet::new();
    for key in 1..=8 {
        let mut first = freeze("shop", account, 1);
        first.freeze.made_by = FreezeMaker::Key(KeyId(key));
        let freezes = stores.freezes.clone();
        under_way.spawn(async move {
            freezes
                .set_freeze(&first, &crate::builders::noted_change("shop"))
                .await
        });
    }
    let mut done = 0;
    while let Some(set) = under_way.join_next().await {
        let set = set.expect("no panic").expect("set a freeze");
        if set == FreezeChange::Done {
            done += 1;
        } else {
            assert_eq!(set, conflict(1));
        }
    }
    assert_eq!(done, 1);
    assert_eq!(set(stores, &second).await, FreezeChange::Done);
}

/// Rows of freezes are kept, so only so many are lifted within a day; freezing is never refused.
pub async fn freezes_are_lifted_so_often_in_a_day(stores: &Stores) {
    stores.has_account("shop", "100").await;
    for version in 1..=2 * UNFREEZES_PER_DAY_MAX + 1 {
        has_set(stores, FreezeTarget::Account, version).await;
    }
    // An operator lifts more, and takes none of them.
    for version in 1..=4 {
        let by_operator = operator_freeze("shop", AIRTIME, version);
        assert_eq!(set(stores, &by_operator).await, FreezeChange::Done);
    }
    has_set(stores, AIRTIME, 1).await;
    let mut next = freeze("shop", AIRTIME, 2);
    next.freeze.created_at = at(u64::from(2 * UNFREEZES_PER_DAY_MAX));
    assert_eq!(set(stores, &next).await, FreezeChange::TooManyToday);
    next.freeze.created_at = at(2).plus(Duration::from_hours(24));
    assert_eq!(set(stores, &next).await, FreezeChange::Done);
}

/// A frozen account opens nothing and a frozen service nothing of it, until they are let go on.
/// What is under way is concluded.
pub async fn what_is_frozen_opens_nothing(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    let begun = airtime().nth(1).priced("1.00");
    let tx = stores.has_opened(&begun).await;
    has_set(stores, FreezeTarget::Account, 1).await;
    let next = airtime().nth(2).priced("1.00");
    let bank = payout().nth(3).priced("1.00");
    assert_eq!(stores.open(&next).await, OF_ACCOUNT);
    assert_eq!(stores.open(&bank).await, OF_ACCOUNT);
    stores.has_applied(&tx, &delivered(&tx), at(2)).await;
    assert_eq!(stores.balances("shop").await, (9_900, 0));
    has_set(stores, AIRTIME, 1).await;
    has_set(stores, FreezeTarget::Account, 2).await;
    assert_eq!(stores.open(&next).await, OF_AIRTIME);
    assert_eq!(stores.open(&bank).await, CommitOutcome::Done);
    has_set(stores, AIRTIME, 2).await;
    assert_eq!(stores.open(&next).await, CommitOutcome::Done);
    stores.must_be_clean(at(3)).await;
}

/// What it has queued stays where it is, and may be cancelled.
pub async fn what_is_frozen_leaves_the_queue_only_cancelled(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    let (tx, other) = (queued(stores, 1).await, queued(stores, 2).await);
    for (target, refused) in [(FreezeTarget::Account, OF_ACCOUNT), (AIRTIME, OF_AIRTIME)] {
        has_set(stores, target, 1).await;
        assert_eq!(stores.step(&sent(&tx, 20)).await, refused);
        assert_eq!(stores.reread(&tx).await.as_ref(), Some(&tx));
        if target == AIRTIME {
            let cancelled = Observation::Cancellation(CancelCause::Requested);
            stores.has_applied(&other, &cancelled, at(20)).await;
        }
        has_set(stores, target, 2).await;
    }
    assert_eq!(stores.step(&sent(&tx, 20)).await, CommitOutcome::Done);
    stores.must_be_clean(at(21)).await;
}

/// A frozen account is paid and topped up as before, and a suspended one stays suspended.
pub async fn a_freeze_is_no_suspension(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    has_set(stores, FreezeTarget::Account, 1).await;
    let paid_in = crate::builders::funding("shop", "slip-2", "5.00");
    let funded = stores.books.commit(ChangeSet::Fund(paid_in)).await;
    assert_eq!(funded.expect("pay in"), CommitOutcome::Done);
    let shop = account_id("shop");
    let set = stores.accounts.set_status(&shop, AccountStatus::Suspended);
    assert!(set.await.expect("suspend an account"));
    let next = airtime().nth(1).priced("1.00");
    let suspended = CommitOutcome::AccountSuspended;
    assert_eq!(stores.open(&next).await, suspended);
    has_set(stores, FreezeTarget::Account, 2).await;
    assert_eq!(stores.open(&next).await, suspended);
}

/// Once a freeze is answered nothing more is opened, however many pay at the same time.
pub async fn payments_that_race_a_freeze_are_opened_before_it_or_not_at_all(stores: &Stores) {
    stores.has_account("shop", "1,000.00").await;
    let mut under_way = JoinSet::new();
    for n in 1..=48 {
        let (books, change) = (
            stores.books.clone(),
            airtime().nth(n).priced("1.00").change(),
        );
        under_way.spawn(async move { books.commit(change).await.expect("open a transaction") });
    }
    tokio::task::yield_now().await;
    has_set(stores, FreezeTarget::Account, 1).await;
    let (_, held) = stores.balances("shop").await;
    let outcomes = under_way.join_all().await;
    let opened = outcomes.iter().filter(|it| **it == CommitOutcome::Done);
    assert_eq!(held, 100 * i64::try_from(opened.count()).expect("a few"));
    let known = |outcome: &CommitOutcome| [CommitOutcome::Done, OF_ACCOUNT].contains(outcome);
    assert!(outcomes.iter().all(known), "{outcomes:?}");
    assert_eq!(stores.balances("shop").await.1, held);
    stores.must_be_clean(at(3)).await;
}

/// The merchant and an operator have versions of their own of each freeze: what one of them lifts
/// stays frozen by the other, whether it is the account, a service or a key.
pub async fn an_operators_freeze_is_another_than_the_merchants(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    let key = has_key(stores).await;
    let queued = queued(stores, 1).await;
    let of_key = FreezeTarget::Key(key);
    for target in [FreezeTarget::Account, AIRTIME, of_key] {
        has_set(stores, target, 1).await;
        let by_operator = operator_freeze("shop", target, 1);
        assert_eq!(set(stores, &by_operator).await, FreezeChange::Done);
        has_set(stores, target, 2).await;
        let second = set(stores, &by_operator).await;
        assert_eq!(second, FreezeChange::VersionConflict(1));
        let counting = latest(stores, "shop").await;
        let both = [freeze("shop", target, 2), by_operator];
        for version in both.map(StoredFreeze::Sealed) {
            assert!(counting.contains(&version), "{version:?} in {counting:?}");
        }
    }
    let next = airtime().nth(2).priced("1.00");
    let of_account = FreezeBreach::Account(FreezeAuthority::Operator);
    let of_service = FreezeBreach::Service(Service::Airtime, FreezeAuthority::Operator);
    for (target, breach) in [(FreezeTarget::Account, of_account), (AIRTIME, of_service)] {
        let refused = CommitOutcome::Frozen(breach);
        assert_eq!(stores.open(&next).await, refused);
        assert_eq!(stores.step(&sent(&queued, 20)).await, refused);
        let lifted = operator_freeze("shop", target, 2);
        assert_eq!(set(stores, &lifted).await, FreezeChange::Done);
    }
    assert_eq!(stores.open(&next).await, CommitOutcome::Done);
    stores.must_be_clean(at(60)).await;
}

/// What is stored with wallets is what the latest versions say.
pub async fn wallets_are_kept_for_what_was_set(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    for target in FreezeTarget::without_keys() {
        has_set(stores, target, 1).await;
    }
    has_set(stores, FreezeTarget::Account, 2).await;
    let all = stores.freezes.audited_freezes().await;
    let all = all.expect("list the freezes");
    assert!(!all.wallets.is_empty());
    for (_, kept) in all.wallets {
        assert_eq!(kept.breach_of_account(), None);
        for service in Service::all() {
            let breach = FreezeBreach::Service(service, FreezeAuthority::Merchant);
            assert_eq!(kept.breach(service), Some(breach));
        }
    }
    let latest = latest(stores, "shop").await;
    let frozen = latest.iter().filter(|stored| match stored {
        StoredFreeze::Sealed(sealed) => sealed.freeze.state == FreezeState::Frozen,
        StoredFreeze::Unreadable { .. } => false,
    });
    assert_eq!(frozen.count(), Service::all().count());
}
