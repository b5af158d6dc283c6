//! The schema is made once, whole or not at all, and only used where it is the one that this
//! version made.

use crate::stage::{database, is_clean, open, whole};
use postgres::{PostgresOptions, PostgresStore, Roles, migrate};
use postgres_cluster::{Cluster, TestDatabase};
use std::path::Path;
use tokio::task::JoinSet;

const TABLES: &str = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public';";

/// Makes the schema of an older program: that of the first so many migrations.
fn made_by_an_older_program(database: &TestDatabase, migrations: usize) {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
    let files = std::fs::read_dir(all).unwrap();
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    let _ = database.psql(
        "CREATE TABLE schema_versions (version integer PRIMARY KEY, name text NOT NULL,
        checksum bytea NOT NULL, migrated_at timestamptz NOT NULL DEFAULT clock_timestamp());",
    );
    for (version, file) in (1..=migrations).zip(files) {
        let sql = std::fs::read_to_string(file).unwrap();
        let _ = database.psql(&sql);
        let _ = database.psql(&format!(
            "INSERT INTO schema_versions
            VALUES ({version}, '-', sha256(convert_to($migration${sql}$migration$, 'UTF8')));"
        ));
    }
}

async fn refusal(database: &TestDatabase) -> String {
    let told = PostgresStore::connect(
        &database.url(),
        &PostgresOptions::default(),
        crate::stage::sealing(),
    )
    .await;
    told.unwrap_err().to_string()
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
    let ran = migrated.iter().filter(|told| !told.run.is_empty());
    assert_eq!(ran.count(), 1);
    assert!(
        migrated
            .iter()
            .all(|told| told.version == migrated[0].version)
    );
    is_clean(&*open(&database.url()).await).await;
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
async fn a_database_without_books_is_refused_with_the_command_that_makes_them() {
    let database = Cluster::shared().database();
    let told = refusal(&database).await;
    assert!(told.contains("`manilla migrate`"), "{told}");
    assert_eq!(database.psql(TABLES), "0", "asking makes nothing");
}

#[tokio::test]
async fn an_older_schema_is_refused_with_the_command_that_mends_it() {
    let database = database().await;
    let _ = database.psql(
        "DELETE FROM schema_versions
        WHERE version = (SELECT max(version) FROM schema_versions);",
    );
    let told = refusal(&database).await;
    assert!(told.contains("`manilla migrate`"), "{told}");
}

#[tokio::test]
async fn a_schema_of_a_newer_version_is_refused_by_all() {
    let database = database().await;
    let _ = database.psql("INSERT INTO schema_versions VALUES (1000, 'newer', '');");
    let told = refusal(&database).await;
    assert!(told.contains("made by a newer version"), "{told}");
    let told = migrate(&database.url(), &Roles::default())
        .await
        .unwrap_err();
    let told = told.to_string();
    assert!(told.contains("made by a newer version"), "{told}");
}

#[tokio::test]
async fn a_schema_that_another_program_made_is_refused_by_all() {
    let database = database().await;
    let _ = database.psql("UPDATE schema_versions SET checksum = 'x' WHERE version = 3;");
    let told = refusal(&database).await;
    assert!(told.contains("migration 3"), "{told}");
    let told = migrate(&database.url(), &Roles::default())
        .await
        .unwrap_err();
    assert!(told.to_string().contains("migration 3"), "{told}");
}

#[tokio::test]
async fn a_migration_that_fails_leaves_nothing() {
    let database = Cluster::shared().database();
    let _ = database.psql("CREATE TABLE events (mine integer);");
    let told = migrate(&database.url(), &Roles::default())
        .await
        .unwrap_err();
    let told = whole(&told);
    assert!(
        told.contains("version 2") && told.contains("events"),
        "{told}"
    );
    assert_eq!(database.psql(TABLES), "1");
    let _ = database.psql("DROP TABLE events;");
    migrate(&database.url(), &Roles::default()).await.unwrap();
    is_clean(&*open(&database.url()).await).await;
}

/// Whether an older hash belongs to its account cannot be told.
#[tokio::test]
async fn keys_of_an_older_database_are_revoked() {
    let database = Cluster::shared().database();
    made_by_an_older_program(&database, 13);
    let _ = database.psql(
        "INSERT INTO accounts VALUES ('shop', 'Shop', 'active', 'NGN', 'NGN', 'UTC', 0);
        INSERT INTO api_keys (account, hint, hash, created_at, revoked_at)
        SELECT 'shop', 'mk_test_1', decode(repeat('00', 32), 'hex'), 1, at
        FROM unnest(ARRAY[2, NULL]) AS at;",
    );
    let migrated = migrate(&database.url(), &Roles::default()).await.unwrap();
    assert_eq!(migrated.run.first(), Some(&"bound_keys"));
    let now_and_then = "SELECT count(*) FILTER (WHERE revoked_at = 2),
            count(*) FILTER (WHERE revoked_at > 1763805600000)
        FROM api_keys;";
    assert_eq!(database.psql(now_and_then), "1|1");
}

/// A program that seals cannot seal within a migration.
#[tokio::test]
async fn a_database_with_readable_secrets_is_refused() {
    let database = Cluster::shared().database();
    made_by_an_older_program(&database, 15);
    let _ = database.psql(
        "INSERT INTO accounts VALUES ('shop', 'Shop', 'active', 'NGN', 'NGN', 'UTC', 0);
        INSERT INTO endpoints (account, id, target, description, with_tokens, generation,
            created_at) VALUES ('shop', 1, 'https://shop.example/?key=1', '', false, 1, 0);",
    );
    let refused = migrate(&database.url(), &Roles::default()).await;
    let told = whole(&refused.unwrap_err());
    assert!(told.contains("readable rows from before"), "{told}");
    let _ = database.psql("DELETE FROM endpoints;");
    migrate(&database.url(), &Roles::default()).await.unwrap();
}
