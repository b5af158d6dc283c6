//! What a database says of itself to a person who looks, before or while it serves. It must change
//! nothing, and say as much as it can where the store itself cannot be opened.

use crate::connection::{self, StatementAnswer};
use crate::durability_check;
use crate::error::failed;
use crate::migrate::{self, MigrationPlan};
use domain::time::Timestamp;
use ports::PortError;
use ports::clock::Clock;
use sqlx::Connection as _;
use sqlx::postgres::PgConnection;
use std::time::Duration;

/// A database as it was found.
#[derive(Debug)]
pub struct InspectedDatabase {
    /// The version of the server.
    pub version: String,
    /// Why money must not be kept in it, with the remedy.
    pub rejection: Option<String>,
    /// The version of the schema and what would bring it up to date, or why it is none of ours.
    pub schema: Result<MigrationPlan, PortError>,
    /// The role that was logged in as.
    pub role: InspectedRole,
    /// Connections the server takes from such a role, all together.
    pub connections_max: u32,
    /// Connections of clients that it has, without this one.
    pub connections: u32,
    /// How far its clock is from ours.
    pub clock_skew: Duration,
}

/// A role of the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InspectedRole {
    /// Its name.
    pub name: String,
    /// How much it may do.
    pub rights: RoleRights,
}

/// How much a role may do with the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoleRights {
    /// What it was granted.
    Granted,
    /// Everything: the tables are its own, or it is a member of their owner.
    Owner,
    /// Everything in the whole server.
    Superuser,
}

/// One row: version, role, whether it is a superuser, whether it has the rights of the owner,
/// connections that are allowed, and those there are.
const ASK: &str = "
    SELECT current_setting('server_version'), current_user::text, r.rolsuper,
        coalesce(
            pg_has_role(
                current_user,
                (SELECT relowner FROM pg_class WHERE oid = to_regclass('transactions')),
                'USAGE'
            ),
            false
        ),
        least(
            current_setting('max_connections')::integer
                - current_setting('superuser_reserved_connections')::integer,
            nullif(r.rolconnlimit, -1),
            nullif(d.datconnlimit, -1)
        ),
        (
            SELECT count(*)::integer FROM pg_stat_activity
            WHERE datid IS NOT NULL AND pid <> pg_backend_pid()
        )
    FROM pg_roles AS r, pg_database AS d
    WHERE r.rolname = current_user AND d.datname = current_database()";

type Row = (String, String, bool, bool, i32, i32);

/// Looks at a database over one connection that cannot write.
///
/// # Errors
/// When it cannot be reached, or does not answer.
pub async fn inspect(url: &str, clock: &dyn Clock) -> Result<InspectedDatabase, PortError> {
    let options = connection::reading(&connection::options(url)?);
    let mut connection = connection::connect(&options).await?;
    let inspected = look(&mut connection, clock).await;
    connection::close(connection).await;
    inspected
}

async fn look(
    connection: &mut PgConnection,
    clock: &dyn Clock,
) -> Result<InspectedDatabase, PortError> {
    let (version, name, is_superuser, is_owner, allowed, in_use): Row = sqlx::query_as(ASK)
        .fetch_one(&mut *connection)
        .in_time()
        .await
        .map_err(failed("ask the server about itself"))?;
    // Once more, so that the way there and back is that of a connection that has been used.
    let pinged = connection.ping().in_time().await;
    pinged.map_err(failed("ask the server whether it is there"))?;
    let asked_at = clock.now();
    let theirs = connection::database_time(connection).await?;
    let clock_skew = apart(
        asked_at,
        clock.now(),
        Timestamp::from_millis(theirs / 1_000),
    );
    let rights = match (is_superuser, is_owner) {
        (true, true | false) => RoleRights::Superuser,
        (false, true) => RoleRights::Owner,
        (false, false) => RoleRights::Granted,
    };
    Ok(InspectedDatabase {
        version,
        rejection: durability_check::rejection(connection).await?,
        schema: migrate::plan(connection).await,
        role: InspectedRole { name, rights },
        connections_max: u32::try_from(allowed).unwrap_or_default(),
        connections: u32::try_from(in_use).unwrap_or_default(),
        clock_skew,
    })
}

/// How far theirs is from every moment of ours between question and answer.
pub(crate) fn apart(asked_at: Timestamp, answered_at: Timestamp, theirs: Timestamp) -> Duration {
    if theirs < asked_at {
        asked_at.since(theirs)
    } else if theirs > answered_at {
        theirs.since(answered_at)
    } else {
        Duration::ZERO
    }
}
