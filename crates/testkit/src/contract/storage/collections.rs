//! Laws of collections. A session of a bank must be credited once, however it is reported.

use super::setup::{Stores, whole};
use crate::builders::{
    account, account_id, at, checkout, collected, naira, payment_reference, reference,
    virtual_account,
};
use domain::change_set::ChangeSet;
use domain::collection::{
    CollectedPayment, Collection, CollectionAdmission, CollectionFee, CollectionPayer,
    CollectionSource, CollectionState, CollectionStatus, CollectionStep,
};
use domain::money::{Currency, Money};
use domain::operator::{Act, Actor, OperatorEntry, OperatorName, OperatorOrder};
use domain::reference::{MerchantReference, TransactionNumber};
use domain::statement::{Direction, Sort};
use ports::audit::{CheckOutcome, Serving};
use ports::batches::PageOf;
use ports::collections::{
    CollectedPayments, CollectionChange, CollectionCreation, CollectionName, CollectionSort,
};
use ports::ledger_store::CommitOutcome;
use ports::operators::Appended;
use tokio::task::JoinSet;

const ALL: PageOf = PageOf {
    offset: 0,
    length: 100,
    sort: Sort::Ascending,
};

const NEWEST: PageOf = PageOf {
    offset: 1,
    length: 1,
    sort: Sort::Descending,
};

async fn create(stores: &Stores, collection: &Collection) -> CollectionCreation {
    let created = stores.collections.create_collection(collection).await;
    created.expect("make a collection")
}

async fn made(stores: &Stores, collection: Collection) -> Collection {
    assert_eq!(create(stores, &collection).await, CollectionCreation::Done);
    collection
}

async fn found(stores: &Stores, collection: &Collection) -> Option<CollectionState> {
    let name = CollectionName::Number(collection.number);
    let found = stores.collections.collection(&collection.account, name);
    found.await.expect("find a collection")
}

async fn pay(stores: &Stores, payment: &CollectedPayment) -> CommitOutcome {
    let change = ChangeSet::Collect(Box::new(payment.clone()));
    stores.commit(change).await
}

/// A payment that the sandbox reports, which test accounts alone have.
fn sandbox(collection: &Collection, numbered: (u64, &str), amount: &str) -> CollectedPayment {
    CollectedPayment {
        source: CollectionSource::Sandbox,
        ..collected(collection, numbered, amount)
    }
}

async fn numbers(stores: &Stores, wanted: CollectedPayments, page: PageOf) -> (Vec<u64>, u64) {
    let account = account_id("shop");
    let page = stores
        .collections
        .collected_payments(&account, wanted, page);
    let page = page.await.expect("list payments");
    let numbers = page.payments.iter().map(|it| it.number.get());
    (numbers.collect(), page.total)
}

/// How many offences I31 finds.
async fn i31(stores: &Stores) -> usize {
    let checks = stores.audit.audit(at(60), Serving::No).await;
    let mut checks = checks.expect("audit").into_iter();
    let check = checks.find(|check| check.invariant == "I31");
    match check.expect("a check of payments to collections").outcome {
        CheckOutcome::Broken { offences } => offences.len(),
        CheckOutcome::Holds { .. } | CheckOutcome::NotApplicable { .. } => 0,
    }
}

/// A collection reads back as it was made, to its account alone, and by what payers type.
pub async fn a_collection_reads_back_as_it_was_made(stores: &Stores) {
    stores.has_account("shop", "100").await;
    stores.has_account("other", "100").await;
    for (number, make) in (7..).zip([virtual_account, payment_reference, checkout]) {
        let made = made(stores, make("shop", number)).await;
        let state = found(stores, &made).await.expect("a collection");
        assert_eq!(state.collection, made);
        assert_eq!((state.paid.total, state.paid.count), (naira("0.00"), 0));
        let name = CollectionName::Reference(&made.reference);
        let named = stores.collections.collection(&made.account, name).await;
        assert_eq!(named.expect("find"), Some(state.clone()));
        let payee = made.kind.payee();
        let typed = stores.collections.collection_of_payee(payee).await;
        assert_eq!(typed.expect("find"), Some(state.collection));
        let name = CollectionName::Reference(&made.reference);
        let other = account_id("other");
        let other = stores.collections.collection(&other, name).await;
        assert_eq!(other.expect("find"), None);
    }
    let unknown = stores.collections.collection_of_payee("7740000001").await;
    assert_eq!(unknown.expect("find"), None);
}

/// Numbers and references are taken for ever, and what payers type in all accounts.
pub async fn what_payers_type_is_one_collections(stores: &Stores) {
    stores.has_account("shop", "100").await;
    stores.has_account("other", "100").await;
    let first = made(stores, virtual_account("shop", 7)).await;
    let same_reference = Collection {
        reference: first.reference.clone(),
        ..virtual_account("shop", 8)
    };
    let taken = create(stores, &same_reference).await;
    assert_eq!(taken, CollectionCreation::ReferenceTaken);
    let same_number = Collection {
        number: first.number,
        ..virtual_account("shop", 8)
    };
    let taken = create(stores, &same_number).await;
    assert_eq!(taken, CollectionCreation::NumberTaken);
    let same_payee = Collection {
        account: account_id("other"),
        ..first.clone()
    };
    let taken = create(stores, &same_payee).await;
    assert_eq!(taken, CollectionCreation::NumberTaken);
    let unknown = create(stores, &virtual_account("stranger", 9)).await;
    assert_eq!(unknown, CollectionCreation::AccountUnknown);
}

/// What its merchant allows is changed from the version that was read.
pub async fn a_collection_is_changed_from_the_version_that_was_seen(stores: &Stores) {
    stores.has_account("shop", "100").await;
    let made = made(stores, virtual_account("shop", 7)).await;
    let suspended = made
        .after(CollectionStep::Suspend, Some(1))
        .expect("a step");
    let change = |to: &Collection| {
        let to = to.clone();
        async move {
            let changed = stores.collections.change_collection(&to).await;
            changed.expect("change a collection")
        }
    };
    assert_eq!(change(&suspended).await, CollectionChange::Done);
    assert_eq!(change(&suspended).await, CollectionChange::Conflict);
    let state = found(stores, &made).await.expect("a collection");
    assert_eq!(state.collection, suspended);
    assert_eq!(state.status(at(0)), CollectionStatus::Suspended);
    let closed = suspended
        .after(CollectionStep::Close, None)
        .expect("a step");
    assert_eq!(change(&closed).await, CollectionChange::Done);
    let state = found(stores, &made).await.expect("a collection");
    assert_eq!(state.collection.admission, CollectionAdmission::Closed);
    assert_eq!(state.collection.version, 3);
    let unknown = virtual_account("shop", 9).after(CollectionStep::Close, None);
    let unknown = unknown.expect("a step");
    assert_eq!(change(&unknown).await, CollectionChange::Conflict);
}

/// A payment is credited with its charge taken off, once for its session, also to a collection that
/// takes none any more and to an account that is suspended.
pub async fn a_session_is_credited_once(stores: &Stores) {
    stores.has_account("shop", "100").await;
    let to = made(stores, payment_reference("shop", 7)).await;
    let closed = to.after(CollectionStep::Close, None).expect("a step");
    let changed = stores.collections.change_collection(&closed).await;
    assert_eq!(changed.expect("close"), CollectionChange::Done);
    let paid = sandbox(&to, (9, "session-9"), "2,000.00");
    assert_eq!(pay(stores, &paid).await, CommitOutcome::Done);
    // 100.00 + 2,000.00 - 10.00 - 0.75
    assert_eq!(stores.balances("shop").await, (208_925, 0));
    let again = CollectedPayment {
        number: TransactionNumber::try_new(10).expect("a number"),
        amount: naira("9,000.00"),
        ..paid.clone()
    };
    let taken = CommitOutcome::SessionTaken(Box::new(paid.clone()));
    assert_eq!(pay(stores, &again).await, taken);
    assert_eq!(stores.balances("shop").await, (208_925, 0));
    let of_session = stores
        .collections
        .collected_payment(paid.source, &paid.session);
    assert_eq!(of_session.await.expect("find"), Some(paid.clone()));
    let other_source = stores
        .collections
        .collected_payment(CollectionSource::Bank, &paid.session);
    assert_eq!(other_source.await.expect("find"), None);
    let second = sandbox(&to, (10, "session-10"), "3,000.00");
    let second = CollectedPayment {
        fee: CollectionFee::none(Currency::Ngn),
        payer: CollectionPayer::default(),
        ..second
    };
    assert_eq!(pay(stores, &second).await, CommitOutcome::Done);
    let state = found(stores, &to).await.expect("a collection");
    assert_eq!(state.paid.total, naira("5,000.00"));
    assert_eq!(
        (state.paid.largest, state.paid.fees, state.paid.count),
        (naira("3,000.00"), naira("10.75"), 2)
    );
    assert_eq!(state.status(at(60)), CollectionStatus::Paid);
    stores.must_be_clean(at(61)).await;
}

/// A payment is on the statement with what was charged for it, and in the payments of its
/// collection and time.
pub async fn payments_are_listed_by_collection_and_time(stores: &Stores) {
    stores.has_account("shop", "100").await;
    let one = made(stores, virtual_account("shop", 7)).await;
    let two = made(stores, payment_reference("shop", 8)).await;
    for (nth, to) in [(1, &one), (2, &two), (3, &one)] {
        let payment = CollectedPayment {
            at: at(60 * nth),
            ..sandbox(to, (nth, &format!("session-{nth}")), "50.00")
        };
        assert_eq!(pay(stores, &payment).await, CommitOutcome::Done);
    }
    let all = CollectedPayments {
        collection: None,
        from: at(0),
        to: at(1_000),
    };
    assert_eq!(numbers(stores, all, ALL).await, (vec![1, 2, 3], 3));
    assert_eq!(numbers(stores, all, NEWEST).await, (vec![2], 3));
    let of_one = CollectedPayments {
        collection: Some(one.number),
        ..all
    };
    assert_eq!(numbers(stores, of_one, ALL).await, (vec![1, 3], 2));
    assert_eq!(numbers(stores, of_one, NEWEST).await, (vec![1], 2));
    let early = CollectedPayments { to: at(120), ..all };
    assert_eq!(numbers(stores, early, ALL).await, (vec![1], 1));
    let late = CollectedPayments {
        from: at(120),
        ..of_one
    };
    assert_eq!(numbers(stores, late, ALL).await, (vec![3], 1));
    let lines = stores.statement("shop", &whole()).await.entries;
    // The first line is what the account was opened with.
    let first: Vec<_> = lines.iter().skip(1).take(3).collect();
    let [credit, charge, vat] = first.as_slice() else {
        panic!("three lines of a payment in {lines:?}");
    };
    assert_eq!(credit.direction, Direction::Credit);
    assert_eq!(credit.narration, "Payment 1: col-7");
    assert_eq!(
        (charge.amount, charge.direction),
        (naira("10.00"), Direction::Debit)
    );
    assert_eq!(
        (vat.amount, vat.direction),
        (naira("0.75"), Direction::Debit)
    );
    stores.must_be_clean(at(1_000)).await;
}

/// The collections of an account come in parts, each kind by itself.
pub async fn the_collections_of_an_account_come_in_parts(stores: &Stores) {
    stores.has_account("shop", "100").await;
    stores.has_account("other", "100").await;
    for nth in 1..4_u8 {
        let own = Collection {
            created_at: at(nth.into()),
            ..payment_reference("shop", nth.into())
        };
        made(stores, own).await;
    }
    made(stores, virtual_account("shop", 9)).await;
    made(stores, payment_reference("other", 10)).await;
    made(stores, checkout("shop", 11)).await;
    let listed = |sort: CollectionSort, page: PageOf| async move {
        let account = account_id("shop");
        let page = stores.collections.collections(&account, sort, page).await;
        let page = page.expect("list collections");
        let numbers = page.collections.iter().map(|it| it.collection.number.get());
        (numbers.collect::<Vec<_>>(), page.total)
    };
    let invoices = listed(CollectionSort::Invoice, ALL).await;
    assert_eq!(invoices, (vec![1, 2, 3], 3));
    assert_eq!(listed(CollectionSort::Invoice, NEWEST).await, (vec![2], 3));
    assert_eq!(listed(CollectionSort::Account, ALL).await, (vec![9], 1));
    assert_eq!(listed(CollectionSort::Checkout, ALL).await, (vec![11], 1));
}

/// Of a hundred reports of one session at once, one is credited.
pub async fn of_reports_of_a_session_at_once_one_is_credited(stores: &Stores) {
    stores.has_account("shop", "100").await;
    let to = made(stores, virtual_account("shop", 7)).await;
    let mut reports = JoinSet::new();
    for nth in 1..=100_u64 {
        let payment = sandbox(&to, (nth, "session-1"), "1,000.00");
        let books = stores.books.clone();
        reports.spawn(async move {
            let change = ChangeSet::Collect(Box::new(payment));
            books.commit(change).await.expect("commit")
        });
    }
    let outcomes = reports.join_all().await;
    let done = outcomes.iter().filter(|it| **it == CommitOutcome::Done);
    assert_eq!(done.count(), 1);
    assert_eq!(stores.balances("shop").await, (108_925, 0));
    stores.must_be_clean(at(61)).await;
}

/// One session that is reported of two accounts at once is credited to one of them.
pub async fn a_session_is_of_one_account(stores: &Stores) {
    stores.has_account("shop", "1").await;
    stores.has_account("other", "1").await;
    let one = made(stores, virtual_account("shop", 7)).await;
    let two = made(stores, virtual_account("other", 8)).await;
    let mut reports = JoinSet::new();
    for (number, to) in [(1, &one), (2, &two)] {
        let payment = sandbox(to, (number, "session-1"), "1,000.00");
        let books = stores.books.clone();
        reports.spawn(async move {
            let change = ChangeSet::Collect(Box::new(payment));
            books.commit(change).await
        });
    }
    // The one that comes too late is refused or fails: it credits nothing in either case.
    let outcomes = reports.join_all().await;
    let done = outcomes
        .iter()
        .filter(|it| matches!(it, Ok(CommitOutcome::Done)));
    assert_eq!(done.count(), 1);
    let (own, _) = stores.balances("shop").await;
    let (others, _) = stores.balances("other").await;
    assert_eq!(own.saturating_add(others), 99_125);
    stores.must_be_clean(at(61)).await;
}

/// A payment that takes a balance above what it may be, or of an unknown account, is not stored.
pub async fn a_payment_that_cannot_be_booked_is_not_stored(stores: &Stores) {
    let largest = Money::from_minor(Money::MAX_MINOR, Currency::Ngn).to_string();
    stores.has_account("shop", &largest).await;
    let to = made(stores, virtual_account("shop", 7)).await;
    let paid = sandbox(&to, (9, "session-9"), "2,000.00");
    assert_eq!(pay(stores, &paid).await, CommitOutcome::BalanceLimit);
    let found = stores
        .collections
        .collected_payment(paid.source, &paid.session);
    assert_eq!(found.await.expect("find"), None);
    let stranger = CollectedPayment {
        account: account_id("stranger"),
        ..paid
    };
    assert_eq!(pay(stores, &stranger).await, CommitOutcome::AccountUnknown);
}

/// What a bank is said to have reported needs the act of an operator, for as much; the sandbox pays
/// test accounts alone.
pub async fn a_payment_without_its_act_is_found(stores: &Stores) {
    let live = account("shop").live().new_account();
    stores.accounts.create(&live).await.expect("create");
    stores.has_account("trial", "1").await;
    let to = made(stores, virtual_account("shop", 7)).await;
    let paid = collected(&to, (9, "session-9"), "2,000.00");
    assert_eq!(pay(stores, &paid).await, CommitOutcome::Done);
    assert_eq!(i31(stores).await, 1);
    let entry = |nth: u8, amount| {
        let order = OperatorOrder::new(Act::CollectionRecord).to(&to.account);
        let order = order.moving(Some(amount)).under(reference("session-9"));
        OperatorEntry {
            number: nth.into(),
            at: at(30),
            actor: Actor::Operator(OperatorName::parse("amaka").expect("a name")),
            order,
            approves: None,
            previous: [nth; 32],
            signature: vec![7; 64],
        }
    };
    for (entry, offences) in [
        (entry(1, naira("1,000.00")), 1),
        (entry(2, naira("2,000.00")), 0),
    ] {
        let appended = stores.operators.append(&entry).await.expect("append");
        assert_eq!(appended, Appended::Done);
        assert_eq!(i31(stores).await, offences);
    }
    let played = sandbox(&to, (10, "session-10"), "1.00");
    let played = CollectedPayment {
        fee: CollectionFee::none(Currency::Ngn),
        ..played
    };
    assert_eq!(pay(stores, &played).await, CommitOutcome::Done);
    assert_eq!(i31(stores).await, 1);
    let name = MerchantReference::parse("col-7").expect("a reference");
    assert_eq!(to.reference, name);
}
