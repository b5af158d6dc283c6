//! The schema is made once, whole or not at all, and only used where it is the one that this
//! version made.

use crate::stage::{buy, database, has_account, is_clean, open, whole};
use domain::change_set::ChangeSet;
use ports::ledger_store::{CommitOutcome, LedgerStore};
use ports::transactions::Transactions;
use postgres::{PostgresOptions, PostgresStore, Roles, migrate, plan_migration};
use postgres_cluster::{Cluster, TestDatabase};
use sqlx::Connection as _;
use storage_sql::row_macs::RowsWithoutCode;
use testkit::builders::{START, account_id, airtime, funding, kobo, reference};
use tokio::task::JoinSet;

const TABLES: &str = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public';";

async fn refusal(database: &TestDatabase) -> String {
    let reported = PostgresStore::connect(
        &database.url(),
        &PostgresOptions::default(),
        crate::stage::sealing(),
    )
    .await;
    reported.unwrap_err().to_string()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_that_migrate_at_once_migrate_once() {
    let database = Cluster::shared().database();
    let mut migrating = JoinSet::new();
    for _ in 0..6 {
        let url = database.url();
        migrating.spawn(async move { migrate(&url, &Roles::default()).await.unwrap() });
    }
    let migrated = migrating.join_all().await;
    let ran = migrated.iter().filter(|reported| !reported.run.is_empty());
    assert_eq!(ran.count(), 1);
    assert!(
        migrated
            .iter()
            .all(|reported| reported.version == migrated[0].version)
    );
    is_clean(&*open(&database.url()).await).await;
}

#[tokio::test]
async fn a_plan_names_what_would_be_run_and_changes_nothing() {
    let database = Cluster::shared().database();
    let plan = plan_migration(&database.url()).await.unwrap();
    assert_eq!(database.psql(TABLES), "0", "planning makes nothing");
    let migrated = migrate(&database.url(), &Roles::default()).await.unwrap();
    let names: Vec<_> = plan.pending.iter().map(|(_, name, _)| *name).collect();
    assert_eq!((plan.version, names), (0, migrated.run));
    let after = plan_migration(&database.url()).await.unwrap();
    assert_eq!((after.version, after.pending), (migrated.version, vec![]));
}

/// What waits for a lock keeps everything else waiting that comes after it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_migration_that_waits_for_a_lock_lets_others_pass_and_is_made_later() {
    let database = database().await;
    let url = database.url();
    let held = held_for_seconds(&database);
    let migrated = migrate(&url, &Roles::default()).await.unwrap();
    assert_eq!(migrated.run, [""; 0]);
    assert!(held.is_finished(), "it did not wait");
    held.join().expect("the lock was held");
}

/// Holds the table of versions for some seconds, as a dump or a long transaction may.
fn held_for_seconds(database: &TestDatabase) -> std::thread::JoinHandle<()> {
    let (url, (locked, is_locked)) = (database.url(), std::sync::mpsc::channel());
    let held = std::thread::spawn(move || {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(async {
            let connected = sqlx::postgres::PgConnection::connect(&url).await;
            let mut connection = connected.expect("a connection");
            let hold = "BEGIN; LOCK TABLE schema_versions IN ACCESS EXCLUSIVE MODE";
            sqlx::raw_sql(hold)
                .execute(&mut connection)
                .await
                .expect("the lock");
            locked.send(()).expect("it is waited for");
            let hold = "SELECT pg_sleep(4); COMMIT";
            sqlx::raw_sql(hold)
                .execute(&mut connection)
                .await
                .expect("the end");
        });
    });
    is_locked.recv().expect("the lock is held");
    held
}

#[tokio::test]
async fn migrating_again_does_nothing() {
    let database = database().await;
    let before = database.psql("SELECT * FROM schema_versions ORDER BY version;");
    let again = migrate(&database.url(), &Roles::default()).await.unwrap();
    assert_eq!(again.run, [""; 0]);
    let after = database.psql("SELECT * FROM schema_versions ORDER BY version;");
    assert_eq!(before, after);
}

#[tokio::test]
async fn a_database_without_a_schema_is_refused_with_the_command_that_creates_it() {
    let database = Cluster::shared().database();
    let reported = refusal(&database).await;
    assert!(reported.contains("`manilla migrate`"), "{reported}");
    assert_eq!(database.psql(TABLES), "0", "asking makes nothing");
}

#[tokio::test]
async fn an_older_schema_is_refused_with_the_command_that_mends_it() {
    let database = database().await;
    let _ = database.psql(
        "DELETE FROM schema_versions
        WHERE version = (SELECT max(version) FROM schema_versions);",
    );
    let reported = refusal(&database).await;
    assert!(reported.contains("`manilla migrate`"), "{reported}");
}

#[tokio::test]
async fn a_schema_of_a_newer_version_is_refused_by_all() {
    let database = database().await;
    let _ = database.psql("INSERT INTO schema_versions VALUES (1000, 'newer', '');");
    let reported = refusal(&database).await;
    assert!(reported.contains("made by a newer version"), "{reported}");
    let reported = migrate(&database.url(), &Roles::default())
        .await
        .unwrap_err();
    let reported = reported.to_string();
    assert!(reported.contains("made by a newer version"), "{reported}");
}

/// What the next version may do: it adds, and says that programs which know the last version here
/// may serve.
const NEXT: &str = "
    ALTER TABLE schema_versions ADD COLUMN IF NOT EXISTS compatible_since integer;
    ALTER TABLE accounts ADD COLUMN next_column text;
    CREATE TABLE next_table (number integer PRIMARY KEY);
    INSERT INTO schema_versions (version, name, checksum, compatible_since)
    SELECT 1000, 'next', 'x', max(version) FROM schema_versions;";

#[tokio::test]
async fn a_newer_schema_is_served_where_its_migrations_allow_it() {
    let database = database().await;
    let before = open(&database.url()).await;
    let _ = database.psql(NEXT);
    has_account(&before, "shop", "10.00").await;
    let after = open(&database.url()).await;
    assert_eq!(after.commit(buy(2)).await.unwrap(), CommitOutcome::Done);
    is_clean(&after).await;
    let plan = plan_migration(&database.url()).await.unwrap();
    assert_eq!((plan.version, plan.pending), (1000, vec![]));
    let reported = migrate(&database.url(), &Roles::default()).await;
    let reported = reported.unwrap_err().to_string();
    assert!(reported.contains("migrate with that one"), "{reported}");
    let _ =
        database.psql("UPDATE schema_versions SET compatible_since = 1000 WHERE version = 1000;");
    let reported = refusal(&database).await;
    assert!(
        reported.contains("needs one that knows version 1000"),
        "{reported}"
    );
}

#[tokio::test]
async fn a_schema_of_an_unreleased_version_is_refused_by_all() {
    let database = database().await;
    let _ = database.psql("UPDATE schema_versions SET checksum = 'x' WHERE version = 1;");
    let reported = refusal(&database).await;
    assert!(reported.contains("never released"), "{reported}");
    let reported = migrate(&database.url(), &Roles::default())
        .await
        .unwrap_err();
    assert!(
        reported.to_string().contains("never released"),
        "{reported}"
    );
}

#[tokio::test]
async fn a_migration_that_fails_leaves_nothing() {
    let database = Cluster::shared().database();
    let _ = database.psql("CREATE TABLE events (mine integer);");
    let reported = migrate(&database.url(), &Roles::default())
        .await
        .unwrap_err();
    let reported = whole(&reported);
    assert!(
        reported.contains("version 1") && reported.contains("events"),
        "{reported}"
    );
    assert_eq!(database.psql(TABLES), "1");
    let _ = database.psql("DROP TABLE events;");
    migrate(&database.url(), &Roles::default()).await.unwrap();
    is_clean(&*open(&database.url()).await).await;
}

/// The migrations since the first release.
const SINCE_0_2_0: [&str; 41] = [
    "provider_of_attempts",
    "references_of_providers",
    "message_ids",
    "catalogue_versions",
    "costs_and_prefundings",
    "environments",
    "balance_readings",
    "float_reserves",
    "payers_of_settled_references",
    "queue",
    "batches",
    "payout_groups",
    "booked_transfers",
    "account_lookups",
    "user_transfers",
    "unclaimed_transfers",
    "reports",
    "access_keys",
    "limits_and_approvals",
    "top_ups",
    "refunds",
    "vouchers",
    "collections",
    "subscriptions",
    "checkouts",
    "invoices",
    "security",
    "allowlists",
    "account_changes",
    "bookings",
    "change_requests",
    "request_log_and_change_numbers",
    "unused_holds",
    "messaging_library",
    "incoming_messages",
    "secret_proofs",
    "adjustments",
    "operator_freezes",
    "signed_requests",
    "secret_peppers",
    "row_macs",
];

/// A database of the first release, with rows in its tables.
#[tokio::test]
async fn a_database_of_release_0_2_0_is_brought_up_to_date() {
    let database = Cluster::shared().database();
    let _ = database.psql(include_str!("release_0_2_0.sql"));
    // It was read into another database, which would suspend payments.
    let _ = database.psql(
        "UPDATE database_identity SET system_identifier = p.system_identifier,
            timeline = p.timeline, database = p.database, relation = p.relation
        FROM present_identity() AS p;",
    );
    let migrated = migrate(&database.url(), &Roles::default()).await.unwrap();
    assert!(
        !migrated.are_rows_authenticated,
        "an older instance may run"
    );
    assert_eq!(migrated.run, SINCE_0_2_0);
    let store = open(&database.url()).await;
    is_clean(&store).await;
    let shop = account_id("shop");
    let bought = store.by_reference(&shop, &reference("order-1")).await;
    assert!(bought.unwrap().is_some());
    let queued = airtime().nth(900).priced("1.00").queued(START, START);
    let done = store.commit(queued.change()).await.unwrap();
    assert_eq!(done, CommitOutcome::Done);
    let taken = ChangeSet::Fund(funding("shop", "slip-1", "1.00"));
    let paid_in = CommitOutcome::FundingTaken(kobo(10_000));
    assert_eq!(store.commit(taken).await.unwrap(), paid_in);
    assert_eq!(store.commit(buy(2)).await.unwrap(), CommitOutcome::Done);
    is_clean(&store).await;
    let given = store.authenticate_rows(RowsWithoutCode::Earlier).await;
    let given = given.unwrap();
    assert!(!given.was_done && given.transactions > 0 && given.wallets > 0);
    assert_eq!(given.unbalanced, []);
    assert_eq!(store.commit(buy(77)).await.unwrap(), CommitOutcome::Done);
    is_clean(&store).await;
    let allowed = "SELECT count(compatible_since) FROM schema_versions WHERE version = 42;";
    assert_eq!(
        database.psql(allowed),
        "0",
        "no older program is started again"
    );
    let migrated = migrate(&database.url(), &Roles::default()).await.unwrap();
    assert!(migrated.are_rows_authenticated);
}
