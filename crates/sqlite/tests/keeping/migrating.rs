//! A file made by an older program is brought up to date, and one that no release made is refused.

use crate::cipher::cipher;
use crate::support::{buy, is_clean, open, raw, shop_with};
use domain::change_set::ChangeSet;
use ports::audit::{Audit, CheckOutcome, Serving};
use ports::ledger_store::{CommitOutcome, LedgerStore};
use ports::transactions::Transactions;
use sqlite::{SqliteOptions, SqliteStore};
use sqlx::ConnectOptions;
use sqlx::Connection;
use sqlx::sqlite::SqliteConnectOptions;
use storage_sql::row_macs::RowsWithoutCode;
use testkit::builders::{START, account_id, airtime, funding, kobo, reference};

/// A file of the first release, with rows in its tables.
#[tokio::test]
async fn a_file_of_release_0_2_0_is_brought_up_to_date() {
    let dir = tempfile::tempdir().unwrap();
    let options = SqliteConnectOptions::new().filename(dir.path().join("manilla.db"));
    let mut connection = options
        .create_if_missing(true)
        .foreign_keys(false)
        .connect()
        .await
        .unwrap();
    let rows = include_str!("release_0_2_0.sql");
    sqlx::raw_sql(rows).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    let store = open(dir.path()).await;
    let given = store.authenticate_rows(RowsWithoutCode::Earlier).await;
    let given = given.unwrap();
    assert!(given.transactions > 0 && given.wallets > 0, "{given:?}");
    is_clean(&store).await;
    let shop = account_id("shop");
    let bought = store.by_reference(&shop, &reference("order-1")).await;
    assert!(bought.unwrap().is_some());
    let taken = ChangeSet::Fund(funding("shop", "slip-1", "1.00"));
    let paid_in = CommitOutcome::FundingTaken(kobo(10_000));
    assert_eq!(store.commit(taken).await.unwrap(), paid_in);
    assert_eq!(store.commit(buy(2)).await.unwrap(), CommitOutcome::Done);
    let queued = airtime().nth(900).priced("1.00").queued(START, START);
    let done = store.commit(queued.change()).await.unwrap();
    assert_eq!(done, CommitOutcome::Done);
    is_clean(&store).await;
}

#[tokio::test]
async fn a_file_of_an_unreleased_version_is_refused_with_the_remedy() {
    let dir = tempfile::tempdir().unwrap();
    open(dir.path()).await.close().await;
    let mut connection = raw(dir.path()).await;
    let other = "UPDATE _sqlx_migrations SET checksum = zeroblob(48)";
    sqlx::raw_sql(other).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    let refused = SqliteStore::connect(dir.path(), SqliteOptions::default(), cipher()).await;
    let error = refused.unwrap_err().to_string();
    assert!(error.contains("never released; move it away"), "{error}");
}

/// What the next version may do: it adds, and says that programs which know the last version here
/// may serve.
const NEXT: &str = "
    CREATE TABLE IF NOT EXISTS schema_compatibility (
        version INTEGER PRIMARY KEY, compatible_since INTEGER NOT NULL) STRICT;
    INSERT INTO schema_compatibility SELECT 1000, max(version) FROM _sqlx_migrations;
    INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
    VALUES (1000, 'next', TRUE, x'00', 0);
    ALTER TABLE accounts ADD COLUMN next_column text;
    CREATE TABLE next_table (number integer PRIMARY KEY);";

#[tokio::test]
async fn a_newer_file_is_served_where_its_migrations_allow_it() {
    let dir = tempfile::tempdir().unwrap();
    shop_with(dir.path(), "10.00").await.close().await;
    let mut connection = raw(dir.path()).await;
    sqlx::raw_sql(NEXT).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    let store = open(dir.path()).await;
    assert_eq!(store.commit(buy(2)).await.unwrap(), CommitOutcome::Done);
    for result in store.audit(START, Serving::Yes).await.unwrap() {
        // A schema that this program does not know is not judged.
        let is_schema = result.invariant == "I36";
        let holds = matches!(result.outcome, CheckOutcome::Holds { .. });
        assert_ne!(holds, is_schema, "{result:?}");
    }
    store.close().await;
    let version = sqlite::schema_version(dir.path()).await.unwrap();
    assert_eq!(version.stored, 1000);
    let mut connection = raw(dir.path()).await;
    let forbid = "UPDATE schema_compatibility SET compatible_since = 1000";
    sqlx::raw_sql(forbid)
        .execute(&mut connection)
        .await
        .unwrap();
    connection.close().await.unwrap();
    let refused = SqliteStore::connect(dir.path(), SqliteOptions::default(), cipher()).await;
    let error = refused.unwrap_err().to_string();
    assert!(error.contains("written by a newer version"), "{error}");
}

#[tokio::test]
async fn a_newer_file_that_says_nothing_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    open(dir.path()).await.close().await;
    let mut connection = raw(dir.path()).await;
    let newer = "INSERT INTO _sqlx_migrations
        (version, description, success, checksum, execution_time)
        VALUES (1000, 'next', TRUE, x'00', 0)";
    sqlx::raw_sql(newer).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    let refused = SqliteStore::connect(dir.path(), SqliteOptions::default(), cipher()).await;
    let error = refused.unwrap_err().to_string();
    assert!(error.contains("written by a newer version"), "{error}");
}

#[tokio::test]
async fn a_file_is_brought_up_to_date_once() {
    let dir = tempfile::tempdir().unwrap();
    let versions = "SELECT count(*) FROM _sqlx_migrations";
    for _ in 0..2 {
        open(dir.path()).await.close().await;
        let mut connection = raw(dir.path()).await;
        let run: i64 = sqlx::query_scalar(versions)
            .fetch_one(&mut connection)
            .await
            .unwrap();
        assert_eq!(run, 39);
    }
}
