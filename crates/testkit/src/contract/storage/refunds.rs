//! Laws of refunds. Whether one was given must follow from the ledger alone, and no payment may be
//! refunded twice.

use super::setup::Stores;
use crate::builders::{
    account_id, airtime, at, delivered, kobo, naira, reference, refund, refund_decision, reversed,
};
use domain::ledger::TransferKind;
use domain::money::Money;
use domain::operator::{Act, Actor, OperatorEntry, OperatorName, OperatorOrder};
use domain::reference::TransactionNumber;
use domain::refund::{
    GrantedRefund, REFUNDS_OPEN_MAX, RefundChannel, RefundRequest, RefundSettlement, RefundState,
    RefundStatus, RefundVerdict,
};
use domain::statement::Sort;
use domain::transaction::{Observation, Status, Transaction};
use ports::audit::{CheckOutcome, Serving};
use ports::batches::PageOf;
use ports::operators::Appended;
use ports::refunds::{RefundCreation, RefundDeciding};
use tokio::task::JoinSet;

const ALL: PageOf = PageOf {
    offset: 0,
    length: 100,
    sort: Sort::Ascending,
};

fn number(number: u64) -> TransactionNumber {
    TransactionNumber::try_new(number).expect("a number")
}

async fn create(stores: &Stores, refund: &RefundRequest) -> RefundCreation {
    let created = stores.refunds.create_refund(refund).await;
    created.expect("ask for a refund")
}

async fn decide(stores: &Stores, refund: &RefundRequest, verdict: RefundVerdict) -> RefundDeciding {
    let decision = refund_decision(verdict);
    let decided = stores
        .refunds
        .decide_refund(&refund.account, refund.number, &decision);
    decided.await.expect("decide of a refund")
}

async fn found(stores: &Stores, account: &str, under: &str) -> Option<RefundState> {
    let (account, under) = (account_id(account), reference(under));
    let found = stores.refunds.refund(&account, &under).await;
    found.expect("find a refund")
}

async fn status(stores: &Stores, refund: &RefundRequest) -> RefundStatus {
    let (account, under) = (refund.account.as_str(), refund.reference.as_str());
    found(stores, account, under)
        .await
        .expect("a refund")
        .status()
}

async fn listed(stores: &Stores, account: &str, page: PageOf) -> (Vec<u64>, u64) {
    let page = stores.refunds.refunds(&account_id(account), page).await;
    let page = page.expect("list refunds");
    let numbers = page.refunds.iter().map(|it| it.request.number.get());
    (numbers.collect(), page.total)
}

async fn waiting(stores: &Stores, account: Option<&str>) -> Vec<String> {
    let account = account.map(account_id);
    let waiting = stores.refunds.waiting_refunds(account.as_ref(), 3).await;
    let waiting = waiting.expect("list what waits").into_iter();
    let named = waiting.map(|it| format!("{} {}", it.request.account, it.request.reference));
    named.collect()
}

/// A delivered payment of `shop`.
async fn sold(stores: &Stores) -> Transaction {
    stores.has_account("shop", "10,000.00").await;
    let tx = stores.has_opened(&airtime()).await;
    stores.has_applied(&tx, &delivered(&tx), at(1)).await
}

/// A refund of an amount that asks for a payment.
fn asking(tx: &Transaction, amount: Money) -> RefundRequest {
    RefundRequest {
        transaction: tx.number,
        original: tx.reference.clone(),
        amount,
        ..refund(tx.account.as_str(), 7, "back-1")
    }
}

/// What the gateway gives back for a payment.
fn given(refund: &RefundRequest) -> Observation {
    Observation::Refund(GrantedRefund {
        number: refund.number,
        amount: refund.amount,
        at: at(40),
    })
}

/// Both operators sign what [`refund_decision`] says.
async fn sign(stores: &Stores, refund: &RefundRequest, act: Act) {
    for (nth, name) in [(1_u8, "amaka"), (2, "bello")] {
        let order = OperatorOrder::new(act)
            .to(&refund.account)
            .moving(Some(refund.amount));
        let entry = OperatorEntry {
            number: nth.into(),
            at: at(30),
            actor: Actor::Operator(OperatorName::parse(name).expect("a name")),
            order: order.under(&refund.reference),
            approves: (nth == 2).then_some(1),
            previous: [nth; 32],
            signature: vec![7; 64],
        };
        let appended = stores.operators.append(&entry).await.expect("append");
        assert_eq!(appended, Appended::Done);
    }
}

/// How many offences I28 finds.
async fn i28(stores: &Stores) -> usize {
    let checks = stores.audit.audit(at(60), Serving::No).await;
    let checks = checks.expect("audit").into_iter();
    let mut named = checks.filter(|check| check.invariant == "I28");
    match named.next().expect("I28").outcome {
        CheckOutcome::Broken { offences } => offences.len(),
        CheckOutcome::Holds { .. } | CheckOutcome::NotApplicable { .. } => 0,
    }
}

/// A refund reads back as it was asked for, to its account alone.
pub async fn a_refund_reads_back_as_it_was_asked_for(stores: &Stores) {
    stores.has_account("shop", "100").await;
    stores.has_account("other", "100").await;
    let made = RefundRequest {
        number: number(TransactionNumber::MAX),
        is_whole: true,
        forced: Some(RefundVerdict::Approved),
        ..refund("shop", 1, "Back:Up_1.-")
    };
    assert_eq!(create(stores, &made).await, RefundCreation::Done);
    let state = RefundState {
        request: made.clone(),
        decision: None,
        settled: None,
    };
    let read = found(stores, "shop", "Back:Up_1.-").await;
    assert_eq!(read.as_ref(), Some(&state));
    assert_eq!(found(stores, "other", "Back:Up_1.-").await, None);
    assert_eq!(found(stores, "shop", "back:up_1.-").await, None);
    for (account, expected) in [("shop", Some(state)), ("other", None)] {
        let account = account_id(account);
        let numbered = stores.refunds.numbered_refund(&account, made.number);
        assert_eq!(numbered.await.expect("find a refund"), expected);
    }
    let stranger = create(stores, &refund("stranger", 1, "back-1")).await;
    assert_eq!(stranger, RefundCreation::AccountUnknown);
}

/// A number, a reference and a payment lead to one refund of an account; of a payment, once it was
/// refused, to another.
pub async fn a_number_a_reference_and_a_payment_lead_to_one_refund(stores: &Stores) {
    stores.has_account("shop", "100").await;
    stores.has_account("other", "100").await;
    let made = refund("shop", 7, "back-1");
    assert_eq!(create(stores, &made).await, RefundCreation::Done);
    assert_eq!(create(stores, &made).await, RefundCreation::NumberTaken);
    let under = create(stores, &refund("shop", 8, "back-1")).await;
    assert_eq!(under, RefundCreation::ReferenceTaken);
    let again = refund("shop", 8, "back-2");
    assert_eq!(create(stores, &again).await, RefundCreation::PaymentTaken);
    let elsewhere = create(stores, &refund("other", 7, "back-1")).await;
    assert_eq!(elsewhere, RefundCreation::Done);
    let decided = decide(stores, &made, RefundVerdict::Refused).await;
    assert_eq!(decided, RefundDeciding::Done);
    assert_eq!(create(stores, &again).await, RefundCreation::Done);
    assert_eq!(listed(stores, "shop", ALL).await, (vec![7, 8], 2));
}

/// The first decision stays, whichever it is.
pub async fn a_refund_is_decided_once(stores: &Stores) {
    stores.has_account("shop", "100").await;
    let made = refund("shop", 7, "back-1");
    let unknown = decide(stores, &made, RefundVerdict::Refused).await;
    assert_eq!(unknown, RefundDeciding::Unknown);
    assert_eq!(create(stores, &made).await, RefundCreation::Done);
    let first = decide(stores, &made, RefundVerdict::Refused).await;
    assert_eq!(first, RefundDeciding::Done);
    for verdict in RefundVerdict::ALL {
        let again = decide(stores, &made, verdict).await;
        assert_eq!(again, RefundDeciding::Decided);
    }
    let state = found(stores, "shop", "back-1").await.expect("a refund");
    assert_eq!(
        state.decision,
        Some(refund_decision(RefundVerdict::Refused))
    );
    let forced = RefundRequest {
        forced: Some(RefundVerdict::Approved),
        ..refund("shop", 8, "back-2")
    };
    assert_eq!(create(stores, &forced).await, RefundCreation::Done);
    let decided = decide(stores, &forced, RefundVerdict::Refused).await;
    assert_eq!(decided, RefundDeciding::Decided);
}

/// What was approved is completed by the transfer of its payment, and moves as much as was asked
/// for.
pub async fn a_refund_is_completed_by_the_transfer_of_its_payment(stores: &Stores) {
    let tx = sold(stores).await;
    let (before, _) = stores.balances("shop").await;
    let made = asking(&tx, naira("100.00"));
    assert_eq!(create(stores, &made).await, RefundCreation::Done);
    sign(stores, &made, Act::RefundApprove).await;
    decide(stores, &made, RefundVerdict::Approved).await;
    assert_eq!(status(stores, &made).await, RefundStatus::Pending);
    let tx = stores.has_applied(&tx, &given(&made), at(40)).await;
    assert_eq!(stores.reread(&tx).await, Some(tx.clone()));
    assert_eq!(tx.status(), Status::Successful);
    let state = found(stores, "shop", "back-1").await.expect("a refund");
    assert_eq!(state.status(), RefundStatus::Completed);
    let settled = RefundSettlement {
        by: RefundChannel::Credit,
        amount: made.amount,
        at: at(40),
    };
    assert_eq!(state.settled, Some(settled));
    assert_eq!(stores.balances("shop").await, (before + 10_000, 0));
    let again = create(
        stores,
        &RefundRequest {
            number: number(8),
            reference: reference("back-2"),
            ..made.clone()
        },
    )
    .await;
    assert_eq!(again, RefundCreation::PaymentTaken);
    assert!(waiting(stores, None).await.is_empty());
    stores.must_be_clean(at(41)).await;
}

/// The provider takes a delivery back: what waits is completed by it, and what was given before is
/// taken back with it.
pub async fn a_reversal_completes_a_refund_and_takes_one_back(stores: &Stores) {
    let tx = sold(stores).await;
    let made = asking(&tx, naira("100.00"));
    assert_eq!(create(stores, &made).await, RefundCreation::Done);
    sign(stores, &made, Act::RefundApprove).await;
    decide(stores, &made, RefundVerdict::Approved).await;
    let tx = stores.has_applied(&tx, &given(&made), at(40)).await;
    let tx = stores.has_applied(&tx, &reversed(&tx), at(50)).await;
    assert_eq!(stores.reread(&tx).await, Some(tx.clone()));
    assert_eq!(stores.balances("shop").await, (1_000_000, 0));
    let transfers = stores.transfers(&tx).await;
    let last = transfers.last().expect("a transfer");
    assert_eq!(last.kind, TransferKind::RefundReversal);
    assert_eq!(last.amount, kobo(10_000));
    assert_eq!(status(stores, &made).await, RefundStatus::Completed);
    stores.must_be_clean(at(51)).await;
    // Another payment, which its provider takes back while the refund waits.
    let other = stores
        .has_opened(&airtime().number(2).reference("order-2"))
        .await;
    let other = stores.has_applied(&other, &delivered(&other), at(1)).await;
    let second = RefundRequest {
        number: number(8),
        reference: reference("back-2"),
        ..asking(&other, naira("100.00"))
    };
    assert_eq!(create(stores, &second).await, RefundCreation::Done);
    let other = stores.has_applied(&other, &reversed(&other), at(50)).await;
    let state = found(stores, "shop", "back-2").await.expect("a refund");
    let settled = state.settled.expect("what came back");
    assert_eq!(
        (settled.by, settled.amount),
        (RefundChannel::Provider, other.quote.price)
    );
    stores.must_be_clean(at(52)).await;
}

/// The audit finds what was given back and was not approved, or was approved without a signature.
pub async fn a_refund_without_its_approval_is_found(stores: &Stores) {
    let tx = sold(stores).await;
    let made = asking(&tx, naira("100.00"));
    stores.has_applied(&tx, &given(&made), at(40)).await;
    assert_eq!(i28(stores).await, 1);
    assert_eq!(create(stores, &made).await, RefundCreation::Done);
    assert_eq!(i28(stores).await, 1);
    decide(stores, &made, RefundVerdict::Approved).await;
    assert_eq!(i28(stores).await, 1);
    sign(stores, &made, Act::RefundRefuse).await;
    assert_eq!(i28(stores).await, 1);
}

/// The refunds of an account come in parts, by the moment they were asked for.
pub async fn the_refunds_of_an_account_come_in_parts(stores: &Stores) {
    stores.has_account("shop", "100").await;
    stores.has_account("other", "100").await;
    for (nth, seconds) in [(3, 10), (1, 20), (2, 20)] {
        let made = RefundRequest {
            created_at: at(seconds),
            transaction: number(nth),
            ..refund("shop", nth, &format!("back-{nth}"))
        };
        assert_eq!(create(stores, &made).await, RefundCreation::Done);
    }
    assert_eq!(listed(stores, "shop", ALL).await, (vec![3, 1, 2], 3));
    let part = PageOf {
        offset: 1,
        length: 1,
        sort: Sort::Descending,
    };
    assert_eq!(listed(stores, "shop", part).await, (vec![1], 3));
    let beyond = PageOf { offset: 3, ..ALL };
    assert_eq!(listed(stores, "shop", beyond).await, (vec![], 3));
    assert_eq!(listed(stores, "other", ALL).await, (vec![], 0));
}

/// So many refunds of an account may wait; those that were decided do not, nor those that their
/// provider completed.
pub async fn the_refunds_that_wait_have_a_limit(stores: &Stores) {
    let tx = sold(stores).await;
    let nth = |n: u32| RefundRequest {
        transaction: number(u64::from(n) + 1_000),
        ..refund("shop", n.into(), &format!("back-{n}"))
    };
    for n in 1..REFUNDS_OPEN_MAX {
        assert_eq!(create(stores, &nth(n)).await, RefundCreation::Done, "{n}");
    }
    let last = RefundRequest {
        transaction: tx.number,
        ..nth(REFUNDS_OPEN_MAX)
    };
    assert_eq!(create(stores, &last).await, RefundCreation::Done);
    let more = nth(REFUNDS_OPEN_MAX + 1);
    assert_eq!(create(stores, &more).await, RefundCreation::TooMany);
    assert_eq!(create(stores, &nth(1)).await, RefundCreation::NumberTaken);
    decide(stores, &nth(1), RefundVerdict::Refused).await;
    assert_eq!(create(stores, &more).await, RefundCreation::Done);
    let another = nth(REFUNDS_OPEN_MAX + 2);
    assert_eq!(create(stores, &another).await, RefundCreation::TooMany);
    stores.has_applied(&tx, &reversed(&tx), at(50)).await;
    assert_eq!(create(stores, &another).await, RefundCreation::Done);
}

/// An operator finds what is neither given nor refused, of one account or all.
pub async fn what_waits_for_a_decision_is_listed_oldest_first(stores: &Stores) {
    stores.has_account("shop", "100").await;
    stores.has_account("other", "100").await;
    for (account, nth, seconds) in [
        ("shop", 1, 40),
        ("other", 1, 30),
        ("shop", 2, 20),
        ("shop", 3, 10),
        ("shop", 4, 50),
    ] {
        let made = RefundRequest {
            created_at: at(seconds),
            transaction: number(nth),
            ..refund(account, nth, &format!("back-{nth}"))
        };
        assert_eq!(create(stores, &made).await, RefundCreation::Done);
    }
    let refused = refund("shop", 2, "back-2");
    decide(stores, &refused, RefundVerdict::Refused).await;
    // What is approved waits for its transfer.
    let approved = refund("shop", 3, "back-3");
    decide(stores, &approved, RefundVerdict::Approved).await;
    let every = waiting(stores, None).await;
    assert_eq!(every, ["shop back-3", "other back-1", "shop back-1"]);
    let of_one = waiting(stores, Some("shop")).await;
    assert_eq!(of_one, ["shop back-3", "shop back-1", "shop back-4"]);
    assert!(waiting(stores, Some("stranger")).await.is_empty());
}

/// Of many that are asked for one payment at once, one is stored.
pub async fn of_refunds_of_a_payment_at_once_one_is_stored(stores: &Stores) {
    stores.has_account("shop", "100").await;
    let mut at_once = JoinSet::new();
    for nth in 1..=8 {
        let stores = stores.clone();
        let made = refund("shop", nth, &format!("back-{nth}"));
        at_once.spawn(async move { create(&stores, &made).await });
    }
    let outcomes = at_once.join_all().await;
    let count = |wanted| outcomes.iter().filter(|it| **it == wanted).count();
    assert_eq!(count(RefundCreation::Done), 1, "{outcomes:?}");
    assert_eq!(count(RefundCreation::PaymentTaken), 7, "{outcomes:?}");
}
