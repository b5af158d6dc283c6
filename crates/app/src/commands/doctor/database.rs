//! The store that the settings name: a database of PostgreSQL, or a file in the data folder. It
//! must only read.

use ports::PortError;
use postgres::{InspectedDatabase, MigrationPlan, PostgresOptions, RoleRights, SKEW_MAX};

use super::finding::Finding;
use crate::clock::SystemClock;
use crate::compose::BOOKS_FILE;
use crate::config::Config;
use crate::files;
use crate::output;

/// What finds out about the store.
pub(super) async fn checks(config: &Config) -> Vec<Finding> {
    let check = "database";
    match config.database.reachable() {
        Ok(None) => embedded(config).await,
        Ok(Some(url)) => match postgres::inspect(url.as_str(), &SystemClock).await {
            Ok(database) => shared(config, &database),
            Err(error) => vec![Finding::error(check, error)],
        },
        Err(error) => vec![Finding::error(check, error)],
    }
}

fn shared(config: &Config, database: &InspectedDatabase) -> Vec<Finding> {
    let version = format!("PostgreSQL {} answers", database.version);
    vec![
        Finding::ok("database", version),
        durability(database),
        schema(&database.schema),
        role(database),
        connections(config, database),
        skew(database),
    ]
}

fn durability(database: &InspectedDatabase) -> Finding {
    let check = "durability";
    match &database.rejection {
        None => Finding::ok(
            check,
            "a primary, with fsync, full_page_writes and synchronous_commit on",
        ),
        Some(rejection) => Finding::fail(check, rejection),
    }
}

fn schema(schema: &Result<MigrationPlan, PortError>) -> Finding {
    let check = "schema";
    let plan = match schema {
        Ok(plan) => plan,
        Err(error) => return Finding::fail(check, error.to_string()),
    };
    let version = plan.version;
    let pending = plan.pending.iter();
    let pending: Vec<String> = pending
        .map(|(number, name, _)| format!("{number} {name}"))
        .collect();
    match (version, pending.len()) {
        (_, 0) => Finding::ok(check, format!("it is up to date: version {version}")),
        (0, _) => Finding::fail(check, "there is none yet").remedied_by(MIGRATE),
        (_, count) => Finding::fail(
            check,
            format!(
                "version {version}, {count} migrations are pending: {}",
                pending.join(", ")
            ),
        )
        .remedied_by(MIGRATE),
    }
}

const MIGRATE: &str = "run `manilla migrate` as the owner of the database";

fn role(database: &InspectedDatabase) -> Finding {
    let (check, name) = ("role", &database.role.name);
    let much = match database.role.rights {
        RoleRights::Granted => {
            return Finding::ok(check, format!("{name} has what it was granted and no more"));
        }
        RoleRights::Owner => "has every right of the owner of the tables",
        RoleRights::Superuser => "is a superuser",
    };
    Finding::warn(
        check,
        format!("{name} {much}, and could rewrite the ledger"),
    )
    .remedied_by(
        "log in as a role of its own, which `manilla migrate --grant-to ROLE` gives the least",
    )
}

fn connections(config: &Config, database: &InspectedDatabase) -> Finding {
    let check = "connections";
    let options = PostgresOptions {
        writers: config.database.writers,
        readers: config.database.readers,
        ..PostgresOptions::default()
    };
    let (needed, most) = (options.connections_max(), database.connections_max);
    let in_use = database.connections;
    let found =
        format!("an instance has {needed} at most; the server takes {most} and has {in_use}");
    let remedy = "raise max_connections, or lower database.writers and database.readers";
    if needed > most {
        Finding::fail(check, found).remedied_by(remedy)
    } else if in_use.saturating_add(needed) > most {
        Finding::warn(check, format!("{found}, so not every instance may start"))
            .remedied_by(remedy)
    } else {
        Finding::ok(check, found)
    }
}

fn skew(database: &InspectedDatabase) -> Finding {
    let (check, skew) = ("clock", database.clock_skew);
    let found = format!("{} ms from that of the database", skew.as_millis());
    let remedy = "have both machines set by NTP";
    if skew > SKEW_MAX {
        let most = SKEW_MAX.as_secs();
        Finding::fail(
            check,
            format!("{found}, and an instance starts with {most} s at most"),
        )
        .remedied_by(remedy)
    } else if skew > SKEW_MAX / 3 {
        Finding::warn(check, found).remedied_by(remedy)
    } else {
        Finding::ok(check, found)
    }
}

async fn embedded(config: &Config) -> Vec<Finding> {
    let check = "database";
    let file = config.data.join(BOOKS_FILE);
    if !file.exists() {
        let remedy = "name the data folder with --data, or a database with MANILLA_DATABASE; the \
                      first `manilla serve` makes a file";
        let found = format!("there is no {}", file.display());
        return vec![Finding::fail(check, found).remedied_by(remedy)];
    }
    let rights = match files::exposure(&file) {
        Ok(None) => Finding::ok(check, format!("{} is there, and private", file.display())),
        Ok(Some(exposed)) => Finding::warn(check, exposed),
        Err(error) => Finding::error(check, error),
    };
    let check = "schema";
    let schema = match sqlite::schema_version(&config.data).await {
        Ok(it) if it.stored == it.newest => {
            Finding::ok(check, format!("it is up to date: version {}", it.stored))
        }
        Ok(it) if it.stored > it.newest => Finding::ok(
            check,
            format!(
                "version {}, of a newer program, which allows this one of version {}",
                it.stored, it.newest
            ),
        ),
        Ok(it) => Finding::warn(
            check,
            format!(
                "version {}; the next start brings it to {}",
                it.stored, it.newest
            ),
        )
        .remedied_by("make a backup before: manilla backup create"),
        Err(error) => Finding::error(check, error),
    };
    let size = file.metadata().map(|it| it.len()).unwrap_or_default();
    let size = Finding::ok("database", format!("it has {}", output::bytes(size)));
    vec![rights, size, schema]
}
