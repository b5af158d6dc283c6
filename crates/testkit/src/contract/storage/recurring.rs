//! Laws of subscriptions. Of several steps from one version one must be written, with its run.

use super::setup::Stores;
use crate::builders::{account_id, airtime, at, purchase_of, recurring, recurring_of};
use domain::order::Service;
use domain::recurring::{
    RECURRING_MAX, RecurringOrder, RecurringPayment, RecurringRun, RecurringService,
    RecurringStatus, RecurringStep, RunCalendar, RunFailure, RunRefusal,
};
use domain::statement::Sort;
use domain::time::Timestamp;
use domain::transaction::KeyHolder;
use ports::audit::{CheckOutcome, Serving};
use ports::batches::PageOf;
use ports::recurring::{RecurringChange, RecurringCreation, RecurringKey, SealedRecurring};
use std::time::Duration;
use tokio::task::JoinSet;

const ALL: PageOf = PageOf {
    offset: 0,
    length: 100,
    sort: Sort::Ascending,
};

/// Runs a day apart, the first a minute after the beginning.
struct Daily;

impl RunCalendar for Daily {
    fn due_at(&self, run: u32) -> Timestamp {
        let days = Duration::from_hours(24) * run.saturating_sub(1);
        at(60).plus(days)
    }
}

async fn create(stores: &Stores, made: &SealedRecurring) -> RecurringCreation {
    let created = stores.recurring.create_recurring(made).await;
    created.expect("make a subscription")
}

async fn found(stores: &Stores, made: &SealedRecurring) -> RecurringPayment {
    let terms = &made.payment.terms;
    let found = stores
        .recurring
        .numbered_recurring(&terms.account, terms.number);
    let found = found.await.expect("find a subscription");
    found.expect("a subscription that was made").payment
}

const fn key(payment: &RecurringPayment) -> RecurringKey<'_> {
    RecurringKey {
        account: &payment.terms.account,
        number: payment.terms.number,
        version: payment.version,
    }
}

async fn step(stores: &Stores, of: &RecurringPayment, step: &RecurringStep) -> RecurringChange {
    let changed = stores.recurring.step_recurring(key(of), step).await;
    changed.expect("change a subscription")
}

/// Takes a step and reads the subscription back.
async fn take(stores: &Stores, made: &SealedRecurring, taken: RecurringStep) -> RecurringPayment {
    let before = found(stores, made).await;
    assert_eq!(step(stores, &before, &taken).await, RecurringChange::Done);
    let after = found(stores, made).await;
    assert_eq!(after.version, before.version.next());
    assert_eq!(after.progress, taken.progress);
    after
}

async fn runs(stores: &Stores, made: &SealedRecurring) -> Vec<RecurringRun> {
    let terms = &made.payment.terms;
    let all = stores
        .recurring
        .recurring_runs(&terms.account, terms.number, 1..=u32::MAX);
    all.await.expect("list runs")
}

async fn due(stores: &Stores, now: Timestamp) -> Vec<u64> {
    let due = stores.recurring.due_recurring(now, 10).await;
    let due = due.expect("find what is due").into_iter();
    due.map(|it| it.payment.terms.number.get()).collect()
}

/// A subscription of every family reads back as it was made, to its account alone.
pub async fn a_subscription_reads_back_as_it_was_made(stores: &Stores) {
    stores.has_account("shop", "100").await;
    stores.has_account("other", "100").await;
    let mut number = 0;
    for service in RecurringService::all().map(RecurringService::service) {
        number += 1;
        let order = purchase_of(service).transaction().order;
        let under = format!("Sub:_{number}.-");
        let mut made = recurring_of("shop", (number, &under), order);
        let terms = &mut made.payment.terms;
        let again = RecurringOrder::again(&terms.order, terms.reference.clone());
        assert_eq!(again.expect("an order").service().service(), service);
        terms.made_by = KeyHolder {
            user: Some(crate::builders::account_user_id(9)),
            ..terms.made_by
        };
        terms.schedule.count = None;
        assert_eq!(create(stores, &made).await, RecurringCreation::Done);
        let terms = &made.payment.terms;
        for (account, expected) in [("shop", Some(&made)), ("other", None)] {
            let account = account_id(account);
            let numbered = stores.recurring.numbered_recurring(&account, terms.number);
            assert_eq!(numbered.await.expect("find one").as_ref(), expected);
            let named = stores.recurring.recurring(&account, &terms.reference);
            assert_eq!(named.await.expect("find one").as_ref(), expected);
        }
    }
    let lookup = purchase_of(Service::Hlr).transaction().order;
    let under = crate::builders::reference("lookup");
    assert_eq!(RecurringOrder::again(&lookup, under), None);
    let stranger = create(stores, &recurring("stranger", 1, "daily")).await;
    assert_eq!(stranger, RecurringCreation::AccountUnknown);
}

/// A number and a reference lead to one subscription of an account. A taken number is named first.
pub async fn a_number_and_a_reference_lead_to_one_subscription(stores: &Stores) {
    stores.has_account("shop", "100").await;
    stores.has_account("other", "100").await;
    let made = recurring("shop", 7, "daily");
    assert_eq!(create(stores, &made).await, RecurringCreation::Done);
    assert_eq!(create(stores, &made).await, RecurringCreation::NumberTaken);
    let under = create(stores, &recurring("shop", 8, "daily")).await;
    assert_eq!(under, RecurringCreation::ReferenceTaken);
    let elsewhere = create(stores, &recurring("other", 7, "daily")).await;
    assert_eq!(elsewhere, RecurringCreation::Done);
}

/// A step is written once, with its run, and counts the version on.
pub async fn a_step_is_taken_from_the_version_that_was_read(stores: &Stores) {
    stores.has_account("shop", "100").await;
    let made = recurring("shop", 7, "daily");
    create(stores, &made).await;
    let first = made.payment.clone();
    let begun = first.next(&Daily, at(60));
    let now = take(stores, &made, begun).await;
    assert_eq!(
        step(stores, &first, &begun).await,
        RecurringChange::VersionConflict
    );
    assert_eq!(runs(stores, &made).await, Vec::from_iter(begun.run));
    let run = begun.run.expect("a run");
    let refused = RunFailure::Refused(RunRefusal::Balance);
    let waits = now.failed((run, refused), &Daily, at(61));
    let now = take(stores, &made, waits).await;
    assert_eq!(runs(stores, &made).await, Vec::from_iter(waits.run));
    let again = now.again(now.progress.open.expect("a run in hand"), at(3_661));
    let now = take(stores, &made, again).await;
    let missed = now.missed(now.progress.open.expect("a run in hand"), &Daily, at(3_662));
    let now = take(stores, &made, missed).await;
    assert_eq!(now.progress.open, None);
    let unknown = recurring("shop", 70, "other");
    let lost = step(stores, &unknown.payment, &begun).await;
    assert_eq!(lost, RecurringChange::VersionConflict);
}

/// The runs of a subscription are listed by number, those of one part.
pub async fn the_runs_of_a_subscription_come_in_parts(stores: &Stores) {
    stores.has_account("shop", "100").await;
    let (made, other) = (
        recurring("shop", 7, "daily"),
        recurring("shop", 70, "other"),
    );
    create(stores, &made).await;
    create(stores, &other).await;
    for day in 0..4 {
        let now = Daily.due_at(day + 1);
        let begun = found(stores, &made).await.next(&Daily, now);
        let run = begun.run.expect("a run");
        let begun = take(stores, &made, begun).await;
        take(stores, &made, begun.missed(run, &Daily, now)).await;
    }
    let terms = &made.payment.terms;
    let part = stores
        .recurring
        .recurring_runs(&terms.account, terms.number, 2..=3);
    let part = part.await.expect("list runs").into_iter();
    assert_eq!(part.map(|run| run.number).collect::<Vec<_>>(), [2, 3]);
    assert_eq!(runs(stores, &other).await, []);
}

/// What is due is found, what has waited longest first, and what is put off is not.
pub async fn what_is_due_of_subscriptions_is_found_until_it_is_put_off(stores: &Stores) {
    stores.has_account("shop", "100").await;
    let early = recurring("shop", 7, "early");
    let mut late = recurring("shop", 8, "late");
    late.payment.progress.look_at = Some(at(30));
    create(stores, &early).await;
    create(stores, &late).await;
    assert_eq!(due(stores, at(29)).await, Vec::<u64>::new());
    assert_eq!(due(stores, at(60)).await, [8, 7]);
    let put_off = stores
        .recurring
        .put_off_recurring(key(&late.payment), at(900));
    assert_eq!(put_off.await.expect("put off"), RecurringChange::Done);
    assert_eq!(found(stores, &late).await.version, late.payment.version);
    assert_eq!(due(stores, at(899)).await, [7]);
    let bounded = stores.recurring.bound_recurring_pauses(at(70)).await;
    assert_eq!(bounded.expect("bound pauses"), 1);
    assert_eq!(due(stores, at(70)).await, [7, 8]);
    let paused = early.payment.pause().expect("not over").expect("a step");
    take(stores, &early, paused).await;
    assert_eq!(due(stores, at(900)).await, [8]);
    let stale = stores
        .recurring
        .put_off_recurring(key(&early.payment), at(1));
    assert_eq!(
        stale.await.expect("put off"),
        RecurringChange::VersionConflict
    );
}

/// The subscriptions of an account are listed by the moment they were made.
pub async fn the_subscriptions_of_an_account_come_in_parts(stores: &Stores) {
    stores.has_account("shop", "100").await;
    stores.has_account("other", "100").await;
    for number in 1..=3 {
        let mut made = recurring("shop", 10 - number, &format!("sub-{number}"));
        made.payment.terms.created_at = at(number);
        assert_eq!(create(stores, &made).await, RecurringCreation::Done);
    }
    create(stores, &recurring("other", 1, "theirs")).await;
    let listed = async |page: PageOf| {
        let page = stores
            .recurring
            .recurring_page(&account_id("shop"), page)
            .await;
        let page = page.expect("list subscriptions");
        let numbers = page.payments.iter().map(|it| it.terms.number.get());
        (numbers.collect::<Vec<_>>(), page.total)
    };
    assert_eq!(listed(ALL).await, (vec![9, 8, 7], 3));
    let last = PageOf {
        offset: 1,
        length: 1,
        sort: Sort::Descending,
    };
    assert_eq!(listed(last).await, (vec![8], 3));
}

/// An account has so many subscriptions that are not over, and others beside those that are.
pub async fn the_subscriptions_that_are_not_over_have_a_limit(stores: &Stores) {
    stores.has_account("shop", "100").await;
    for number in 1..=u64::from(RECURRING_MAX) {
        let made = recurring("shop", number, &format!("sub.{number}"));
        assert_eq!(create(stores, &made).await, RecurringCreation::Done);
    }
    let more = recurring("shop", 9_001, "more");
    assert_eq!(create(stores, &more).await, RecurringCreation::TooMany);
    let first = recurring("shop", 1, "sub.1");
    assert_eq!(create(stores, &first).await, RecurringCreation::NumberTaken);
    let cancelled = first.payment.cancel().expect("not over").expect("a step");
    let cancelled = take(stores, &first, cancelled).await;
    assert_eq!(cancelled.progress.status, RecurringStatus::Cancelled);
    assert_eq!(create(stores, &more).await, RecurringCreation::Done);
}

/// Of steps from one version at the same time one is written.
pub async fn of_steps_at_once_one_begins_the_run(stores: &Stores) {
    stores.has_account("shop", "100").await;
    let made = recurring("shop", 7, "daily");
    create(stores, &made).await;
    let begun = made.payment.next(&Daily, at(60));
    let mut racing = JoinSet::new();
    for _ in 0..8 {
        let (stores, of, begun) = (stores.clone(), made.payment.clone(), begun);
        racing.spawn(async move { step(&stores, &of, &begun).await });
    }
    let results = racing.join_all().await;
    let done = results.iter().filter(|it| **it == RecurringChange::Done);
    assert_eq!(done.count(), 1, "{results:?}");
    assert_eq!(runs(stores, &made).await.len(), 1);
}

/// A run that is recorded as bought without a payment of its own is found by the audit.
pub async fn a_run_without_its_payment_is_found(stores: &Stores) {
    stores.has_account("shop", "1000").await;
    let made = recurring("shop", 7, "daily");
    create(stores, &made).await;
    let begun = made.payment.next(&Daily, at(60));
    let run = begun.run.expect("a run");
    let now = take(stores, &made, begun).await;
    assert_eq!(offences(stores).await, Vec::<String>::new());
    take(stores, &made, now.bought(run, at(61))).await;
    assert_eq!(offences(stores).await.len(), 1);
    let payment = airtime().nth(1).reference("sub-7-1");
    stores.commit(payment.keyed("run of it", 1).change()).await;
    assert_eq!(offences(stores).await, Vec::<String>::new());
}

/// A payment of the merchant under the reference of a run is not that of the run.
pub async fn a_payment_of_another_is_not_that_of_a_run(stores: &Stores) {
    stores.has_account("shop", "1000").await;
    let made = recurring("shop", 7, "daily");
    create(stores, &made).await;
    let begun = made.payment.next(&Daily, at(60));
    let run = begun.run.expect("a run");
    let now = take(stores, &made, begun).await;
    let theirs = airtime().nth(1).reference("sub-7-1");
    stores.commit(theirs.keyed("merchant", 1).change()).await;
    take(stores, &made, now.bought(run, at(61))).await;
    assert_eq!(offences(stores).await.len(), 1);
}

async fn offences(stores: &Stores) -> Vec<String> {
    let report = stores.audit.audit(at(120), Serving::No).await;
    let report = report.expect("audit").into_iter();
    let mut checks = report.filter(|check| check.invariant == "I30");
    match checks.next().expect("I30 is checked").outcome {
        CheckOutcome::Broken { offences } => offences,
        CheckOutcome::Holds { .. } | CheckOutcome::NotApplicable { .. } => Vec::new(),
    }
}
