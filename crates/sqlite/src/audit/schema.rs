//! Whether tables, indexes and constraints are those that the migrations make. It must compare with
//! a schema that was migrated now, not with a second copy.

use crate::connection::{migrated_in_memory, newest_version};
use crate::error::failed;
use ports::PortError;
use ports::audit::CheckResult;
use sqlx::sqlite::SqliteConnection;
use std::collections::BTreeMap;
use storage_sql::audit::outcome::{schema, unknown_schema};

/// What the database was made of, by kind and name. What it keeps for itself follows from it, and
/// the tables of versions are made before the migrations.
const OBJECTS: &str = "
    SELECT type, name, sql FROM sqlite_schema
    WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        AND name NOT IN ('_sqlx_migrations', 'schema_compatibility')";

const VERSION: &str = "SELECT max(version) FROM _sqlx_migrations";

type Objects = BTreeMap<(String, String), String>;

/// I36: what differs from the schema that this program makes.
pub(super) async fn check(snapshot: &mut SqliteConnection) -> Result<CheckResult, PortError> {
    let version: i64 = sqlx::query_scalar(VERSION)
        .fetch_one(&mut *snapshot)
        .await
        .map_err(failed("read the version of the schema"))?;
    if version != newest_version() {
        return Ok(unknown_schema(version));
    }
    let mut fresh = migrated_in_memory().await?;
    Ok(judged(
        &objects(snapshot).await?,
        &objects(&mut fresh).await?,
    ))
}

async fn objects(connection: &mut SqliteConnection) -> Result<Objects, PortError> {
    let rows: Vec<(String, String, String)> = sqlx::query_as(OBJECTS)
        .fetch_all(connection)
        .await
        .map_err(failed("read the schema"))?;
    let rows = rows.into_iter();
    Ok(rows.map(|(kind, name, sql)| ((kind, name), sql)).collect())
}

fn judged(present: &Objects, expected: &Objects) -> CheckResult {
    let mut offences = Vec::new();
    for ((kind, name), sql) in expected {
        match present.get(&(kind.clone(), name.clone())) {
            None => offences.push(format!("{kind} {name} is missing")),
            Some(other) if other != sql => {
                offences.push(format!("{kind} {name} is not as the migrations make it"));
            }
            Some(_) => {}
        }
    }
    let others = present.keys().filter(|it| !expected.contains_key(it));
    offences.extend(others.map(|(kind, name)| format!("{kind} {name} is none of the gateway's")));
    schema(offences, expected.len())
}
