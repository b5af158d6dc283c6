//! Every check of the audit can fail: each is shown the offence it is there for, planted past the
//! triggers and constraints that would have stopped it.
#![cfg(test)]

use domain::change_set::ChangeSet;
use ports::accounts::Accounts;
use ports::audit::{Audit, CheckOutcome, CheckResult, Serving};
use ports::books::{Books, Committed};
use sqlite::{Options, Store};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};
use std::path::Path;
use testkit::builders::{START, account, at};
use testkit::strategies::gallery;

/// A store in which every kind of transaction has happened.
async fn lived_in(dir: &Path) -> Store {
    let store = Store::connect(dir, Options::default()).await.unwrap();
    let histories = gallery();
    let mut owners: Vec<_> = histories
        .iter()
        .map(|it| it.opening.transaction.account.to_string())
        .collect();
    owners.sort();
    owners.dedup();
    for owner in owners {
        let new = account(&owner).with_balance("10,000,000.00").new_account();
        store.create(&new).await.unwrap();
    }
    for mut history in histories {
        let opening = ChangeSet::Open(Box::new(history.opening));
        assert_eq!(store.commit(opening).await.unwrap(), Committed::Done);
        for step in history.steps.drain(..) {
            let step = ChangeSet::Advance(Box::new(step));
            assert_eq!(store.commit(step).await.unwrap(), Committed::Done);
        }
    }
    store
}

async fn raw(dir: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(dir.join("manilla.db"));
    let options = options
        .foreign_keys(false)
        .pragma("ignore_check_constraints", "on");
    options.connect().await.unwrap()
}

async fn run(connection: &mut SqliteConnection, sql: &str) {
    sqlx::raw_sql(AssertSqlSafe(sql.to_owned()))
        .execute(connection)
        .await
        .unwrap();
}

/// Plants rows while the triggers look away.
async fn plant(dir: &Path, sql: &str) {
    let mut connection = raw(dir).await;
    let triggers: Vec<(String, String)> =
        sqlx::query_as("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
            .fetch_all(&mut connection)
            .await
            .unwrap();
    for (name, _) in &triggers {
        run(&mut connection, &format!("DROP TRIGGER {name}")).await;
    }
    run(&mut connection, sql).await;
    for (_, sql) in &triggers {
        run(&mut connection, sql).await;
    }
    connection.close().await.unwrap();
}

fn outcome(results: &[CheckResult], invariant: &str) -> CheckOutcome {
    let result = results.iter().find(|result| result.invariant == invariant);
    result
        .unwrap_or_else(|| panic!("{invariant} is not judged"))
        .outcome
        .clone()
}

/// The lines that break an invariant; none where it holds.
fn offences_against(results: &[CheckResult], invariant: &str) -> Vec<String> {
    match outcome(results, invariant) {
        CheckOutcome::Broken { offences } => offences,
        CheckOutcome::Holds { .. } | CheckOutcome::NotApplicable { .. } => Vec::new(),
    }
}

/// Plants each offence in a store of its own; the invariant must be broken by a line that says so.
async fn check(invariant: &str, offences: &[(&str, &str)]) {
    let template = tempfile::tempdir().unwrap();
    let store = lived_in(template.path()).await;
    let clean = store.audit(START, Serving::Yes).await.unwrap();
    assert!(matches!(outcome(&clean, invariant), CheckOutcome::Holds { examined } if examined > 0));
    store.close().await;
    for (sql, expected) in offences {
        let dir = tempfile::tempdir().unwrap();
        let file = "manilla.db";
        std::fs::copy(template.path().join(file), dir.path().join(file)).unwrap();
        plant(dir.path(), sql).await;
        let store = Store::connect(dir.path(), Options::default())
            .await
            .unwrap();
        let results = store.audit(START, Serving::Yes).await.unwrap();
        let lines = offences_against(&results, invariant);
        let said = lines.iter().any(|line| line.contains(expected));
        assert!(
            said,
            "{invariant} after {sql}: {lines:#?} do not say {expected:?}"
        );
        store.close().await;
    }
}

#[tokio::test]
async fn a_store_in_which_everything_has_happened_is_clean() {
    let dir = tempfile::tempdir().unwrap();
    let store = lived_in(dir.path()).await;
    for result in store.audit(START, Serving::Yes).await.unwrap() {
        assert!(
            matches!(result.outcome, CheckOutcome::Holds { examined } if examined > 0),
            "{result:?}"
        );
    }
    let idle = store.audit(at(1_000_000), Serving::No).await.unwrap();
    assert!(matches!(
        outcome(&idle, "I13"),
        CheckOutcome::NotApplicable { .. }
    ));
}

#[tokio::test]
async fn i1_finds_a_transfer_between_the_wrong_accounts() {
    let offences = [
        (
            "UPDATE transfers SET amount = 0 WHERE kind = 'hold'",
            "hold of 0 NGN",
        ),
        (
            "UPDATE transfers SET credit_kind = 'loss' WHERE kind = 'hold'",
            "to loss",
        ),
        (
            "UPDATE transfers SET credit_holder = 'x' WHERE kind = 'capture'",
            "to float x",
        ),
        (
            "UPDATE transfers SET debit_holder = 'x' WHERE kind = 'release'",
            "from held x",
        ),
        (
            "UPDATE transfers SET kind = 'gift' WHERE kind = 'loss'",
            "gift of",
        ),
        (
            "UPDATE transfers SET currency = 'USD' WHERE kind = 'margin'",
            "USD",
        ),
        (
            "UPDATE transfers SET transaction_id = NULL WHERE kind = 'charge'",
            "transaction none",
        ),
    ];
    check("I1", &offences).await;
}

#[tokio::test]
async fn i2_finds_a_wallet_that_its_transfers_do_not_make() {
    let offences = [
        (
            "UPDATE wallets SET available = available + 1",
            "its transfers leave",
        ),
        (
            "UPDATE wallets SET held = held + 1",
            "its open transactions cost",
        ),
        ("UPDATE wallets SET available = -1", "available -1"),
        (
            "UPDATE wallets SET debits = debits + 1",
            "its statement has",
        ),
        (
            "UPDATE transfers SET available_after = available_after + 1 WHERE kind = 'hold'",
            "shows",
        ),
        (
            "UPDATE transfers SET position = position + 1000 WHERE kind = 'fund'",
            "statement line 1001",
        ),
        (
            "UPDATE transfers SET account = NULL, direction = NULL, position = NULL, nth = NULL,
                available_after = NULL WHERE kind = 'release'",
            "is on no statement",
        ),
        (
            "UPDATE transfers SET debit_holder = 'x' WHERE kind = 'hold'",
            "transfers of x",
        ),
    ];
    check("I2", &offences).await;
}

#[tokio::test]
async fn i3_finds_a_hold_that_is_missing_doubled_or_never_ends() {
    let again = |kind: &str, into: &str| {
        format!(
            "DROP INDEX transfers_once; DROP INDEX transfers_settled_once;
            INSERT INTO transfers
                (transaction_id, kind, debit_kind, credit_kind, amount, currency, at)
            SELECT transaction_id, '{into}', debit_kind, credit_kind, amount, currency, at
            FROM transfers WHERE kind = '{kind}' LIMIT 1"
        )
    };
    let offences = [
        ("DELETE FROM transfers WHERE kind = 'hold'", "with 0 holds"),
        ("DELETE FROM transfers WHERE kind = 'capture'", "0 captures"),
        ("DELETE FROM transfers WHERE kind = 'release'", "0 releases"),
        (
            "DELETE FROM transfers WHERE kind = 'reversal'",
            "0 reversals",
        ),
        (&again("hold", "hold"), "with 2 holds"),
        (&again("capture", "release"), "1 captures, 1 releases"),
        (&again("release", "release"), "2 releases"),
        (
            "UPDATE transactions SET state = 'in_doubt' WHERE state = 'successful'",
            "is in_doubt",
        ),
    ];
    check("I3", &offences).await;
}

#[tokio::test]
async fn i4_finds_a_second_undecided_attempt_or_none() {
    let offences = [
        (
            "UPDATE attempts SET state = 'in_doubt' WHERE state = 'delivered'",
            "is successful with 1",
        ),
        (
            "UPDATE attempts SET state = 'disproven' WHERE state = 'sending'",
            "with 0 undecided",
        ),
        (
            "DROP INDEX attempts_open;
            UPDATE attempts SET state = 'sending' WHERE state = 'disproven'",
            "with 2 undecided",
        ),
    ];
    check("I4", &offences).await;
}

#[tokio::test]
async fn i5_finds_an_end_without_evidence_and_an_attempt_too_early() {
    let offences = [
        (
            "UPDATE attempts SET evidence = NULL WHERE state = 'disproven'",
            "with evidence none",
        ),
        (
            "UPDATE attempts SET ended_at = NULL WHERE state = 'delivered'",
            "is delivered",
        ),
        (
            "DELETE FROM attempts WHERE number = 1 AND transaction_id IN
                (SELECT transaction_id FROM attempts WHERE number = 2)",
            "follows one that is missing",
        ),
        (
            "DROP INDEX attempts_open; UPDATE attempts SET state = 'in_doubt' WHERE number = 1",
            "follows one that is in_doubt",
        ),
    ];
    check("I5", &offences).await;
}

#[tokio::test]
async fn i6_finds_a_success_without_a_delivery_and_a_delivery_without_success() {
    let offences = [
        (
            "UPDATE attempts SET state = 'disproven' WHERE state = 'delivered'",
            "with 0 delivered",
        ),
        (
            "UPDATE attempts SET state = 'delivered' WHERE state = 'disproven'",
            "is failed with",
        ),
        (
            "UPDATE attempts SET state = 'delivered' WHERE state = 'reversed'",
            "0 reversed",
        ),
    ];
    check("I6", &offences).await;
}

#[tokio::test]
async fn i8_finds_an_attempt_that_nobody_recorded() {
    let offences = [
        (
            "DELETE FROM attempts WHERE number = 1",
            "0 attempts, 1 announced",
        ),
        (
            "DELETE FROM events WHERE kind = 'resent'",
            "2 attempts, 1 announced",
        ),
        (
            "UPDATE attempts SET started_at = started_at + 1 WHERE number = 1",
            "first started at",
        ),
        (
            "UPDATE attempts SET ended_at = started_at - 1",
            "ended before it started",
        ),
    ];
    check("I8", &offences).await;
}

#[tokio::test]
async fn i9_finds_a_transaction_that_nobody_can_ask_for() {
    let offences = [
        (
            "UPDATE transactions SET account = 'nobody' WHERE id = 1",
            "\"nobody\"",
        ),
        (
            "INSERT INTO accounts VALUES ('lone', 'Lone', 'active', 'NGN', 'UTC', 0)",
            "account lone has no wallet",
        ),
        (
            "INSERT INTO attempts VALUES (99999, 1, 'sending', NULL, 'x', 0, NULL, NULL)",
            "row 99999",
        ),
        (
            "UPDATE transactions SET progress = '{}' WHERE id = 2",
            "cannot be read",
        ),
        (
            "UPDATE transactions SET purchase = replace(purchase, 'NGN', 'EUR') WHERE id = 2",
            "cannot be read",
        ),
        (
            "UPDATE transactions SET price = price + 1 WHERE id = 3",
            ": its columns differ",
        ),
        (
            "UPDATE transactions SET service = 'gift' WHERE id = 3",
            ": its columns differ",
        ),
    ];
    check("I9", &offences).await;
}

#[tokio::test]
async fn i10_finds_a_name_that_leads_to_two_things() {
    let offences = [
        (
            "DROP INDEX transactions_reference; UPDATE transactions SET reference = 'same'",
            "reference same of",
        ),
        (
            "DROP INDEX transactions_number; UPDATE transactions SET number = 7",
            "number 7 is used by",
        ),
        (
            "DROP INDEX transactions_key;
            UPDATE transactions SET idempotency_key = 'same', meaning = zeroblob(32)",
            "idempotency key same",
        ),
        (
            "DROP INDEX attempts_provider_reference;
            UPDATE attempts SET provider_reference = 'same'",
            "provider reference same",
        ),
        (
            "DROP INDEX fundings_reference; DROP INDEX fundings_transfer;
            INSERT INTO fundings SELECT * FROM fundings",
            "is used 2 times",
        ),
    ];
    check("I10", &offences).await;
}

#[tokio::test]
async fn i11_finds_a_gap_in_the_events() {
    let offences = [
        ("DELETE FROM events WHERE sequence = 1", "events from 2"),
        (
            "DELETE FROM events WHERE kind = 'successful'",
            "is at sequence",
        ),
        (
            "UPDATE transactions SET sequence = sequence + 1",
            "is at sequence",
        ),
        (
            "UPDATE events SET kind = 'pending' WHERE sequence = 1",
            "begins with pending",
        ),
        (
            "UPDATE events SET kind = 'opened' WHERE sequence = 2",
            "is opened again by event 2",
        ),
    ];
    check("I11", &offences).await;
}

#[tokio::test]
async fn i12_finds_rows_that_were_taken_away() {
    let offences = [
        ("DELETE FROM transfers WHERE id = 5", "transfer 6 follows 4"),
        ("DELETE FROM transfers WHERE id = 1", "transfer 2 follows 0"),
        (
            "DELETE FROM transactions WHERE id = 2",
            "is row 3 and follows 1",
        ),
        ("DELETE FROM fundings", "brings money in without a funding"),
        ("DELETE FROM transfers WHERE kind = 'fund'", "is not booked"),
    ];
    check("I12", &offences).await;
}

#[tokio::test]
async fn i12_finds_a_trigger_that_is_missing_changed_or_foreign() {
    let changed = "DROP TRIGGER events_no_delete;
        CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN SELECT 1; END";
    let foreign = "CREATE TRIGGER thief AFTER INSERT ON transfers BEGIN SELECT 1; END";
    let offences = [
        (
            "DROP TRIGGER transfers_no_update",
            "trigger transfers_no_update is missing",
        ),
        (changed, "trigger events_no_delete was changed"),
        (foreign, "trigger thief is not ours"),
    ];
    for (sql, expected) in offences {
        let dir = tempfile::tempdir().unwrap();
        let store = lived_in(dir.path()).await;
        run(&mut raw(dir.path()).await, sql).await;
        let results = store.audit(START, Serving::No).await.unwrap();
        let lines = offences_against(&results, "I12");
        assert!(
            lines.iter().any(|line| line.contains(expected)),
            "{sql}: {lines:?}"
        );
    }
}

#[tokio::test]
async fn i13_finds_what_nobody_looks_after_while_a_server_runs() {
    let due = |before_ms: i64| {
        let due = START.as_millis() - before_ms;
        format!("UPDATE transactions SET due_at = {due} WHERE state = 'in_doubt'")
    };
    let offences = [
        (due(120_001), "has been due since"),
        (
            "UPDATE transactions SET due_at = NULL WHERE state = 'sending'".to_owned(),
            "will never be looked at",
        ),
    ];
    let offences = offences.each_ref().map(|(sql, said)| (sql.as_str(), *said));
    check("I13", &offences).await;
    let dir = tempfile::tempdir().unwrap();
    let store = lived_in(dir.path()).await;
    plant(dir.path(), &due(120_000)).await;
    let results = store.audit(START, Serving::Yes).await.unwrap();
    assert!(matches!(
        outcome(&results, "I13"),
        CheckOutcome::Holds { .. }
    ));
}

#[tokio::test]
async fn i14_finds_a_life_after_the_end() {
    let after = |end: &str, then: &str| {
        format!(
            "INSERT OR IGNORE INTO events
            SELECT transaction_id, sequence + 1, '{then}', at FROM events WHERE kind = '{end}'"
        )
    };
    let offences = [
        (after("successful", "pending"), "tells pending as event"),
        (after("failed", "reversed"), "tells reversed as event"),
        (after("failed", "successful"), "tells successful as event"),
        (
            "UPDATE transactions SET state = 'failed' WHERE state = 'successful'".to_owned(),
            "is failed but tells of being successful",
        ),
        (
            "UPDATE transactions SET state = 'in_doubt' WHERE state = 'successful'".to_owned(),
            "is in_doubt with 0 reversals told and 1 ends",
        ),
        (
            "DELETE FROM events WHERE kind = 'successful'".to_owned(),
            "is successful but tells of being open",
        ),
    ];
    let offences = offences.each_ref().map(|(sql, said)| (sql.as_str(), *said));
    check("I14", &offences).await;
}

#[tokio::test]
async fn i15_finds_money_out_of_nothing() {
    let offences = [
        (
            "UPDATE wallets SET available = available + 1",
            "all balances in NGN together are",
        ),
        (
            "UPDATE transfers SET amount = amount + 1 WHERE kind = 'fund'",
            "all balances in NGN",
        ),
    ];
    check("I15", &offences).await;
}

#[tokio::test]
async fn i16_finds_another_price_than_the_one_quoted() {
    let offences = [
        (
            "UPDATE transfers SET amount = amount + 1 WHERE kind = 'hold'",
            "hold of",
        ),
        (
            "UPDATE transfers SET amount = amount + 1 WHERE kind = 'capture'",
            "capture of",
        ),
        (
            "UPDATE transfers SET amount = amount + 1 WHERE kind = 'release'",
            "release of",
        ),
        (
            "UPDATE transfers SET amount = amount + 1 WHERE kind = 'reversal'",
            "reversal of",
        ),
        (
            "UPDATE transfers SET amount = amount + 1 WHERE kind = 'loss'",
            "loss of",
        ),
        (
            "UPDATE transfers SET amount = amount + 1 WHERE kind = 'margin'",
            "leaves its provider",
        ),
        (
            "DELETE FROM transfers WHERE kind = 'loss'",
            "has 0 losses for 1",
        ),
    ];
    check("I16", &offences).await;
}
