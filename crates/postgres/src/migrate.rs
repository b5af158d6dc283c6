//! The schema and its versions. A migration that some database has run must never change, and two
//! processes must never migrate one database at once.

use crate::connection;
use crate::durability_check;
use crate::error::{PART, failed, was_deadlocked, was_locked_out, was_outrun};
use crate::grants::{self, Roles, TableAccess};
use crate::migration_locks;
use crate::migrations::{MIGRATIONS, NEWEST};
use crate::row_codes;
use ports::PortError;
use sha2::{Digest, Sha256};
use sqlx::postgres::PgConnection;
use sqlx::{Connection, Executor};
use std::time::Duration;
use storage_sql::schema_version::{StoredVersion, check_later, compatible_since};

/// The lock that a migration holds until its transaction ends: "manilla" in ASCII.
const LOCK: i64 = 0x006d_616e_696c_6c61;

/// How often it is tried at once where it and a server that is at work wait for one another: the
/// database ends one of the two, and nothing is done of it. Then it pauses as for a lock.
const TRIES_MAX: u8 = 10;

/// How long a migration waits for a lock. What comes after it waits behind it, payments too: a
/// dump holds its locks for as long as it takes.
const LOCK_WITHIN: &str = "SET LOCAL lock_timeout = '2s'";

/// How often a migration that did not have its locks in time begins again, and after what pause: in
/// it, what had to wait goes on. Half an hour in all, which outlasts most dumps.
const LOCK_TRIES_MAX: u16 = 540;
const LOCK_PAUSE: Duration = Duration::from_secs(3);

const TABLE: &str = "
    CREATE TABLE IF NOT EXISTS schema_versions (
        version integer PRIMARY KEY,
        name text NOT NULL,
        checksum bytea NOT NULL,
        migrated_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )";

/// Which programs may serve beside a version that they do not know; made with the first that says
/// so.
const COMPATIBLE_SINCE: &str =
    "ALTER TABLE schema_versions ADD COLUMN IF NOT EXISTS compatible_since integer";

/// Every version; one of before there was the column has none.
const VERSIONS: &str = "
    SELECT version, checksum, (to_jsonb(v) ->> 'compatible_since')::integer
    FROM schema_versions AS v ORDER BY version";

/// What migrating came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Migrated {
    /// The migrations that were run now, by name.
    pub run: Vec<&'static str>,
    /// The version of the schema.
    pub version: i32,
    /// The roles that may connect now.
    pub access: TableAccess,
    /// Whether every row must have its authentication code.
    pub are_rows_authenticated: bool,
}

/// Brings the schema of a database up to date, all of it or nothing; gives the roles that are named
/// what they need and no more.
///
/// # Errors
/// When the database cannot be reached or written, or is of a newer version.
pub async fn migrate(url: &str, roles: &Roles<'_>) -> Result<Migrated, PortError> {
    let options = connection::options(url)?.options([
        // Another process that migrates is waited for; making an index takes as long as it takes.
        ("lock_timeout", "0"),
        ("statement_timeout", "0"),
    ]);
    let mut connection = connection::connect(&options).await?;
    durability_check::server(&mut connection).await?;
    let (mut tries, mut lock_tries) = (1, 1);
    let migrated = loop {
        match run(&mut connection, roles).await {
            Err(error) if tries < TRIES_MAX && was_outrun(&error) => tries += 1,
            Err(error)
                if lock_tries < LOCK_TRIES_MAX
                    && (was_locked_out(&error) || was_deadlocked(&error)) =>
            {
                if lock_tries == 1 {
                    tracing::warn!("another transaction, perhaps a dump, is waited for");
                }
                lock_tries += 1;
                tokio::time::sleep(LOCK_PAUSE).await;
            }
            ended => break ended,
        }
    };
    connection::close(connection).await;
    migrated
}

/// What [`migrate`] would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MigrationPlan {
    /// The version of the schema now; 0 where there is none.
    pub version: i32,
    /// The migrations that would be run: number, name and SQL.
    pub pending: Vec<(i32, &'static str, &'static str)>,
}

/// Looks what migrating a database would do, and changes nothing.
///
/// # Errors
/// When the database cannot be reached, or is of a newer version.
pub async fn plan_migration(url: &str) -> Result<MigrationPlan, PortError> {
    let mut connection = connection::connect(&connection::options(url)?).await?;
    let planned = plan(&mut connection).await;
    connection::close(connection).await;
    planned
}

/// The same over a connection that is open.
pub(crate) async fn plan(connection: &mut PgConnection) -> Result<MigrationPlan, PortError> {
    let version = judged(&stored_versions(connection).await?)?;
    let pending = MIGRATIONS
        .into_iter()
        .filter(|(number, ..)| *number > version);
    Ok(MigrationPlan {
        version,
        pending: pending.collect(),
    })
}

async fn run(connection: &mut PgConnection, roles: &Roles<'_>) -> Result<Migrated, PortError> {
    let mut step = connection
        .begin()
        .await
        .map_err(failed("begin to migrate"))?;
    sqlx::query("SELECT pg_advisory_xact_lock($1)")
        .bind(LOCK)
        .execute(&mut *step)
        .await
        .map_err(failed("wait for another process to migrate"))?;
    let limited = step.execute(LOCK_WITHIN).await;
    limited.map_err(failed("limit the wait for locks"))?;
    let made = step.execute(TABLE).await;
    made.map_err(failed("make the table of versions"))?;
    let known = versions(&mut step).await?;
    let version = judged(&known)?;
    if version > NEWEST {
        let what = format!(
            "the schema is of version {version}, made by a newer version of the gateway; migrate \
             with that one"
        );
        return Err(PortError::new(PART, what));
    }
    let pending: Vec<_> = MIGRATIONS
        .into_iter()
        .filter(|(number, ..)| *number > version)
        .collect();
    let statements: Vec<_> = pending.iter().map(|(.., sql)| *sql).collect();
    migration_locks::take(&mut step, &statements).await?;
    let limited = step.execute(LOCK_WITHIN).await;
    limited.map_err(failed("limit the wait for locks"))?;
    let mut run = Vec::new();
    for (number, name, sql) in pending {
        let done = step.execute(sql).await;
        done.map_err(failed(format!("migrate to version {number}, {name}")))?;
        note(&mut step, (number, name, sql)).await?;
        run.push(name);
    }
    grants::give(&mut step, roles).await?;
    let access = grants::restrict(&mut step).await?;
    let are_rows_authenticated = row_codes::are_required(&mut *step).await?;
    if are_rows_authenticated {
        row_codes::refuse_older(&mut step).await?;
    }
    step.commit()
        .await
        .map_err(failed("commit the migration"))?;
    Ok(Migrated {
        run,
        version: NEWEST,
        access,
        are_rows_authenticated,
    })
}

/// Notes a migration that was run.
async fn note(
    connection: &mut PgConnection,
    (number, name, sql): (i32, &str, &str),
) -> Result<(), PortError> {
    sqlx::query("INSERT INTO schema_versions (version, name, checksum) VALUES ($1, $2, $3)")
        .bind(number)
        .bind(name)
        .bind(checksum(sql))
        .execute(&mut *connection)
        .await
        .map_err(failed("note a migration"))?;
    let Some(since) = compatible_since(sql) else {
        return Ok(());
    };
    let made = connection.execute(COMPATIBLE_SINCE).await;
    made.map_err(failed("make the column of what serves beside a migration"))?;
    sqlx::query("UPDATE schema_versions SET compatible_since = $2 WHERE version = $1")
        .bind(number)
        .bind(i32::try_from(since).unwrap_or(i32::MAX))
        .execute(connection)
        .await
        .map_err(failed("note what serves beside a migration"))
        .map(drop)
}

/// Refuses a schema that this version may not serve, or that is not up to date. One that a newer
/// version made may be served where its migrations say so.
pub(crate) async fn check(connection: &mut PgConnection) -> Result<(), PortError> {
    let version = judged(&stored_versions(connection).await?)?;
    if version >= NEWEST {
        return Ok(());
    }
    let what = if version == 0 {
        "the database has no schema yet; create it with `manilla migrate`".to_owned()
    } else {
        format!(
            "the schema is of version {version} and this gateway needs {NEWEST}; bring it up to \
             date with `manilla migrate`"
        )
    };
    Err(PortError::new(PART, what))
}

/// The versions of a database; none where nothing was migrated.
async fn stored_versions(connection: &mut PgConnection) -> Result<Vec<StoredVersion>, PortError> {
    let migrated: bool = sqlx::query_scalar("SELECT to_regclass('schema_versions') IS NOT NULL")
        .fetch_one(&mut *connection)
        .await
        .map_err(failed("look for the schema"))?;
    if migrated {
        versions(connection).await
    } else {
        Ok(Vec::new())
    }
}

async fn versions(connection: &mut PgConnection) -> Result<Vec<StoredVersion>, PortError> {
    let stored: Vec<(i32, Vec<u8>, Option<i32>)> = sqlx::query_as(VERSIONS)
        .fetch_all(connection)
        .await
        .map_err(failed("read the version of the schema"))?;
    let stored = stored.into_iter();
    let stored = stored.map(|(version, checksum, since)| StoredVersion {
        version: version.into(),
        checksum,
        compatible_since: since.map(i64::from),
    });
    Ok(stored.collect())
}

/// The version of the schema, if it is one that this program could have made, or may serve.
fn judged(stored: &[StoredVersion]) -> Result<i32, PortError> {
    let mut known = 0;
    let mut later = Vec::new();
    for it in stored {
        let ours = MIGRATIONS
            .iter()
            .find(|(number, ..)| i64::from(*number) == it.version);
        let Some((number, name, sql)) = ours else {
            later.push(it.clone());
            continue;
        };
        if checksum(sql) != it.checksum {
            return Err(PortError::new(PART, changed(*number, name)));
        }
        known = *number;
    }
    let Some(last) = later.last() else {
        return Ok(known);
    };
    // What is later was made of all that this program knows, or this program serves on none of it.
    let is_whole = stored.len().saturating_sub(later.len()) == MIGRATIONS.len();
    check_later(if is_whole { NEWEST.into() } else { 0 }, &later)?;
    Ok(i32::try_from(last.version).unwrap_or(i32::MAX))
}

/// What is said of a migration that was another when a database ran it.
fn changed(version: i32, name: &str) -> String {
    if version == 1 {
        return "the schema was made by a version of the gateway that was never released; make a \
                new database with `manilla migrate`"
            .to_owned();
    }
    format!(
        "migration {version}, {name}, was another when this database ran it; use a released \
         version of the gateway"
    )
}

fn checksum(sql: &str) -> Vec<u8> {
    Sha256::digest(sql.as_bytes()).to_vec()
}

#[cfg(test)]
mod tests {
    use super::{MIGRATIONS, NEWEST, check, checksum, judged, migrate, note, plan};
    use crate::grants::Roles;
    use postgres_cluster::Cluster;
    use sqlx::postgres::PgConnection;
    use sqlx::{Connection as _, Executor as _};
    use std::collections::BTreeSet;
    use storage_sql::schema_version::StoredVersion;

    #[test]
    fn versions_are_numbered_from_one_without_a_gap() {
        let numbers = MIGRATIONS.iter().map(|(number, ..)| *number);
        assert!(numbers.eq(1..=NEWEST));
    }

    #[test]
    fn every_file_of_the_folder_is_run_under_its_name() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/migrations");
        let files = std::fs::read_dir(folder).unwrap();
        let name = |it: std::io::Result<std::fs::DirEntry>| it.unwrap().file_name();
        let files: BTreeSet<_> = files.map(|it| name(it).into_string().unwrap()).collect();
        let run = MIGRATIONS.iter();
        let run = run.map(|(number, name, _)| format!("{number:04}_{name}.sql"));
        assert_eq!(files, run.collect());
    }

    fn stored(version: i32, sum: Vec<u8>, compatible_since: Option<i32>) -> StoredVersion {
        StoredVersion {
            version: version.into(),
            checksum: sum,
            compatible_since: compatible_since.map(i64::from),
        }
    }

    fn known() -> Vec<StoredVersion> {
        let row = |(number, _, sql): &(i32, &str, &str)| stored(*number, checksum(sql), None);
        MIGRATIONS.iter().map(row).collect()
    }

    #[test]
    fn a_schema_of_a_newer_or_an_unreleased_gateway_is_refused() {
        let mut known = known();
        assert_eq!(judged(&known).unwrap(), NEWEST);
        assert_eq!(judged(&[]).unwrap(), 0);
        known.push(stored(NEWEST + 1, vec![0; 32], None));
        let newer = judged(&known).unwrap_err().to_string();
        assert!(newer.contains("made by a newer version"), "{newer}");
        known[0].checksum[0] ^= 1;
        let changed = judged(&known).unwrap_err().to_string();
        assert!(changed.contains("never released"), "{changed}");
    }

    #[test]
    fn a_newer_schema_is_served_where_its_migrations_allow_it() {
        let mut known = known();
        known.push(stored(NEWEST + 1, vec![0; 32], Some(NEWEST)));
        known.push(stored(NEWEST + 2, vec![0; 32], Some(1)));
        assert_eq!(judged(&known).unwrap(), NEWEST + 2);
        // A version that this program knows is missing: what came later was not made of it.
        let missing = known.remove(3);
        assert_eq!(missing.version, 4);
        let refused = judged(&known).unwrap_err().to_string();
        assert!(refused.contains("made by a newer version"), "{refused}");
        known.insert(3, missing);
        known.push(stored(NEWEST + 3, vec![0; 32], Some(NEWEST + 1)));
        let refused = judged(&known).unwrap_err().to_string();
        let named = format!("needs one that knows version {}", NEWEST + 1);
        assert!(refused.contains(&named), "{refused}");
    }

    /// A migration of the next version, which adds a column.
    #[tokio::test]
    async fn a_migration_that_allows_older_programs_is_noted_as_such() {
        let database = Cluster::shared().database();
        migrate(&database.url(), &Roles::default()).await.unwrap();
        let connected = PgConnection::connect(&database.url()).await;
        let mut connection = connected.unwrap();
        let next = format!(
            "-- compatible since: {NEWEST}\nALTER TABLE accounts ADD COLUMN next_column text;"
        );
        let run = connection.execute(sqlx::AssertSqlSafe(next.clone())).await;
        run.unwrap();
        let noted = (NEWEST + 1, "next_column", next.as_str());
        note(&mut connection, noted).await.unwrap();
        check(&mut connection).await.unwrap();
        let plan = plan(&mut connection).await.unwrap();
        assert_eq!((plan.version, plan.pending), (NEWEST + 1, vec![]));
        let reported = migrate(&database.url(), &Roles::default()).await;
        let reported = reported.unwrap_err().to_string();
        assert!(reported.contains("migrate with that one"), "{reported}");
        let silent = (NEWEST + 2, "next_rule", "SELECT 1");
        note(&mut connection, silent).await.unwrap();
        let refused = check(&mut connection).await.unwrap_err().to_string();
        assert!(refused.contains("made by a newer version"), "{refused}");
    }
}
