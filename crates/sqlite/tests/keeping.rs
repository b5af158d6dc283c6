//! What was acknowledged stays: across restarts, crashes, hang-ups and other processes.
#![cfg(test)]

use domain::change_set::{Advance, ChangeSet};
use domain::event::Event;
use domain::ledger::TransferKind;
use domain::provider::{Outcome, Refusal};
use domain::statement::{Direction, Sort, StatementQuery};
use ports::PortError;
use ports::accounts::Accounts;
use ports::audit::{Audit, CheckOutcome, Serving};
use ports::books::{Books, Committed};
use ports::transactions::{Claim, Leases, Transactions};
use sqlite::{Options, Store};
use sqlx::ConnectOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use testkit::builders::{
    START, account, account_id, advance, advance_due, airtime, answer, at, delivered, funding,
    kobo, number, pending, reference,
};
use tokio::task::JoinSet;

async fn open(dir: &Path) -> Arc<Store> {
    Arc::new(Store::connect(dir, Options::default()).await.unwrap())
}

async fn shop_with(dir: &Path, balance: &str) -> Arc<Store> {
    let store = open(dir).await;
    let new = account("shop").with_balance(balance).new_account();
    store.create(&new).await.unwrap();
    store
}

async fn raw(dir: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(dir.join("manilla.db"));
    options.connect().await.unwrap()
}

async fn is_clean(store: &Store) {
    for result in store.audit(START, Serving::Yes).await.unwrap() {
        assert!(
            matches!(result.outcome, CheckOutcome::Holds { .. }),
            "{result:?}"
        );
    }
}

fn buy(n: u64) -> ChangeSet {
    airtime().nth(n).priced("1.00").change()
}

fn whole(error: &PortError) -> String {
    let cause = std::error::Error::source(error).map(ToString::to_string);
    format!("{error}: {}", cause.unwrap_or_default())
}

#[tokio::test]
async fn a_store_opened_again_holds_what_it_held() {
    let dir = tempfile::tempdir().unwrap();
    let store = shop_with(dir.path(), "100.00").await;
    let tx = airtime().priced("60.00").transaction();
    let opened = store
        .commit(airtime().priced("60.00").change())
        .await
        .unwrap();
    assert_eq!(opened, Committed::Done);
    store.close().await;
    let closed = store.commit(buy(2)).await.unwrap_err();
    assert!(whole(&closed).contains("closed"), "{closed:?}");

    let store = open(dir.path()).await;
    let shop = account_id("shop");
    assert_eq!(
        store.by_reference(&shop, &tx.reference).await.unwrap(),
        Some(tx.clone())
    );
    let wallet = store.wallet(&shop).await.unwrap().unwrap();
    assert_eq!((wallet.available, wallet.held), (kobo(4_000), kobo(6_000)));
    let again = store
        .commit(airtime().nth(2).reference("order-1").change())
        .await
        .unwrap();
    assert_eq!(again, Committed::ReferenceTaken(Box::new(tx)));
    is_clean(&store).await;
}

#[tokio::test]
async fn a_store_that_was_never_closed_loses_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let store = shop_with(dir.path(), "100.00").await;
    assert_eq!(store.commit(buy(1)).await.unwrap(), Committed::Done);
    // The files as a crash at this moment leaves them: database and log, no word of goodbye.
    let crashed = tempfile::tempdir().unwrap();
    for file in ["manilla.db", "manilla.db-wal"] {
        std::fs::copy(dir.path().join(file), crashed.path().join(file)).unwrap();
    }
    let revived = open(crashed.path()).await;
    let shop = account_id("shop");
    assert!(
        revived
            .by_reference(&shop, &reference("order-1"))
            .await
            .unwrap()
            .is_some()
    );
    is_clean(&revived).await;
}

#[tokio::test]
async fn a_file_of_a_newer_version_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    open(dir.path()).await.close().await;
    let sql =
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
        VALUES (9999, 'from the future', true, x'00', 0)";
    sqlx::query(sql)
        .execute(&mut raw(dir.path()).await)
        .await
        .unwrap();
    let error = Store::connect(dir.path(), Options::default())
        .await
        .unwrap_err();
    assert!(
        error.to_string().contains("written by a newer version"),
        "{error}"
    );
}

#[tokio::test]
async fn many_processes_may_create_one_store_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let mut starting = JoinSet::new();
    for _ in 0..8 {
        let dir = dir.path().to_owned();
        starting.spawn(async move { open(&dir).await.close().await });
    }
    starting.join_all().await;
    is_clean(&*open(dir.path()).await).await;
}

#[cfg(unix)]
#[tokio::test]
async fn nobody_else_may_read_the_files_whoever_may_look_into_the_folder() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let open_to_all = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(dir.path(), open_to_all).unwrap();
    let store = shop_with(dir.path(), "1.00").await;
    for file in ["manilla.db", "manilla.db-wal", "manilla.db-shm"] {
        let mode = std::fs::metadata(dir.path().join(file))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600, "{file}");
    }
    store.close().await;
}

#[tokio::test]
async fn what_was_written_cannot_be_changed_or_deleted() {
    let dir = tempfile::tempdir().unwrap();
    let store = shop_with(dir.path(), "100.00").await;
    store.commit(buy(1)).await.unwrap();
    let mut connection = raw(dir.path()).await;
    let refused = [
        ("UPDATE transfers SET amount = amount + 1", "append-only"),
        ("DELETE FROM transfers", "append-only"),
        ("UPDATE events SET kind = 'failed'", "append-only"),
        ("DELETE FROM events", "append-only"),
        ("UPDATE fundings SET at = 0", "append-only"),
        ("DELETE FROM fundings", "append-only"),
        ("DELETE FROM transactions", "never deleted"),
        ("UPDATE transactions SET price = 1", "frozen"),
        ("UPDATE transactions SET reference = 'x'", "frozen"),
        ("UPDATE transactions SET purchase = '{}'", "frozen"),
        ("DELETE FROM attempts", "never deleted"),
        ("UPDATE attempts SET provider_reference = 'x'", "frozen"),
        ("DELETE FROM wallets", "never deleted"),
        ("DELETE FROM accounts", "never deleted"),
        ("DELETE FROM api_keys", "never deleted"),
        ("UPDATE wallets SET available = -1", "wallets_available"),
        ("UPDATE wallets SET held = -1", "wallets_held"),
    ];
    for (sql, expected) in refused {
        let error = sqlx::query(sql)
            .execute(&mut connection)
            .await
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{sql}: {error}");
    }
    is_clean(&store).await;
}

/// A step that the guards let pass and a constraint does not: its event has a number that is taken.
fn poisoned(n: u64) -> ChangeSet {
    let tx = airtime().nth(n).priced("1.00").transaction();
    let step = advance(&tx, &delivered(&tx), at(1));
    ChangeSet::Advance(Box::new(Advance {
        event: step.event.map(|event| Event {
            sequence: 1,
            ..event
        }),
        ..step
    }))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_that_breaks_a_constraint_never_fails_the_others() {
    let dir = tempfile::tempdir().unwrap();
    let store = shop_with(dir.path(), "1,000.00").await;
    assert_eq!(store.commit(buy(1)).await.unwrap(), Committed::Done);
    let mut callers = JoinSet::new();
    for n in 1..=64 {
        let store = store.clone();
        let change = if n == 32 { poisoned(1) } else { buy(n + 100) };
        callers.spawn(async move { (n, store.commit(change).await) });
    }
    for (n, verdict) in callers.join_all().await {
        match verdict {
            Ok(verdict) => assert!(n != 32 && verdict == Committed::Done, "{n}: {verdict:?}"),
            Err(error) => {
                assert_eq!(n, 32, "{error:?}");
                assert!(whole(&error).contains("events.sequence"), "{error:?}");
            }
        }
    }
    let shop = account_id("shop");
    let untouched = store
        .by_reference(&shop, &reference("order-1"))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(untouched.version, 1);
    is_clean(&store).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_processes_on_one_file_spend_the_last_kobo_once() {
    let dir = tempfile::tempdir().unwrap();
    let one = shop_with(dir.path(), "10.00").await;
    let other = open(dir.path()).await;
    let mut callers = JoinSet::new();
    for n in 1..=60 {
        let store = if n % 2 == 0 {
            one.clone()
        } else {
            other.clone()
        };
        callers.spawn(async move { store.commit(buy(n)).await.unwrap() });
    }
    let verdicts = callers.join_all().await;
    let done = verdicts
        .iter()
        .filter(|verdict| **verdict == Committed::Done)
        .count();
    let refused = verdicts
        .iter()
        .filter(|verdict| **verdict == Committed::InsufficientFunds);
    assert_eq!((done, refused.count()), (10, 50));
    is_clean(&one).await;
    is_clean(&other).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn callers_who_hang_up_leave_a_store_that_works() {
    let dir = tempfile::tempdir().unwrap();
    let store = shop_with(dir.path(), "1,000.00").await;
    for round in 0..20 {
        let mut callers = JoinSet::new();
        for n in 1..=10 {
            let store = store.clone();
            let id = account_id("shop");
            callers.spawn(async move {
                store.commit(buy(round * 10 + n)).await.unwrap();
                store
                    .by_reference(&id, &reference("order-1"))
                    .await
                    .unwrap();
                store.audit(START, Serving::No).await.unwrap();
                store
                    .add_key(&id, &testkit::builders::key(1))
                    .await
                    .unwrap();
            });
        }
        tokio::task::yield_now().await;
        callers.abort_all();
        while callers.join_next().await.is_some() {}
    }
    assert_eq!(store.commit(buy(9_999)).await.unwrap(), Committed::Done);
    let shop = account_id("shop");
    assert!(
        store
            .by_reference(&shop, &reference("order-9999"))
            .await
            .unwrap()
            .is_some()
    );
    is_clean(&store).await;
}

#[tokio::test]
async fn words_of_a_provider_come_back_to_the_letter() {
    let dir = tempfile::tempdir().unwrap();
    let store = shop_with(dir.path(), "100.00").await;
    store.commit(buy(1)).await.unwrap();
    let tx = airtime().priced("1.00").transaction();
    let refusal = Refusal {
        code: "\u{0}\u{1}'\"\\".into(),
        reason: "a\u{0}b \u{7f} \u{2028} \u{10ffff} \\u0000 {\"v\":2} Ọ̀ṣun".into(),
    };
    let step = advance(&tx, &answer(&tx, Outcome::Declined(refusal)), at(1));
    let change = ChangeSet::Advance(Box::new(step.clone()));
    assert_eq!(store.commit(change).await.unwrap(), Committed::Done);
    let stored = store
        .by_reference(&tx.account, &tx.reference)
        .await
        .unwrap();
    assert_eq!(stored, Some(step.transaction));

    let narration = "cheque \u{0} 'no. 1' \"\\\" 🔌";
    let paid_in = domain::change_set::Funding {
        narration: narration.into(),
        ..funding("shop", "cheque", "1.00")
    };
    store.commit(ChangeSet::Fund(paid_in)).await.unwrap();
    let newest = StatementQuery {
        offset: 0,
        length: 1,
        sort: Sort::Descending,
        reference: None,
        direction: Some(Direction::Credit),
    };
    let page = store.statement(&tx.account, &newest).await.unwrap();
    assert_eq!(page.entries[0].narration, narration);
}

#[tokio::test]
async fn a_damaged_record_is_an_error_that_names_the_transaction_and_stops_nobody_else() {
    let dir = tempfile::tempdir().unwrap();
    let store = shop_with(dir.path(), "100.00").await;
    for n in [1, 2] {
        assert_eq!(store.commit(buy(n)).await.unwrap(), Committed::Done);
    }
    let damage = "UPDATE transactions SET progress = '{\"v\":1' WHERE number = 1";
    sqlx::query(damage)
        .execute(&mut raw(dir.path()).await)
        .await
        .unwrap();
    let shop = account_id("shop");
    let error = store
        .by_reference(&shop, &reference("order-1"))
        .await
        .unwrap_err();
    assert!(
        error.to_string().contains("transaction 1 cannot be read"),
        "{error}"
    );
    assert!(
        store
            .by_reference(&shop, &reference("order-2"))
            .await
            .unwrap()
            .is_some()
    );
    let error = store.commit(buy(1)).await.unwrap_err();
    assert!(
        error.to_string().contains("transaction 1 cannot be read"),
        "{error}"
    );
    assert_eq!(store.commit(buy(3)).await.unwrap(), Committed::Done);
    let kinds: Vec<_> = store.transfers(number(3)).await.unwrap();
    assert_eq!(
        kinds.iter().map(|it| it.kind).collect::<Vec<_>>(),
        [TransferKind::Hold]
    );
}

#[tokio::test]
async fn what_was_followed_up_belongs_to_nobody_and_waits_for_its_time() {
    let dir = tempfile::tempdir().unwrap();
    let store = shop_with(dir.path(), "100.00").await;
    let opening = airtime().priced("1.00").due_at(at(10));
    let tx = opening.clone().transaction();
    assert_eq!(
        store.commit(opening.change()).await.unwrap(),
        Committed::Done
    );
    let claim = Claim {
        now: at(10),
        lease: Duration::from_hours(1),
        limit: 10,
    };
    let claimed = store.claim_due(claim).await.unwrap();
    assert_eq!(claimed, std::slice::from_ref(&tx));
    let step = advance_due(&tx, &pending(&tx), Some(at(500)));
    let change = ChangeSet::Advance(Box::new(step));
    assert_eq!(store.commit(change).await.unwrap(), Committed::Done);
    assert_eq!(store.reclaim_orphans(at(20)).await.unwrap(), 0);
    let now = at(499);
    assert_eq!(store.claim_due(Claim { now, ..claim }).await.unwrap(), []);
    let now = at(500);
    assert_eq!(
        store.claim_due(Claim { now, ..claim }).await.unwrap().len(),
        1
    );
}
