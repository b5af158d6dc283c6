//! Which books are held, and which are not.

use crate::support::{Site, is_held, is_open, open};
use postgres_cluster::ClusterOptions;
use std::path::{Path, PathBuf};
use std::process::Stdio;

#[tokio::test]
async fn restarts_and_crashes_hold_nothing() {
    let site = Site::new().await;
    let store = site.open().await;
    for n in 10..12 {
        site.cluster.stop_immediate();
        site.cluster.start();
        is_open(&store, n).await;
        site.cluster.stop_fast();
        site.cluster.start();
        is_open(&store, n + 10).await;
    }
    store.close().await;
    site.cluster.stop_immediate();
    site.cluster.start();
    let store = site.open().await;
    is_open(&store, 30).await;
    store.close().await;
}

#[tokio::test]
async fn a_crash_that_takes_what_was_not_written_to_disk_holds_nothing() {
    // Only a commit writes the log in this test.
    let unwritten = ClusterOptions::default()
        .setting("wal_writer_delay", "10s")
        .setting("autovacuum", "off");
    let site = Site::with(&unwritten).await;
    let store = site.open().await;
    let mut other = crate::stage::raw(&site.database.url()).await;
    sqlx::query("CREATE TABLE big (words text)")
        .execute(&mut other)
        .await
        .unwrap();
    let mut step = sqlx::Connection::begin(&mut other).await.unwrap();
    sqlx::query("INSERT INTO big SELECT repeat('x', 100) FROM generate_series(1, 2000)")
        .execute(&mut *step)
        .await
        .unwrap();
    // A new connection looks how far the log has come, and nothing is committed after it.
    let unknown = testkit::builders::airtime().by("nobody").change();
    let verdict = ports::ledger_store::LedgerStore::commit(&store, unknown)
        .await
        .unwrap();
    assert_eq!(verdict, ports::ledger_store::CommitOutcome::AccountUnknown);
    site.cluster.stop_immediate();
    drop(step);
    site.cluster.start();
    is_open(&store, 10).await;
    store.close().await;
    let store = site.open().await;
    is_open(&store, 11).await;
    store.close().await;
}

#[tokio::test]
async fn a_restored_backup_is_held_under_a_store_that_goes_on() {
    let site = Site::new().await;
    let store = site.open().await;
    let backup = site.cluster.backup();
    is_open(&store, 2).await;
    for n in 100..110 {
        is_open(&store, n).await;
    }
    site.cluster.restore(&backup);
    is_held(&store, "older copy").await;
    store.close().await;
}

#[tokio::test]
async fn a_standby_that_took_over_is_held() {
    let site = Site::new().await;
    let standby = site.cluster.standby(&ClusterOptions::default());
    site.cluster.await_standby(&standby);
    site.goes_on(2..3).await.close().await;
    site.cluster.stop_immediate();
    standby.promote();
    let store = open(&standby.url(site.database.name())).await;
    is_held(&store, "timeline").await;
    store.close().await;
    site.cluster.start();
}

/// Dumps the books of a site into a file.
fn dump(site: &Site) -> PathBuf {
    let file = site.machine.path().join("dump.sql");
    let mut pg_dump = site.cluster.client("pg_dump");
    pg_dump
        .args(["--dbname", site.database.name(), "--file"])
        .arg(&file);
    assert!(pg_dump.status().unwrap().success());
    file
}

/// Reads a dump into an empty database.
fn read_in(site: &Site, dump: &Path, database: &str) {
    let mut psql = site.cluster.client("psql");
    psql.args(["--quiet", "--set", "ON_ERROR_STOP=1", "--dbname", database])
        .arg("--file")
        .arg(dump)
        .stdout(Stdio::null());
    assert!(psql.status().unwrap().success());
}

#[tokio::test]
async fn a_dump_that_was_read_into_another_database_is_held() {
    let site = Site::new().await;
    let dump = dump(&site);
    let elsewhere = site.cluster.database();
    read_in(&site, &dump, elsewhere.name());
    let store = open(&elsewhere.url()).await;
    is_held(&store, "from a copy").await;
    store.close().await;
    // The database it was taken of is what it was.
    let store = site.open().await;
    is_open(&store, 2).await;
    store.close().await;
}

#[tokio::test]
async fn a_dump_that_was_read_back_into_its_own_database_is_held() {
    let site = Site::new().await;
    let dump = dump(&site);
    site.goes_on(2..4).await.close().await;
    let empty = "DROP SCHEMA public CASCADE; DROP SCHEMA audit CASCADE; CREATE SCHEMA public;";
    let _ = site.database.psql(empty);
    read_in(&site, &dump, site.database.name());
    let store = open(&site.database.url()).await;
    is_held(&store, "from a copy").await;
    store.close().await;
}

#[tokio::test]
async fn a_copy_of_the_cluster_under_another_name_is_not_mistaken_for_it() {
    let site = Site::new().await;
    let copy = site.database.copy();
    let store = open(&copy.url()).await;
    is_held(&store, "from a copy").await;
    store.close().await;
}
