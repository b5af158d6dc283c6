//! Laws of opening a transaction.

use super::setup::{Stores, nothing_was_stored, whole};
use crate::builders::{
    account_id, airtime, at, declined, delivered, electricity, naira, reference,
};
use domain::account::AccountStatus;
use domain::event::EventKind;
use domain::transaction::Status;
use ports::ledger_store::CommitOutcome;
use std::collections::BTreeSet;

/// Opening stores the transaction, its hold and its first event, and moves the price alone.
pub async fn opening_stores_the_transaction_and_sets_its_price_aside(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    let purchase = electricity()
        .worth("5,000.00")
        .terms("2.5", "3", "10.00")
        .keyed("k", 1);
    let tx = stores.has_opened(&purchase).await;
    assert_eq!(tx.quote.price, naira("4,885.00"));
    assert_eq!(stores.balances("shop").await, (511_500, 488_500));
    assert_eq!(stores.reread(&tx).await, Some(tx.clone()));
    let opening = purchase.opening();
    assert_eq!(stores.transfers(&tx).await, [opening.hold]);
    assert_eq!(stores.events(&tx).await, [opening.event]);
    assert_eq!(opening.event.kind, EventKind::Opened);
    assert_eq!(tx.status(), Status::Pending);
}

/// The last kobo can be spent.
pub async fn a_balance_of_exactly_the_price_is_enough(stores: &Stores) {
    stores.has_account("shop", "970.00").await;
    stores.has_opened(&airtime()).await;
    assert_eq!(stores.balances("shop").await, (0, 97_000));
}

/// One kobo too few refuses the whole.
pub async fn a_price_beyond_the_balance_stores_nothing(stores: &Stores) {
    stores.has_account("shop", "969.99").await;
    assert_eq!(
        stores.open(&airtime()).await,
        CommitOutcome::InsufficientFunds
    );
    nothing_was_stored(stores, &airtime(), naira("969.99")).await;
}

/// What was refused may be tried again under the same names.
pub async fn a_refused_opening_leaves_its_reference_key_and_number_free(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    let dear = airtime().priced("100.01").keyed("k", 1);
    assert_eq!(stores.open(&dear).await, CommitOutcome::InsufficientFunds);
    stores
        .has_opened(&airtime().priced("100.00").keyed("k", 1))
        .await;
}

/// A purchase for an unknown account is refused.
pub async fn an_unknown_account_opens_nothing(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    let ghost = airtime().by("ghost");
    assert_eq!(stores.open(&ghost).await, CommitOutcome::AccountUnknown);
    nothing_was_stored(stores, &ghost, naira("10,000.00")).await;
}

/// A suspended account buys nothing until the suspension is lifted.
pub async fn a_suspended_account_opens_nothing(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    let set = |status| {
        let accounts = stores.accounts.clone();
        async move { accounts.set_status(&account_id("shop"), status).await }
    };
    assert!(set(AccountStatus::Suspended).await.unwrap());
    assert_eq!(
        stores.open(&airtime()).await,
        CommitOutcome::AccountSuspended
    );
    nothing_was_stored(stores, &airtime(), naira("10,000.00")).await;
    assert!(set(AccountStatus::Active).await.unwrap());
    stores.has_opened(&airtime()).await;
}

/// A reference names one transaction for ever: a second order under it is never executed.
pub async fn a_reference_used_before_answers_the_existing_transaction(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    let first = stores.has_opened(&airtime()).await;
    let other = electricity().number(2);
    let answer = stores.open(&other).await;
    assert_eq!(
        answer,
        CommitOutcome::ReferenceTaken(Box::new(first.clone()))
    );
    assert_eq!(stores.balances("shop").await, (903_000, 97_000));
    assert_eq!(stores.reread(&first).await, Some(first.clone()));
    let numbered_two = other.transaction();
    assert_eq!(stores.transfers(&numbered_two).await, []);
    assert_eq!(stores.events(&numbered_two).await, []);

    let settled = crate::builders::delivered(&first);
    let settled = stores
        .has_applied(&first, &settled, crate::builders::at(1))
        .await;
    let again = stores.open(&electricity().number(2)).await;
    assert_eq!(again, CommitOutcome::ReferenceTaken(Box::new(settled)));
}

/// References and keys are each account's own: no account is ever answered another's transaction.
pub async fn two_accounts_may_use_the_same_reference_and_key(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    stores.has_account("kiosk", "10,000.00").await;
    let hers = stores.has_opened(&airtime().keyed("k", 1)).await;
    let his = airtime()
        .by("kiosk")
        .number(2)
        .keyed("k", 1)
        .worth("200.00");
    let his = stores.has_opened(&his).await;
    assert_eq!(stores.read("shop", "order-1").await, Some(hers));
    assert_eq!(stores.read("kiosk", "order-1").await, Some(his));
}

/// A key names one transaction of its account, whatever reference the retry carries.
pub async fn a_key_used_before_answers_the_existing_transaction(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    let first = stores.has_opened(&airtime().keyed("k", 1)).await;
    let retry = airtime().nth(2).keyed("k", 2);
    let answer = stores.open(&retry).await;
    assert_eq!(answer, CommitOutcome::KeyTaken(Box::new(first)));
    assert_eq!(stores.read("shop", "order-2").await, None);
    assert_eq!(stores.balances("shop").await, (903_000, 97_000));
    stores.has_opened(&airtime().nth(2).keyed("K", 1)).await;
}

/// A number names one transaction of its account; the reference stays free for another number.
pub async fn a_number_used_before_opens_nothing(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    stores.has_opened(&airtime()).await;
    let other = electricity().reference("order-2");
    assert_eq!(stores.open(&other).await, CommitOutcome::NumberTaken);
    assert_eq!(stores.balances("shop").await, (903_000, 97_000));
    assert_eq!(stores.read("shop", "order-2").await, None);
    stores.has_opened(&other.number(2)).await;
}

/// Numbers are each account's own: under one number each account finds what it did itself.
pub async fn two_accounts_may_have_the_same_number(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    stores.has_account("kiosk", "10,000.00").await;
    let (hers, his) = (airtime(), electricity().by("kiosk").reference("slip-1"));
    let hers = stores.has_opened(&hers.priced("10.00")).await;
    let his = stores.has_opened(&his.priced("20.00")).await;
    assert_eq!(hers.number, his.number);
    let hers = stores.has_applied(&hers, &delivered(&hers), at(1)).await;
    assert_eq!(stores.reread(&hers).await, Some(hers.clone()));
    assert_eq!(stores.reread(&his).await, Some(his.clone()));
    let his = stores.has_applied(&his, &declined(&his), at(2)).await;
    assert_eq!(stores.reread(&hers).await, Some(hers.clone()));
    assert_eq!(stores.reread(&his).await, Some(his.clone()));
    for (tx, under, ends, balances) in [
        (&hers, "order-1", EventKind::Successful, (999_000, 0)),
        (&his, "slip-1", EventKind::Failed, (1_000_000, 0)),
    ] {
        let account = tx.account.as_str();
        let events = stores.events(tx).await.into_iter().map(|it| it.kind);
        assert_eq!(events.collect::<Vec<_>>(), [EventKind::Opened, ends]);
        let transfers = stores.transfers(tx).await.into_iter();
        let amounts: BTreeSet<_> = transfers.map(|it| it.amount.minor()).collect();
        assert!(amounts.contains(&tx.quote.price.minor()), "{amounts:?}");
        assert_eq!(amounts.len(), 1, "{amounts:?}");
        assert_eq!(stores.balances(account).await, balances);
        let lines = stores.statement(account, &whole()).await.entries;
        let named = lines.iter().skip(1).map(|line| line.transaction.clone());
        for name in named {
            assert_eq!(name, Some((tx.number, reference(under))));
        }
    }
    stores.must_be_clean(at(3)).await;
}

/// Where several guards fail, the first in the order of [`CommitOutcome`] is reported.
pub async fn guards_are_reported_in_their_order(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    let keyed = stores
        .has_opened(&airtime().priced("10.00").keyed("k", 1))
        .await;
    let plain = stores.has_opened(&airtime().priced("10.00").nth(2)).await;
    let dear = airtime().priced("5,000.00");

    let everything_wrong = dear.clone().number(2).reference("order-2").keyed("k", 1);
    let answer = stores.open(&everything_wrong).await;
    assert_eq!(answer, CommitOutcome::KeyTaken(Box::new(keyed)));
    let reference_wrong = dear.clone().number(1).reference("order-2");
    let answer = stores.open(&reference_wrong).await;
    assert_eq!(answer, CommitOutcome::ReferenceTaken(Box::new(plain)));
    let number_wrong = dear.clone().number(1).reference("order-3");
    assert_eq!(stores.open(&number_wrong).await, CommitOutcome::NumberTaken);
    let price_wrong = dear.nth(3);
    assert_eq!(
        stores.open(&price_wrong).await,
        CommitOutcome::InsufficientFunds
    );

    let shop = account_id("shop");
    let suspended = stores
        .accounts
        .set_status(&shop, AccountStatus::Suspended)
        .await;
    assert!(suspended.unwrap());
    let answer = stores.open(&everything_wrong).await;
    assert_eq!(answer, CommitOutcome::AccountSuspended);
    let answer = stores.open(&everything_wrong.by("ghost")).await;
    assert_eq!(answer, CommitOutcome::AccountUnknown);
    assert_eq!(stores.statement("shop", &whole()).await.total, 3);
}
