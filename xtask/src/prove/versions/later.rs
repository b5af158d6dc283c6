//! The schema as a version after this one would leave it: with a migration that this program does
//! not know, which adds and says that programs of before may serve. It must add and change nothing
//! else.

use std::path::Path;

use anyhow::{Result, ensure};
use postgres_cluster::TestDatabase;

use crate::process::Run;

/// What is added to either store.
const ADDED: &str = "
    ALTER TABLE accounts ADD COLUMN later_column text;
    CREATE TABLE later_table (number integer PRIMARY KEY);";

const POSTGRES: &str = "
    ALTER TABLE schema_versions ADD COLUMN IF NOT EXISTS compatible_since integer;
    INSERT INTO schema_versions (version, name, checksum, compatible_since)
    SELECT 9001, 'later', '', max(version) FROM schema_versions;";

const EMBEDDED: &str = "
    CREATE TABLE IF NOT EXISTS schema_compatibility (
        version INTEGER PRIMARY KEY, compatible_since INTEGER NOT NULL) STRICT;
    INSERT INTO schema_compatibility SELECT 9001, max(version) FROM _sqlx_migrations;
    INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
    VALUES (9001, 'later', TRUE, x'', 0);";

pub(super) fn migrate_postgres(database: &TestDatabase) -> Result<()> {
    let printed = database.try_psql(&format!(
        "SET lock_timeout = '30s'; BEGIN; {ADDED} {POSTGRES} COMMIT;"
    ));
    ensure!(printed.is_ok(), "the later migration failed: {printed:?}");
    Ok(())
}

/// Of a file that no process has open.
pub(super) fn migrate_embedded(data: &Path) -> Result<()> {
    let file = data.join("manilla.db").to_string_lossy().into_owned();
    let script = "import sqlite3, sys\nsqlite3.connect(sys.argv[1]).executescript(sys.argv[2])";
    let sql = format!("BEGIN; {ADDED} {EMBEDDED} COMMIT;");
    Run::new("python3", ["-c", script, &file, &sql]).capture(Path::new("."))?;
    Ok(())
}
