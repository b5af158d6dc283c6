//! Laws of top-ups. Whether one is confirmed must follow from the ledger alone.

use super::setup::Stores;
use crate::builders::{account_id, at, credits, funding, naira, reference, top_up};
use domain::change_set::{ChangeSet, Funding};
use domain::reference::TransactionNumber;
use domain::statement::Sort;
use domain::time::Timestamp;
use domain::top_up::{AccountTopUp, TOP_UPS_OPEN_MAX, TopUpChannel, TopUpConfirmation, TopUpState};
use ports::audit::{CheckOutcome, Serving};
use ports::batches::PageOf;
use ports::ledger_store::CommitOutcome;
use ports::top_ups::{TopUpCreation, UnconfirmedTopUps};
use std::time::Duration;
use tokio::task::JoinSet;

const ALL: PageOf = PageOf {
    offset: 0,
    length: 100,
    sort: Sort::Ascending,
};

async fn create(stores: &Stores, top_up: &AccountTopUp) -> TopUpCreation {
    let created = stores.top_ups.create_top_up(top_up).await;
    created.expect("announce a top-up")
}

async fn found(stores: &Stores, account: &str, under: &str) -> Option<TopUpState> {
    let (account, under) = (account_id(account), reference(under));
    let found = stores.top_ups.top_up(&account, &under).await;
    found.expect("find a top-up")
}

async fn listed(stores: &Stores, account: &str, page: PageOf) -> (Vec<u64>, u64) {
    let page = stores.top_ups.top_ups(&account_id(account), page).await;
    let page = page.expect("list top-ups");
    let numbers = page.top_ups.iter().map(|it| it.top_up.number.get());
    (numbers.collect(), page.total)
}

/// Books what the operator confirms, a minute after the beginning.
async fn confirm(stores: &Stores, top_up: &AccountTopUp, amount: &str) -> CommitOutcome {
    let under = top_up.funding_reference();
    let funding = Funding {
        at: at(60),
        ..funding(top_up.account.as_str(), under.as_str(), amount)
    };
    stores.commit(ChangeSet::Fund(funding)).await
}

async fn waiting(stores: &Stores, account: Option<&str>, ending_after: Timestamp) -> Vec<String> {
    let account = account.map(account_id);
    let wanted = UnconfirmedTopUps {
        account: account.as_ref(),
        ending_after,
        limit: 3,
    };
    let waiting = stores.top_ups.unconfirmed_top_ups(wanted).await;
    let waiting = waiting.expect("list what is not confirmed").into_iter();
    let named = waiting.map(|it| format!("{} {}", it.top_up.account, it.top_up.reference));
    named.collect()
}

/// A top-up reads back as it was announced, to its account alone.
pub async fn a_top_up_reads_back_as_it_was_announced(stores: &Stores) {
    stores.has_account("shop", "100").await;
    stores.has_account("other", "100").await;
    let made = AccountTopUp {
        number: TransactionNumber::try_new(TransactionNumber::MAX).expect("a number"),
        channel: TopUpChannel::Manual,
        ..top_up("shop", 1, "Top:Up_1.-")
    };
    assert_eq!(create(stores, &made).await, TopUpCreation::Done);
    let state = TopUpState {
        top_up: made.clone(),
        confirmed: None,
    };
    assert_eq!(
        found(stores, "shop", "Top:Up_1.-").await.as_ref(),
        Some(&state)
    );
    assert_eq!(found(stores, "other", "Top:Up_1.-").await, None);
    assert_eq!(found(stores, "shop", "top:up_1.-").await, None);
    for (account, expected) in [("shop", Some(state)), ("other", None)] {
        let account = account_id(account);
        let numbered = stores.top_ups.numbered_top_up(&account, made.number);
        assert_eq!(
            numbered.await.expect("find a top-up"),
            expected,
            "{account}"
        );
    }
    let stranger = create(stores, &top_up("stranger", 1, "top-1")).await;
    assert_eq!(stranger, TopUpCreation::AccountUnknown);
}

/// A number and a reference lead to one top-up of an account. A taken number is named first: a
/// retry finds what it made.
pub async fn a_number_and_a_reference_lead_to_one_top_up(stores: &Stores) {
    stores.has_account("shop", "100").await;
    stores.has_account("other", "100").await;
    let made = top_up("shop", 7, "top-1");
    assert_eq!(create(stores, &made).await, TopUpCreation::Done);
    assert_eq!(create(stores, &made).await, TopUpCreation::NumberTaken);
    let number = create(stores, &top_up("shop", 7, "top-2")).await;
    assert_eq!(number, TopUpCreation::NumberTaken);
    let under = create(stores, &top_up("shop", 8, "top-1")).await;
    assert_eq!(under, TopUpCreation::ReferenceTaken);
    let elsewhere = create(stores, &top_up("other", 7, "top-1")).await;
    assert_eq!(elsewhere, TopUpCreation::Done);
    assert_eq!(listed(stores, "shop", ALL).await, (vec![7], 1));
}

/// The funding of its number confirms a top-up, whatever its amount, and is booked once.
pub async fn a_top_up_is_confirmed_by_the_funding_of_its_number(stores: &Stores) {
    stores.has_account("shop", "100").await;
    stores.has_account("other", "100").await;
    let (made, theirs) = (top_up("shop", 7, "top-1"), top_up("other", 7, "top-1"));
    for it in [&made, &theirs, &top_up("shop", 70, "top-2")] {
        assert_eq!(create(stores, it).await, TopUpCreation::Done);
    }
    assert_eq!(
        confirm(stores, &made, "49,999.50").await,
        CommitOutcome::Done
    );
    let again = confirm(stores, &made, "50,000.00").await;
    assert_eq!(again, CommitOutcome::FundingTaken(naira("49,999.50")));
    let confirmed = TopUpConfirmation {
        amount: naira("49,999.50"),
        at: at(60),
    };
    let state = found(stores, "shop", "top-1").await.expect("a top-up");
    assert_eq!(state.confirmed, Some(confirmed));
    let page = stores.top_ups.top_ups(&account_id("shop"), ALL).await;
    let page = page.expect("list top-ups").top_ups;
    let confirmed: Vec<_> = page.iter().map(|it| it.confirmed.is_some()).collect();
    assert_eq!(confirmed, [true, false]);
    let theirs = found(stores, "other", "top-1").await.expect("a top-up");
    assert_eq!(theirs.confirmed, None);
    assert_eq!(stores.balances("shop").await, (5_009_950, 0));
    stores.must_be_clean(at(60)).await;
}

/// A funding in the form of a confirmation without its top-up is found by the audit, and so is one
/// in another currency.
pub async fn a_confirmation_without_its_top_up_is_found(stores: &Stores) {
    stores.has_account("shop", "100").await;
    stores.has_account("other", "100").await;
    let i27 = async || {
        let checks = stores.audit.audit(at(60), Serving::No).await;
        let checks = checks.expect("audit").into_iter();
        let mut named = checks.filter(|check| check.invariant == "I27");
        match named.next().expect("I27").outcome {
            CheckOutcome::Broken { offences } => offences.len(),
            CheckOutcome::Holds { .. } | CheckOutcome::NotApplicable { .. } => 0,
        }
    };
    for (number, under) in [(7, "top-1"), (8, "top-2")] {
        let made = top_up("shop", number, under);
        assert_eq!(create(stores, &made).await, TopUpCreation::Done);
    }
    // What an operator called so before there were top-ups is none of them.
    for other in ["topup:", "topup:x7", "topup:7x", "TOPUP:9", "topup-9"] {
        let other = ChangeSet::Fund(funding("shop", other, "1.00"));
        assert_eq!(stores.commit(other).await, CommitOutcome::Done);
    }
    let made = top_up("shop", 7, "top-1");
    assert_eq!(confirm(stores, &made, "1.00").await, CommitOutcome::Done);
    assert_eq!(i27().await, 0);
    let strange = top_up("other", 7, "top-1");
    assert_eq!(confirm(stores, &strange, "1.00").await, CommitOutcome::Done);
    assert_eq!(i27().await, 1);
    let in_credits = Funding {
        amount: credits("1.00"),
        ..funding("shop", "topup:8", "1.00")
    };
    let in_credits = stores.commit(ChangeSet::Fund(in_credits)).await;
    assert_eq!(in_credits, CommitOutcome::Done);
    assert_eq!(i27().await, 2);
}

/// An account has so many open top-ups; those that ended or are confirmed are no longer open.
pub async fn the_open_top_ups_of_an_account_have_a_limit(stores: &Stores) {
    stores.has_account("shop", "100").await;
    stores.has_account("other", "100").await;
    let nth = |n: u32| top_up("shop", n.into(), &format!("top-{n}"));
    for n in 1..=TOP_UPS_OPEN_MAX {
        assert_eq!(create(stores, &nth(n)).await, TopUpCreation::Done, "{n}");
    }
    let more = nth(TOP_UPS_OPEN_MAX + 1);
    assert_eq!(create(stores, &more).await, TopUpCreation::TooMany);
    assert_eq!(create(stores, &nth(1)).await, TopUpCreation::NumberTaken);
    let theirs = create(stores, &top_up("other", 1, "top-1")).await;
    assert_eq!(theirs, TopUpCreation::Done);
    assert_eq!(confirm(stores, &nth(1), "1.00").await, CommitOutcome::Done);
    assert_eq!(create(stores, &more).await, TopUpCreation::Done);
    let late = nth(TOP_UPS_OPEN_MAX + 2);
    let week = late.expires_at.since(late.created_at);
    let announced_at = |created_at: Timestamp| AccountTopUp {
        created_at,
        expires_at: created_at.plus(week),
        ..late.clone()
    };
    let before = announced_at(late.expires_at.minus(Duration::from_millis(1)));
    assert_eq!(create(stores, &before).await, TopUpCreation::TooMany);
    let after = announced_at(late.expires_at);
    assert_eq!(create(stores, &after).await, TopUpCreation::Done);
}

/// The top-ups of an account come in parts, by the moment they were announced.
pub async fn the_top_ups_of_an_account_come_in_parts(stores: &Stores) {
    stores.has_account("shop", "100").await;
    stores.has_account("other", "100").await;
    for (number, seconds) in [(3, 10), (1, 20), (2, 20)] {
        let made = AccountTopUp {
            created_at: at(seconds),
            ..top_up("shop", number, &format!("top-{number}"))
        };
        assert_eq!(create(stores, &made).await, TopUpCreation::Done);
    }
    let theirs = create(stores, &top_up("other", 9, "top-9")).await;
    assert_eq!(theirs, TopUpCreation::Done);
    assert_eq!(listed(stores, "shop", ALL).await, (vec![3, 1, 2], 3));
    let part = PageOf {
        offset: 1,
        length: 1,
        sort: Sort::Descending,
    };
    assert_eq!(listed(stores, "shop", part).await, (vec![1], 3));
    let beyond = PageOf { offset: 3, ..ALL };
    assert_eq!(listed(stores, "shop", beyond).await, (vec![], 3));
    assert_eq!(listed(stores, "stranger", ALL).await, (vec![], 0));
}

/// An operator finds what is not confirmed, of one account or all, by when it ends.
pub async fn what_is_not_confirmed_is_listed_by_its_end(stores: &Stores) {
    stores.has_account("shop", "100").await;
    stores.has_account("other", "100").await;
    for (account, number, end) in [
        ("shop", 1, 40),
        ("other", 1, 30),
        ("shop", 2, 20),
        ("shop", 3, 10),
        ("shop", 4, 50),
    ] {
        let made = AccountTopUp {
            expires_at: at(end),
            ..top_up(account, number, &format!("top-{number}"))
        };
        assert_eq!(create(stores, &made).await, TopUpCreation::Done);
    }
    let confirmed = top_up("shop", 2, "top-2");
    assert_eq!(
        confirm(stores, &confirmed, "1.00").await,
        CommitOutcome::Done
    );
    let every = waiting(stores, None, at(0)).await;
    assert_eq!(every, ["shop top-3", "other top-1", "shop top-1"]);
    let open = waiting(stores, None, at(10)).await;
    assert_eq!(open, ["other top-1", "shop top-1", "shop top-4"]);
    let of_one = waiting(stores, Some("shop"), at(10)).await;
    assert_eq!(of_one, ["shop top-1", "shop top-4"]);
    assert!(waiting(stores, Some("stranger"), at(0)).await.is_empty());
}

/// Of many that are announced under one reference at once, one is stored.
pub async fn of_top_ups_of_a_reference_at_once_one_is_announced(stores: &Stores) {
    stores.has_account("shop", "100").await;
    let mut at_once = JoinSet::new();
    for number in 1..=8 {
        let stores = stores.clone();
        at_once.spawn(async move { create(&stores, &top_up("shop", number, "top-1")).await });
    }
    let outcomes = at_once.join_all().await;
    let is_done = |outcome: &&TopUpCreation| **outcome == TopUpCreation::Done;
    assert_eq!(outcomes.iter().filter(is_done).count(), 1, "{outcomes:?}");
    let taken = outcomes
        .iter()
        .filter(|it| **it == TopUpCreation::ReferenceTaken);
    assert_eq!(taken.count(), 7, "{outcomes:?}");
}
