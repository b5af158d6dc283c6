//! `manilla migrate`: the schema of a shared database. It must be safe to run at any time, beside
//! servers too.

use anyhow::Context as _;
use clap::Args;
use postgres::MigrationPlan;
use serde::Serialize;

use crate::config::Config;
use crate::failure::Failure;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla migrate --database postgres://owner@127.0.0.1/manilla --plan
  manilla migrate --database postgres://owner@127.0.0.1/manilla
  manilla migrate --database 'postgres://owner@db.internal/manilla?sslmode=verify-full' \\
    --grant-to manilla_server --grant-to-operators manilla_operator

All of it is done in one transaction, or nothing. Run it before servers of a new version start;
those of the version before keep working, and start again where the migrations allow it: 0.2.0
does not. What is changed is locked first, 300 ms at a time, so that payments wait no longer
behind it, and all is tried again for half an hour. With --grant-to, servers can run under a
role that may add to the ledger but not rewrite it; with --grant-to-operators, commands that
open accounts, make keys and pay in can run under another. Make both once with CREATE ROLE
manilla_server LOGIN, and name them at every migration, for new tables need new grants.")]
pub(crate) struct MigrateOptions {
    #[arg(
        long,
        value_name = "ROLE",
        help = "Role that servers log in as; it is given the least they need"
    )]
    grant_to: Option<String>,
    #[arg(
        long,
        value_name = "ROLE",
        help = "Role that operators' commands log in as; it may open accounts, make keys and pay in"
    )]
    grant_to_operators: Option<String>,
    /// Show what would be done, and do nothing
    #[arg(long, conflicts_with_all = ["grant_to", "grant_to_operators"])]
    plan: bool,
    /// With --plan, its SQL too
    #[arg(long, requires = "plan")]
    sql: bool,
    /// With --plan, one JSON document for scripts
    #[arg(long, requires = "plan", conflicts_with = "sql")]
    json: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PlanDocument {
    /// 0 where there is no schema yet.
    version: i32,
    pending: Vec<PendingRow>,
}

#[derive(Serialize)]
struct PendingRow {
    version: i32,
    name: &'static str,
}

pub(crate) async fn run(options: &MigrateOptions, config: &Config) -> Result<(), Failure> {
    let Some(url) = config.database.reachable()? else {
        let why = "must name a database; books in a data folder are brought up to date by whatever \
                   opens them";
        return Err(Failure::flag("--database", why));
    };
    if options.plan {
        return plan(options, url.as_str()).await;
    }
    let roles = postgres::Roles {
        server: options.grant_to.as_deref(),
        operator: options.grant_to_operators.as_deref(),
    };
    let migrated = postgres::migrate(url.as_str(), &roles).await;
    let migrated = migrated.context("the database was left as it was")?;
    let mut text = if migrated.run.is_empty() {
        format!("The schema is up to date: version {}.", migrated.version)
    } else {
        format!(
            "The schema is now of version {}: {}.",
            migrated.version,
            migrated.run.join(", ")
        )
    };
    if let Some(role) = &options.grant_to {
        text = format!("{text}\nServers may log in as {role}.");
    }
    if let Some(role) = &options.grant_to_operators {
        text = format!("{text}\nCommands of operators may log in as {role}.");
    }
    if !migrated.are_rows_authenticated {
        text = format!(
            "{text}\nRows that were written before this version have no authentication codes, and \
             none is asked for yet. Once every instance runs this version, run `manilla key-ring \
             authenticate` as the owner of the tables."
        );
    }
    if migrated.access == postgres::TableAccess::Everyone {
        text = format!(
            "{text}\nEvery role of the server may connect to this database, and send and receive \
             its notifications. Have its owner run REVOKE CONNECT ON DATABASE … FROM PUBLIC, and \
             GRANT CONNECT ON DATABASE … TO each role of the gateway."
        );
    }
    Ok(output::line(text)?)
}

/// Shows what would be done.
async fn plan(options: &MigrateOptions, url: &str) -> Result<(), Failure> {
    let MigrationPlan { version, pending } = postgres::plan_migration(url).await?;
    if options.json {
        let pending = pending.iter().map(|(version, name, _)| PendingRow {
            version: *version,
            name,
        });
        let pending = pending.collect();
        return Ok(output::json(&PlanDocument { version, pending })?);
    }
    let Some((last, ..)) = pending.last() else {
        return Ok(output::line(format!(
            "The schema is up to date: version {version}. Nothing would be done."
        ))?);
    };
    output::line(format!(
        "The schema is of version {version}; `manilla migrate` brings it to {last}:"
    ))?;
    for (number, name, sql) in &pending {
        output::line(format!("  {number} {name}"))?;
        if options.sql {
            output::line(format!("\n{sql}"))?;
        }
    }
    Ok(())
}
