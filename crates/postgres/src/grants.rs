//! What the roles of servers and operators may do in the database. A role must end up with what the
//! files say and nothing else, whatever it was granted before.

use crate::error::{PART, failed};
use ports::PortError;
use sqlx::Executor;
use sqlx::postgres::PgConnection;

/// The roles that the gateway logs in as, beside the owner of the tables.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Roles<'a> {
    /// Servers: the least that payments need.
    pub server: Option<&'a str>,
    /// Commands of operators: accounts, keys and what is paid in, too.
    pub operator: Option<&'a str>,
}

/// Which roles of the server may connect to the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableAccess {
    /// Those that were named at a migration, and the owner.
    Named,
    /// Every one, because the role that migrated does not own the database.
    Everyone,
}

const SERVER: &str = include_str!("../grants/server.sql");
const OPERATOR: &str = include_str!("../grants/operator.sql");

/// What earlier versions granted is taken back first.
const RESET: &str = "
    REVOKE ALL ON ALL TABLES IN SCHEMA public, audit FROM manilla_server;
    REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM manilla_server;
    REVOKE ALL ON ALL FUNCTIONS IN SCHEMA public FROM manilla_server;";

/// Gives each role that is named what it needs.
pub(crate) async fn give(
    connection: &mut PgConnection,
    roles: &Roles<'_>,
) -> Result<(), PortError> {
    if roles.server.is_some() && roles.server == roles.operator {
        let what = "servers and operators must log in as two roles; make another with CREATE ROLE";
        return Err(PortError::new(PART, what));
    }
    if let Some(role) = roles.server {
        let role = quoted(connection, role).await?;
        for grants in [RESET, SERVER] {
            grant(connection, (grants, "manilla_server"), &role).await?;
        }
    }
    if let Some(role) = roles.operator {
        let role = quoted(connection, role).await?;
        for grants in [RESET, SERVER] {
            grant(connection, (grants, "manilla_server"), &role).await?;
        }
        grant(connection, (OPERATOR, "manilla_operator"), &role).await?;
    }
    Ok(())
}

/// Every role may connect to a new database, and every role that may connect may send notifications
/// and receive them. Roles with grants of an earlier version keep connecting.
const CLOSE: &str = "
    DO $$
    DECLARE
        grantee oid;
    BEGIN
        FOR grantee IN
            SELECT DISTINCT a.grantee FROM pg_class AS c, aclexplode(c.relacl) AS a
            WHERE c.oid = 'public.transactions'::regclass AND a.grantee <> 0
        LOOP
            EXECUTE format(
                'GRANT CONNECT ON DATABASE %I TO %s', current_database(), grantee::regrole
            );
        END LOOP;
        EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
    END
    $$";

/// Whether this role may say who connects to the database.
const IS_OURS: &str = "
    SELECT pg_has_role(current_user, datdba, 'USAGE')
    FROM pg_database WHERE datname = current_database()";

/// Whether every role may connect.
const IS_OPEN: &str = "SELECT has_database_privilege('public', current_database(), 'CONNECT')";

/// Lets only roles connect that were named. The owner of the database has to say so.
pub(crate) async fn restrict(connection: &mut PgConnection) -> Result<TableAccess, PortError> {
    let is_ours: bool = sqlx::query_scalar(IS_OURS)
        .fetch_one(&mut *connection)
        .await
        .map_err(failed("ask whose the database is"))?;
    if is_ours {
        let closed = connection.execute(CLOSE).await;
        closed.map_err(failed("keep other roles from connecting"))?;
    }
    let open: bool = sqlx::query_scalar(IS_OPEN)
        .fetch_one(connection)
        .await
        .map_err(failed("ask who may connect"))?;
    Ok(if open {
        TableAccess::Everyone
    } else {
        TableAccess::Named
    })
}

/// The name of a role as SQL has it. The owner needs no grants, and must not lose what it has.
async fn quoted(connection: &mut PgConnection, role: &str) -> Result<String, PortError> {
    let found: Option<(String, bool)> = sqlx::query_as(
        "SELECT quote_ident(rolname), pg_has_role(rolname, current_user, 'USAGE')
        FROM pg_roles WHERE rolname = $1",
    )
    .bind(role)
    .fetch_optional(connection)
    .await
    .map_err(failed("look for the role"))?;
    let what = match found {
        Some((quoted, false)) => return Ok(quoted),
        Some((_, true)) => format!(
            "the role {role} has every right of the owner of the tables; name one that is no \
             superuser and no member of the owner, made with CREATE ROLE … LOGIN"
        ),
        None => format!("there is no role {role}; make it with CREATE ROLE … LOGIN"),
    };
    Err(PortError::new(PART, what))
}

async fn grant(
    connection: &mut PgConnection,
    (grants, placeholder): (&str, &str),
    role: &str,
) -> Result<(), PortError> {
    let grants = grants.replace(placeholder, role);
    let granted = connection.execute(sqlx::AssertSqlSafe(grants)).await;
    granted
        .map_err(failed(format!("grant what the role {role} needs")))
        .map(drop)
}
