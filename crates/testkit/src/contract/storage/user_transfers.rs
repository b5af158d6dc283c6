//! Laws of transfers between accounts: what leaves one arrives at another in the same commit, and
//! what waits for an account arrives once, or comes back.

use super::setup::{Stores, nothing_was_stored, whole};
use crate::builders::{
    account, account_id, advance, apply, at, contact, kobo, naira, unclaimed_transfer,
    user_transfer, vouched,
};
use domain::account::{AccountContact, AccountStatus};
use domain::change_set::{Origin, StateChange};
use domain::event::EventKind;
use domain::ledger::TransferKind;
use domain::statement::Direction;
use domain::time::Timestamp;
use domain::transaction::{CancelCause, Observation, Status, Transaction};
use domain::user::Payee;
use ports::accounts::{ContactChange, Created};
use ports::ledger_store::CommitOutcome;
use ports::reconciliation::{AcknowledgeOutcome, Clearance};
use ports::transactions::{Claim, ClaimedPlace};
use std::time::Duration;
use tokio::task::JoinSet;

const LEASE: Duration = Duration::from_mins(1);

/// When what was not claimed comes back.
const UNTIL: Timestamp = Timestamp::from_millis(4_102_444_800_000);

/// The address that [`unclaimed_transfer`] is for.
const ADDRESS: &str = "owner@kiosk.example";

async fn is_reached(stores: &Stores, id: &str, contact: &AccountContact) {
    let (id, none) = (account_id(id), AccountContact::default());
    let set = stores.accounts.set_contact(&id, &none, contact);
    assert_eq!(set.await.expect("set a contact"), ContactChange::Done);
}

/// Which transfers can be paid now, and to whom.
async fn claimable(stores: &Stores) -> Vec<(Transaction, String)> {
    let found = stores.leases.claimable(10).await;
    let found = found.expect("find what can be claimed").into_iter();
    found
        .map(|it| (it.transaction, it.payee.account.to_string()))
        .collect()
}

async fn unclaimed(stores: &Stores, id: &str) -> u64 {
    let count = stores.leases.unclaimed(&account_id(id)).await;
    count.expect("count what waits")
}

fn payee(id: &str) -> Payee {
    let account = account(id).build();
    Payee {
        account: account.id,
        name: account.name,
    }
}

/// The step that pays it to an account.
fn claim(tx: &Transaction, id: &str) -> StateChange {
    advance(tx, &Observation::Claimed(payee(id)), at(20))
}

/// One commit takes the price from one account and credits another, and nothing is left to do.
pub async fn a_transfer_to_an_account_is_over_as_it_is_stored(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    stores.has_account("kiosk", "1.00").await;
    let tx = stores.has_opened(&user_transfer().keyed("k", 1)).await;
    assert_eq!((tx.status(), tx.attempt()), (Status::Successful, None));
    assert_eq!(stores.balances("shop").await, (900_000, 0));
    assert_eq!(stores.balances("kiosk").await, (100_100, 0));
    assert_eq!(stores.reread(&tx).await, Some(tx.clone()));
    let kinds: Vec<_> = stores
        .transfers(&tx)
        .await
        .iter()
        .map(|it| it.kind)
        .collect();
    assert_eq!(kinds, [TransferKind::Hold, TransferKind::TransferOut]);
    let happened: Vec<_> = stores.events(&tx).await.iter().map(|it| it.kind).collect();
    assert_eq!(happened, [EventKind::Opened, EventKind::Successful]);
    let later = at(60 * 60 * 24 * 365);
    assert_eq!(stores.claim(later, LEASE, 10).await, []);
    assert_eq!(stores.claim_queued(later, LEASE, 10).await, []);
    stores.must_be_clean(at(1)).await;
}

/// The payee sees who paid and what for, and neither reference nor number of the payer.
pub async fn a_transfer_to_an_account_is_on_both_statements(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    stores.has_account("kiosk", "1.00").await;
    let tx = stores.has_opened(&user_transfer()).await;
    let page = stores.statement("shop", &whole()).await;
    let paid = page.entries.last().expect("an entry");
    assert_eq!(paid.narration, "Transfer to kiosk");
    assert_eq!(
        (paid.direction, paid.after),
        (Direction::Debit, naira("9,000.00"))
    );
    let own = Some((tx.number, tx.reference.clone()));
    assert_eq!(paid.transaction, own);
    let page = stores.statement("kiosk", &whole()).await;
    let got = page.entries.last().expect("an entry");
    assert_eq!(got.narration, "Transfer from Shop: Rent of June");
    assert_eq!(
        (got.direction, got.amount),
        (Direction::Credit, naira("1,000.00"))
    );
    assert_eq!((got.before, got.after), (naira("1.00"), naira("1,001.00")));
    assert_eq!(got.transaction, None);
}

/// What cannot be paid for, or has no account to arrive at, leaves both accounts as they are.
pub async fn a_transfer_to_an_account_that_is_refused_moves_nothing(stores: &Stores) {
    stores.has_account("shop", "999.99").await;
    stores.has_account("kiosk", "1.00").await;
    let refused = stores.open(&user_transfer()).await;
    assert_eq!(refused, CommitOutcome::InsufficientFunds);
    nothing_was_stored(stores, &user_transfer(), naira("999.99")).await;
    let nowhere = user_transfer().priced("1.00").to("ghost");
    assert_eq!(stores.open(&nowhere).await, CommitOutcome::AccountUnknown);
    let live = account("live").live().new_account();
    let created = stores.accounts.create(&live).await.expect("create");
    assert_eq!(created, Created::Done);
    let elsewhere = user_transfer().priced("1.00").to("live");
    let refused = stores.open(&elsewhere).await;
    assert_eq!(refused, CommitOutcome::OtherEnvironment);
    stores.has_account("rich", "90,071,992,547,409.91").await;
    let full = user_transfer().priced("1.00").to("rich");
    assert_eq!(stores.open(&full).await, CommitOutcome::BalanceLimit);
    assert_eq!(stores.balances("shop").await, (99_999, 0));
    assert_eq!(stores.balances("kiosk").await, (100, 0));
    stores.must_be_clean(at(1)).await;
}

/// Two accounts that pay one another at the same time never wait for one another for ever, and
/// no kobo is made or lost.
pub async fn accounts_pay_one_another_at_the_same_time(stores: &Stores) {
    const EACH: u64 = 20;
    for id in ["a", "b", "c"] {
        stores.has_account(id, "100.00").await;
    }
    let pairs = [
        ("a", "b"),
        ("b", "a"),
        ("b", "c"),
        ("c", "a"),
        ("a", "c"),
        ("c", "b"),
    ];
    let mut payments = JoinSet::new();
    for (place, (from, to)) in (1_u64..).zip(pairs) {
        for n in 0..EACH {
            let purchase = user_transfer().nth(place * 100 + n).priced("1.00");
            let books = stores.books.clone();
            let change = purchase.by(from).to(to).change();
            payments.spawn(async move { books.commit(change).await });
        }
    }
    while let Some(paid) = payments.join_next().await {
        let paid = paid.expect("no panic").expect("commit");
        assert_eq!(paid, CommitOutcome::Done);
    }
    for id in ["a", "b", "c"] {
        assert_eq!(stores.balances(id).await, (10_000, 0), "{id}");
    }
    stores.must_be_clean(at(1)).await;
}

/// The money stays with the payer, set aside, and is not taken for what a provider is to deliver.
pub async fn what_no_account_has_claimed_is_held(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    let tx = stores.has_opened(&unclaimed_transfer(UNTIL)).await;
    assert_eq!((tx.status(), tx.attempt()), (Status::Pending, None));
    assert_eq!(stores.balances("shop").await, (900_000, 100_000));
    assert_eq!(stores.reread(&tx).await, Some(tx.clone()));
    let queued = stores.reconciliation.has_queued().await;
    assert!(!queued.expect("look for queued transactions"));
    assert_eq!(unclaimed(stores, "shop").await, 1);
    assert_eq!(unclaimed(stores, "kiosk").await, 0);
    assert_eq!(claimable(stores).await, []);
    assert_eq!(stores.claim_queued(at(1_000), LEASE, 10).await, []);
    stores.must_be_clean(at(1)).await;
}

/// Only an active account of the payer's environment that has the address takes it, and not the
/// payer.
pub async fn a_transfer_is_claimable_once_an_account_has_the_address(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    stores.has_account("kiosk", "1.00").await;
    let live = account("live").live().new_account();
    let created = stores.accounts.create(&live).await.expect("create");
    assert_eq!(created, Created::Done);
    let tx = stores.has_opened(&unclaimed_transfer(UNTIL)).await;
    let (none, address) = (AccountContact::default(), contact(ADDRESS, ""));
    is_reached(stores, "live", &address).await;
    assert_eq!(claimable(stores).await, []);
    is_reached(stores, "shop", &address).await;
    assert_eq!(claimable(stores).await, []);
    let shop = account_id("shop");
    let taken = stores.accounts.set_contact(&shop, &address, &none).await;
    assert_eq!(taken.unwrap(), ContactChange::Done);
    is_reached(stores, "kiosk", &address).await;
    let expected = vec![(tx.clone(), "kiosk".to_owned())];
    assert_eq!(claimable(stores).await, expected);
    for id in ["kiosk", "shop"] {
        let id = account_id(id);
        let set = stores.accounts.set_status(&id, AccountStatus::Suspended);
        assert!(set.await.unwrap());
        assert_eq!(claimable(stores).await, []);
        let set = stores.accounts.set_status(&id, AccountStatus::Active);
        assert!(set.await.unwrap());
    }
    assert_eq!(claimable(stores).await, expected);
}

/// Two steps that claim one transfer at the same time pay it once.
pub async fn a_transfer_is_claimed_once(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    stores.has_account("kiosk", "1.00").await;
    let tx = stores.has_opened(&unclaimed_transfer(UNTIL)).await;
    let step = claim(&tx, "kiosk");
    let (first, second) = tokio::join!(stores.step(&step), stores.step(&step));
    let done = [&first, &second].map(|it| *it == CommitOutcome::Done);
    assert_eq!(
        done.iter().filter(|it| **it).count(),
        1,
        "{first:?} {second:?}"
    );
    let paid = step.transaction;
    assert_eq!(paid.status(), Status::Successful);
    assert_eq!(stores.reread(&tx).await, Some(paid.clone()));
    assert_eq!(stores.balances("shop").await, (900_000, 0));
    assert_eq!(stores.balances("kiosk").await, (100_100, 0));
    assert_eq!(unclaimed(stores, "shop").await, 0);
    is_reached(stores, "kiosk", &contact(ADDRESS, "")).await;
    assert_eq!(claimable(stores).await, []);
    let kinds: Vec<_> = stores.events(&tx).await.iter().map(|it| it.kind).collect();
    assert_eq!(kinds, [EventKind::Opened, EventKind::Successful]);
    // Over for good.
    let expired = Observation::Cancellation(CancelCause::Expired);
    assert!(apply(&paid, &expired, at(30)).is_none());
    stores.must_be_clean(at(30)).await;
}

/// A claim and a return at the same time: one of them moves the money.
pub async fn a_transfer_is_claimed_or_comes_back(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    stores.has_account("kiosk", "1.00").await;
    let tx = stores.has_opened(&unclaimed_transfer(UNTIL)).await;
    let back = Observation::Cancellation(CancelCause::Expired);
    let (claimed, returned) = (claim(&tx, "kiosk"), advance(&tx, &back, at(20)));
    // The one that is asked for first may still come second.
    let (second, first) = tokio::join!(stores.step(&returned), stores.step(&claimed));
    let kept = stores.reread(&tx).await.expect("it is stored");
    let (shop, kiosk) = (
        stores.balances("shop").await,
        stores.balances("kiosk").await,
    );
    if first == CommitOutcome::Done {
        assert_ne!(second, CommitOutcome::Done);
        assert_eq!(
            (kept.status(), shop, kiosk),
            (Status::Successful, (900_000, 0), (100_100, 0))
        );
    } else {
        assert_eq!(second, CommitOutcome::Done);
        assert_eq!(
            (kept.status(), shop, kiosk),
            (Status::Failed, (1_000_000, 0), (100, 0))
        );
    }
    assert_eq!(unclaimed(stores, "shop").await, 0);
    stores.must_be_clean(at(30)).await;
}

/// What a store that was set back holds may have been paid: nothing is claimed before payments are
/// resumed, and what was there then is not claimed any more. What a journal shows is recorded.
pub async fn nothing_is_claimed_while_payments_are_suspended(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    stores.has_account("kiosk", "1.00").await;
    let shown = stores.has_opened(&unclaimed_transfer(UNTIL)).await;
    let other = unclaimed_transfer(UNTIL).nth(2);
    let other = stores.has_opened(&other).await;
    is_reached(stores, "kiosk", &contact(ADDRESS, "")).await;
    assert_eq!(claimable(stores).await.len(), 2);
    let suspended = stores.reconciliation.suspend("a test", Clearance::Person);
    suspended.await.expect("suspend");
    let refused = stores.step(&claim(&other, "kiosk")).await;
    assert_eq!(refused, CommitOutcome::Suspended);
    let journalled = StateChange {
        origin: Origin::Journal,
        ..claim(&shown, "kiosk")
    };
    assert_eq!(stores.step(&journalled).await, CommitOutcome::Done);
    let resumed = stores.reconciliation.acknowledge(&vouched([])).await;
    assert_eq!(resumed.expect("acknowledge"), AcknowledgeOutcome::Resumed);
    assert_eq!(claimable(stores).await, []);
    // It is given back at once.
    let claim = Claim {
        now: at(30),
        lease: LEASE,
        limit: 10,
    };
    let due = stores.leases.claim_queued(claim, &[]).await.expect("claim");
    let place = ClaimedPlace {
        transaction: other,
        is_confirmed: false,
    };
    assert_eq!(due, [place]);
    assert_eq!(stores.balances("kiosk").await, (100_100, 0));
    assert_eq!(stores.balances("shop").await, (800_000, 100_000));
    stores.must_be_clean(at(30)).await;
}

/// A suspended payer pays nothing more.
pub async fn a_suspended_account_pays_no_other(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    stores.has_account("kiosk", "1.00").await;
    let tx = stores.has_opened(&unclaimed_transfer(UNTIL)).await;
    let shop = account_id("shop");
    let set = stores.accounts.set_status(&shop, AccountStatus::Suspended);
    assert!(set.await.unwrap());
    let refused = stores.step(&claim(&tx, "kiosk")).await;
    assert_eq!(refused, CommitOutcome::AccountSuspended);
    let refused = stores.open(&user_transfer().nth(2)).await;
    assert_eq!(refused, CommitOutcome::AccountSuspended);
    assert_eq!(stores.balances("kiosk").await, (100, 0));
    let back = Observation::Cancellation(CancelCause::Expired);
    let returned = advance(&tx, &back, at(20));
    assert_eq!(stores.step(&returned).await, CommitOutcome::Done);
    let all = stores.balances("shop").await;
    assert_eq!(all, (kobo(1_000_000).minor(), 0));
}

/// Nor is one paid that was suspended since it was looked up.
pub async fn a_suspended_account_is_paid_by_no_other(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    stores.has_account("kiosk", "1.00").await;
    let tx = stores.has_opened(&unclaimed_transfer(UNTIL)).await;
    let kiosk = account_id("kiosk");
    let set = stores.accounts.set_status(&kiosk, AccountStatus::Suspended);
    assert!(set.await.unwrap());
    let step = claim(&tx, "kiosk");
    assert_eq!(stores.step(&step).await, CommitOutcome::AccountSuspended);
    let refused = stores.open(&user_transfer().nth(2)).await;
    assert_eq!(refused, CommitOutcome::AccountSuspended);
    assert_eq!(stores.balances("kiosk").await, (100, 0));
    assert_eq!(stores.balances("shop").await, (900_000, 100_000));
    // What a journal shows was paid before.
    let journalled = StateChange {
        origin: Origin::Journal,
        ..step
    };
    assert_eq!(stores.step(&journalled).await, CommitOutcome::Done);
    assert_eq!(stores.balances("kiosk").await, (100_100, 0));
    stores.must_be_clean(at(30)).await;
}

/// What may not be paid stays where it is.
pub async fn a_claim_that_is_refused_moves_nothing(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    stores.has_account("rich", "90,071,992,547,409.91").await;
    let live = account("live").live().new_account();
    let created = stores.accounts.create(&live).await.expect("create");
    assert_eq!(created, Created::Done);
    let tx = stores.has_opened(&unclaimed_transfer(UNTIL)).await;
    for (id, outcome) in [
        ("ghost", CommitOutcome::AccountUnknown),
        ("live", CommitOutcome::OtherEnvironment),
        ("rich", CommitOutcome::BalanceLimit),
    ] {
        assert_eq!(stores.step(&claim(&tx, id)).await, outcome, "{id}");
    }
    assert_eq!(stores.balances("shop").await, (900_000, 100_000));
    assert_eq!(stores.reread(&tx).await, Some(tx.clone()));
    stores.must_be_clean(at(30)).await;
}
