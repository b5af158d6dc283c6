//! The schema and its versions. A migration that some database has run must never change, and two
//! processes must never migrate one database at once.

use crate::connection;
use crate::durability_check;
use crate::error::{PART, failed, was_locked_out, was_outrun};
use crate::grants::{self, Roles, TableAccess};
use crate::migrations::{MIGRATIONS, NEWEST};
use ports::PortError;
use sha2::{Digest, Sha256};
use sqlx::postgres::PgConnection;
use sqlx::{Connection, Executor};
use std::time::Duration;

/// The lock that a migration holds until its transaction ends: "manilla" in ASCII.
const LOCK: i64 = 0x006d_616e_696c_6c61;

/// How often it is tried where it and a server that is at work wait for one another: the database
/// ends one of the two, and nothing is done of it.
const TRIES_MAX: u8 = 10;

/// How long a migration waits for a lock. What comes after it waits behind it, payments too: a
/// dump holds its locks for as long as it takes.
const LOCK_WITHIN: &str = "SET LOCAL lock_timeout = '2s'";

/// How often a migration that did not have its locks in time begins again, and after what pause: in
/// it, what had to wait goes on. Half an hour in all, which outlasts most dumps.
const LOCK_TRIES_MAX: u16 = 360;
const LOCK_PAUSE: Duration = Duration::from_secs(3);

const TABLE: &str = "
    CREATE TABLE IF NOT EXISTS schema_versions (
        version integer PRIMARY KEY,
        name text NOT NULL,
        checksum bytea NOT NULL,
        migrated_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )";

/// What migrating came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Migrated {
    /// The migrations that were run now, by name.
    pub run: Vec<&'static str>,
    /// The version of the schema.
    pub version: i32,
    /// The roles that may connect now.
    pub access: TableAccess,
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
            Err(error) if lock_tries < LOCK_TRIES_MAX && was_locked_out(&error) => {
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
    let mut run = Vec::new();
    for (number, name, sql) in MIGRATIONS {
        if number <= version {
            continue;
        }
        let done = step.execute(sql).await;
        done.map_err(failed(format!("migrate to version {number}, {name}")))?;
        sqlx::query("INSERT INTO schema_versions (version, name, checksum) VALUES ($1, $2, $3)")
            .bind(number)
            .bind(name)
            .bind(checksum(sql))
            .execute(&mut *step)
            .await
            .map_err(failed("note a migration"))?;
        run.push(name);
    }
    grants::give(&mut step, roles).await?;
    let access = grants::restrict(&mut step).await?;
    step.commit()
        .await
        .map_err(failed("commit the migration"))?;
    Ok(Migrated {
        run,
        version: NEWEST,
        access,
    })
}

/// Refuses a schema that this version does not know, or that is not up to date.
pub(crate) async fn check(connection: &mut PgConnection) -> Result<(), PortError> {
    let version = judged(&stored_versions(connection).await?)?;
    if version == NEWEST {
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
async fn stored_versions(connection: &mut PgConnection) -> Result<Vec<(i32, Vec<u8>)>, PortError> {
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

async fn versions(connection: &mut PgConnection) -> Result<Vec<(i32, Vec<u8>)>, PortError> {
    sqlx::query_as("SELECT version, checksum FROM schema_versions ORDER BY version")
        .fetch_all(connection)
        .await
        .map_err(failed("read the version of the schema"))
}

/// The version of the schema, if it is one that this program could have made.
fn judged(known: &[(i32, Vec<u8>)]) -> Result<i32, PortError> {
    for (version, sum) in known {
        let ours = MIGRATIONS.iter().find(|(number, ..)| number == version);
        match ours {
            None => {
                return Err(PortError::new(
                    PART,
                    format!(
                        "the schema is of version {version}, made by a newer version of the \
                         gateway; use that one"
                    ),
                ));
            }
            Some((1, _, sql)) if checksum(sql) != *sum => {
                return Err(PortError::new(
                    PART,
                    "the schema was made by a version of the gateway that was never released; \
                     make a new database with `manilla migrate`",
                ));
            }
            Some((_, name, sql)) if checksum(sql) != *sum => {
                return Err(PortError::new(
                    PART,
                    format!(
                        "migration {version}, {name}, was another when this database ran it; use \
                         a released version of the gateway"
                    ),
                ));
            }
            Some(_) => {}
        }
    }
    Ok(known.last().map_or(0, |(version, _)| *version))
}

fn checksum(sql: &str) -> Vec<u8> {
    Sha256::digest(sql.as_bytes()).to_vec()
}

#[cfg(test)]
mod tests {
    use super::{MIGRATIONS, NEWEST, checksum, judged};
    use std::collections::BTreeSet;

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

    #[test]
    fn a_schema_of_a_newer_or_an_unreleased_gateway_is_refused() {
        let row = |(number, _, sql): &(i32, &str, &str)| (*number, checksum(sql));
        let mut known: Vec<_> = MIGRATIONS.iter().map(row).collect();
        assert_eq!(judged(&known).unwrap(), NEWEST);
        assert_eq!(judged(&[]).unwrap(), 0);
        known.push((NEWEST + 1, vec![0; 32]));
        let newer = judged(&known).unwrap_err().to_string();
        assert!(newer.contains("made by a newer version"), "{newer}");
        known[0].1[0] ^= 1;
        let changed = judged(&known).unwrap_err().to_string();
        assert!(changed.contains("never released"), "{changed}");
    }
}
