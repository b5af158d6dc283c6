//! What a batch records for endpoints: each event as its own step left the transaction.
#![cfg(test)]

mod model;

use domain::account::AccountStatus;
use domain::change_set::{ChangeSet, StateChange};
use domain::transaction::Transaction;
use domain::webhook::Topic;
use model::ModelTables;
use ports::ledger_store::CommitOutcome;
use storage_sql::planner::{ReadSet, plan};
use storage_sql::record::SubscriberRow;
use testkit::builders::{
    account_id, advance, airtime, at, declined, delivered, funding, not_found, not_sent, pending,
    takeover,
};

fn shop(subscribers: &[(i64, Option<&str>)]) -> ModelTables {
    let tables = ModelTables::default().with_account("shop", 1_000_000, AccountStatus::Active);
    let row = |(endpoint, topics): &(i64, Option<&str>)| SubscriberRow {
        account: "shop".to_owned(),
        endpoint: *endpoint,
        topics: topics.map(str::to_owned),
    };
    ModelTables {
        subscribers: subscribers.iter().map(row).collect(),
        ..tables
    }
}

fn step(advance: &StateChange) -> ChangeSet {
    ChangeSet::Advance(Box::new(advance.clone()))
}

/// Judges and applies change sets in one batch; answers how many were done.
fn together(tables: &mut ModelTables, changes: &[ChangeSet]) -> usize {
    let known = tables.working_set(&ReadSet::of(changes));
    let plan = plan(changes, &known);
    tables.apply(&plan);
    let verdicts = plan.verdicts.iter();
    verdicts
        .filter(|verdict| matches!(verdict, Ok(CommitOutcome::Done)))
        .count()
}

/// An opened purchase and its two next steps, as one batch may hold them all.
fn life(n: u64) -> (ChangeSet, StateChange, StateChange) {
    let opened = airtime().nth(n).priced("1.00");
    let tx = opened.clone().transaction();
    let waiting = advance(&tx, &pending(&tx), at(1));
    let done = advance(
        &waiting.transaction,
        &delivered(&waiting.transaction),
        at(2),
    );
    (opened.change(), waiting, done)
}

/// Endpoint, topic and sequence of what is to be delivered, and the version it shows.
fn announced(tables: &ModelTables) -> Vec<(i64, Topic, i32, i32)> {
    let announced = tables.announced.iter();
    announced
        .map(|(to, topic, key, version)| (*to, *topic, key.sequence, version.unwrap_or_default()))
        .collect()
}

#[test]
fn each_event_of_a_batch_shows_the_transaction_as_its_own_step_left_it() {
    let mut tables = shop(&[(1, None), (2, Some("ping transaction.successful"))]);
    let (opened, waiting, done) = life(1);
    let batch = [opened, step(&waiting), step(&done)];
    assert_eq!(together(&mut tables, &batch), 3);
    let expected = [
        (1, Topic::TransactionPending, 2, 2),
        (1, Topic::TransactionSuccessful, 3, 3),
        (2, Topic::TransactionSuccessful, 3, 3),
    ];
    assert_eq!(announced(&tables), expected);

    let mut apart = shop(&[(1, None), (2, Some("ping transaction.successful"))]);
    for change in &batch {
        together(&mut apart, std::slice::from_ref(change));
    }
    assert_eq!(apart.announced, tables.announced);
}

#[test]
fn a_refused_step_records_nothing_for_anybody() {
    let mut tables = shop(&[(1, None)]);
    let (opened, waiting, _) = life(1);
    let tx = airtime().nth(1).priced("1.00").transaction();
    let stale = advance(&tx, &declined(&tx), at(2));
    let batch = [opened, step(&waiting), step(&stale)];
    assert_eq!(together(&mut tables, &batch), 2);
    assert_eq!(announced(&tables), [(1, Topic::TransactionPending, 2, 2)]);
}

#[test]
fn only_batches_with_public_events_read_the_subscribers() {
    let quiet = |tx: &Transaction| {
        let unanswered = advance(tx, &takeover(tx), at(1)).transaction;
        advance(&unanswered, &not_found(&unanswered), at(700))
    };
    let (opened, waiting, _) = life(1);
    let tx = airtime().nth(1).priced("1.00").transaction();
    let silent = [
        opened,
        step(&advance(&tx, &not_sent(&tx), at(1))),
        step(&quiet(&tx)),
    ];
    assert!(ReadSet::of(&silent).hearing.is_empty());
    let announcing = [step(&waiting)];
    let needs = ReadSet::of(&announcing);
    assert_eq!(needs.hearing.len(), 1);
    assert!(needs.hearing.contains(&account_id("shop")));
}

#[test]
fn a_topic_that_only_a_newer_version_knows_keeps_nothing_from_being_settled() {
    let mut tables = shop(&[(1, Some("account.closed transaction.successful"))]);
    let (opened, waiting, done) = life(1);
    let batch = [opened, step(&waiting), step(&done)];
    assert_eq!(together(&mut tables, &batch), 3);
    let expected = [(1, Topic::TransactionSuccessful, 3, 3)];
    assert_eq!(announced(&tables), expected);
}

fn warned(available: i64, below: i64) -> ModelTables {
    let mut tables = shop(&[(1, Some("account.low_balance"))]);
    for row in tables.wallets.values_mut() {
        row.available = available;
        row.low_balance_threshold = Some(below);
    }
    tables
}

#[test]
fn subscribers_of_a_low_balance_are_read_only_where_one_may_become_low() {
    let asked = |available, change: &ChangeSet| {
        let tables = warned(available, 1_000);
        let needs = ReadSet::of(std::slice::from_ref(change));
        let known = tables.working_set(&ReadSet::default());
        assert!(needs.may_fall_low(&known).is_empty(), "nothing is known");
        let known = tables.working_set(&needs);
        known.subscribers.len()
    };
    let pays = airtime().nth(1).priced("1.00").change();
    assert_eq!(asked(1_000, &pays), 1, "it falls below");
    assert_eq!(asked(1_099, &pays), 1, "it falls below by a kobo");
    assert_eq!(asked(1_100, &pays), 0, "it stays above");
    assert_eq!(asked(999, &pays), 0, "it is below");
}

#[test]
fn a_batch_reports_every_fall_and_nothing_else() {
    let mut tables = warned(1_000, 1_000);
    let buys = |n| airtime().nth(n).priced("1.00").change();
    let pays_in = |n: u64| {
        let name = format!("slip-{n}");
        ChangeSet::Fund(funding("shop", &name, "1.00"))
    };
    let batch = [
        buys(1),
        buys(2),
        pays_in(1),
        pays_in(2),
        buys(3),
        pays_in(3),
    ];
    assert_eq!(together(&mut tables, &batch), 6);
    let low = (1, Topic::AccountLowBalance, 0, 0);
    assert_eq!(announced(&tables), [low, low]);

    let mut apart = warned(1_000, 1_000);
    for change in &batch {
        together(&mut apart, std::slice::from_ref(change));
    }
    assert_eq!(apart.announced, tables.announced);
}
