//! Whether tables, constraints, indexes, triggers, views and rights are those that the migrations
//! and the grants make. The list of them is written by a test from a database that was just made.

use crate::error::failed;
use crate::migrations::NEWEST;
use ports::PortError;
use ports::audit::CheckResult;
use sqlx::Executor;
use sqlx::postgres::PgConnection;
use std::collections::{BTreeMap, BTreeSet};
use storage_sql::audit::outcome::{schema, unknown_schema};

/// What there is, one line each: kind and name, a tab, and what it is.
const OBJECTS: &str = include_str!("schema.sql");

/// Rights of roles that own nothing: who, what, and which. To read is not one of them; dumps and
/// reports of others need it.
const RIGHTS: &str = include_str!("rights.sql");

/// The same of a database that was just made by PostgreSQL 15.
const MADE: &str = include_str!("schema.tsv");

/// The major version that made the list: others may write the definitions of these in other words,
/// so that only their names are compared there.
const MADE_BY: i32 = 15;
const WORDED: [&str; 3] = ["constraint ", "index ", "rule "];

const VERSIONS: &str = "
    SELECT current_setting('server_version_num')::integer / 10000,
        (SELECT max(version) FROM public.schema_versions)";

/// What a line begins with that says of a right of servers, and of one of operators, who have those
/// of servers too.
const OF_SERVERS: &str = "server may ";
const OF_OPERATORS: &str = "operator may ";

/// Who every role is in the list of rights.
const EVERY_ROLE: &str = "every role";

/// What the right to make tables in a schema begins with.
const CREATE: &str = "create in ";

/// I36: what differs from the schema that this program makes, and rights beyond those it gives.
pub(super) async fn check(snapshot: &mut PgConnection) -> Result<CheckResult, PortError> {
    let (server, version): (i32, i32) = sqlx::query_as(VERSIONS)
        .fetch_one(&mut *snapshot)
        .await
        .map_err(failed("read the version of the schema"))?;
    if version != NEWEST {
        return Ok(unknown_schema(version.into()));
    }
    let present = present(snapshot).await?;
    Ok(judged(&present, server == MADE_BY))
}

/// Rights beyond those of a server, and beyond those of an operator where a role has all of these.
fn excess(rights: &[(String, String)], is_ours: impl Fn(&str) -> bool) -> Vec<String> {
    let given = |kind: &'static str| -> BTreeSet<&str> {
        let lines = MADE.lines();
        lines.filter_map(|line| line.strip_prefix(kind)).collect()
    };
    let (servers, operators) = (given(OF_SERVERS), given(OF_OPERATORS));
    let mut roles: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (role, right) in rights {
        if is_ours(right) || right.starts_with(CREATE) {
            roles.entry(role).or_default().insert(right);
        }
    }
    let mut excess = Vec::new();
    for (role, has) in roles {
        let allowed = if role == EVERY_ROLE {
            &BTreeSet::new()
        } else if operators.is_subset(&has) {
            &operators
        } else {
            &servers
        };
        let more = has.difference(allowed);
        excess.extend(more.map(|right| format!("{role} may {right}")));
    }
    excess
}

/// The schema and the table in a name such as `column public.wallets.held`.
fn relation(name: &str) -> Option<&str> {
    let (_, path) = name.rsplit_once(' ')?;
    let mut dots = path.match_indices('.').map(|(at, _)| at);
    let end = dots.nth(1).unwrap_or(path.len());
    path.get(..end)
}

/// What a database has.
struct Present {
    objects: BTreeMap<String, String>,
    /// Who has it, and what.
    rights: Vec<(String, String)>,
}

async fn present(snapshot: &mut PgConnection) -> Result<Present, PortError> {
    // Names of other schemas are written out where none is searched.
    let alone = snapshot.execute("SET LOCAL search_path = pg_catalog").await;
    alone.map_err(failed("begin to read the schema"))?;
    let objects: Vec<(String, String)> = sqlx::query_as(OBJECTS)
        .fetch_all(&mut *snapshot)
        .await
        .map_err(failed("read the schema"))?;
    let rights = sqlx::query_as(RIGHTS)
        .fetch_all(&mut *snapshot)
        .await
        .map_err(failed("read the rights"))?;
    let back = snapshot.execute("SET LOCAL search_path = audit, public");
    back.await.map_err(failed("end reading the schema"))?;
    let one_line = |text: String| text.replace(['\n', '\t'], " ");
    let objects = objects.into_iter();
    let objects = objects.map(|(name, definition)| (name, one_line(definition)));
    Ok(Present {
        objects: objects.collect(),
        rights,
    })
}

fn judged(present: &Present, with_words: bool) -> CheckResult {
    let is_worded = |name: &str| WORDED.iter().any(|kind| name.starts_with(kind));
    let made: BTreeMap<&str, &str> = MADE
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .collect();
    let mut offences = Vec::new();
    for (name, definition) in &made {
        match present.objects.get(*name) {
            None => offences.push(format!("{name} is missing")),
            Some(other) if other != definition && (with_words || !is_worded(name)) => {
                offences.push(format!("{name} is not as the migrations make it: {other}"));
            }
            Some(_) => {}
        }
    }
    let ours: BTreeSet<&str> = made.keys().filter_map(|name| relation(name)).collect();
    let is_ours = |name: &str| relation(name).is_some_and(|it| ours.contains(it));
    // What stands beside the tables of the gateway is no concern of it; what is a part of one is.
    let names = present.objects.keys().map(String::as_str);
    let others = names.filter(|name| !made.contains_key(name) && is_ours(name));
    offences.extend(others.map(|name| format!("{name} is none of the gateway's")));
    offences.extend(excess(&present.rights, is_ours));
    schema(offences, made.len())
}

#[cfg(test)]
mod tests {
    use super::{MADE, OF_OPERATORS, OF_SERVERS, present};
    use crate::{Roles, migrate};
    use postgres_cluster::Cluster;
    use sqlx::postgres::PgConnection;
    use sqlx::{Connection as _, Executor as _};

    const BLESS: &str = "BLESS";

    /// `BLESS=1` writes the list again after a migration or a grant was added.
    #[tokio::test]
    async fn the_list_is_that_of_a_database_that_was_just_made() {
        let database = Cluster::shared().database();
        let name = format!("schema_{}", std::process::id());
        let roles = [format!("{name}_server"), format!("{name}_operator")];
        for role in &roles {
            let _ = database.psql(&format!("CREATE ROLE {role};"));
        }
        let granted = Roles {
            server: Some(&roles[0]),
            operator: Some(&roles[1]),
        };
        migrate(&database.url(), &granted).await.unwrap();
        let mut connection = PgConnection::connect(&database.url()).await.unwrap();
        connection.execute("BEGIN").await.unwrap();
        let present = present(&mut connection).await.unwrap();
        let objects = present.objects.iter();
        let objects = objects.map(|(name, definition)| format!("{name}\t{definition}"));
        let rights = present.rights.iter().map(|(role, right)| {
            let kind = if *role == roles[0] {
                OF_SERVERS
            } else {
                OF_OPERATORS
            };
            format!("{kind}{right}")
        });
        let found: Vec<_> = objects.chain(rights).collect();
        if std::env::var_os(BLESS).is_some() {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/audit/schema.tsv");
            std::fs::write(path, found.join("\n") + "\n").unwrap();
            return;
        }
        let made: Vec<_> = MADE.lines().collect();
        assert_eq!(found, made, "`BLESS=1` writes the list again");
    }
}
