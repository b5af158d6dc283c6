//! What PostgreSQL can do by itself, told by its own `pgbench`: a payment as two plain
//! transactions, and reads by key. The script must stay as fast as it can honestly be made, for it
//! is what the gateway is measured against.

use anyhow::{Context, Result, bail};
use postgres_cluster::{Cluster, Database};
use std::process::Command;
use std::time::Duration;
use tempfile::NamedTempFile;

const SCHEMA: &str = include_str!("schema.sql");
const PAYMENT: &str = include_str!("payment.sql");

/// How many wallets the schema makes.
pub(crate) const ACCOUNTS: usize = 1000;

/// A million rows, about 150 MB.
const READS_SCALE: &str = "10";

/// What `pgbench` says of a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Said {
    /// Runs of the whole script per second.
    pub(crate) per_second: f64,
    /// The mean time one took.
    pub(crate) mean_ms: f64,
}

/// Payments as plain transactions.
#[derive(Debug)]
pub(crate) struct Payments<'a> {
    cluster: &'a Cluster,
    database: Database,
    script: NamedTempFile,
}

impl<'a> Payments<'a> {
    /// Makes the tables in a database of their own.
    pub(crate) fn prepare(cluster: &'a Cluster) -> Result<Self> {
        let database = cluster.database();
        database.psql(SCHEMA);
        let script = NamedTempFile::new()?;
        let record = "x".repeat(super::sqlite::RECORD_BYTES);
        std::fs::write(&script, PAYMENT.replace("{record}", &record))?;
        Ok(Self {
            cluster,
            database,
            script,
        })
    }

    /// Pays from so many accounts over so many connections.
    pub(crate) fn run(&self, accounts: usize, connections: usize, time: Duration) -> Result<Said> {
        let mut pgbench = self.cluster.client("pgbench");
        pgbench
            .arg("--file")
            .arg(self.script.path())
            .arg(format!("--define=accounts={accounts}"));
        finish(pgbench, connections, time, &self.database)
    }
}

/// Reads of one row by its key.
#[derive(Debug)]
pub(crate) struct Reads<'a> {
    cluster: &'a Cluster,
    database: Database,
}

impl<'a> Reads<'a> {
    /// Makes the table in a database of its own.
    pub(crate) fn prepare(cluster: &'a Cluster) -> Result<Self> {
        let database = cluster.database();
        let mut fill = cluster.client("pgbench");
        fill.args(["--initialize", "--quiet", "--scale", READS_SCALE])
            .arg(database.name());
        said(fill)?;
        Ok(Self { cluster, database })
    }

    /// Reads over so many connections.
    pub(crate) fn run(&self, connections: usize, time: Duration) -> Result<Said> {
        let mut pgbench = self.cluster.client("pgbench");
        pgbench.arg("--select-only");
        finish(pgbench, connections, time, &self.database)
    }
}

/// Runs with prepared statements for a while.
fn finish(
    mut pgbench: Command,
    connections: usize,
    time: Duration,
    database: &Database,
) -> Result<Said> {
    pgbench
        .args(["--no-vacuum", "--protocol=prepared", "--jobs=2"])
        .arg(format!("--client={connections}"))
        .arg(format!("--time={}", time.as_secs().max(1)))
        .arg(database.name());
    let text = said(pgbench)?;
    if !text.contains("number of failed transactions: 0 ") {
        bail!("pgbench failed in part:\n{text}");
    }
    let number = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        let number = line.and_then(|rest| rest.split_whitespace().next());
        number.and_then(|number| number.parse::<f64>().ok())
    };
    Ok(Said {
        per_second: number("tps = ").context("pgbench says no rate")?,
        mean_ms: number("latency average = ").context("pgbench says no latency")?,
    })
}

fn said(mut command: Command) -> Result<String> {
    let output = command.output().context("pgbench did not start")?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("pgbench: {complaint}");
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
