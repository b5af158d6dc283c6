//! What PostgreSQL can do by itself, measured by its own `pgbench`: a payment as two plain
//! transactions, and reads by key. The script must stay as fast as it can honestly be made, for it
//! is what the gateway is measured against.

use crate::bench::SpeedBench;
use crate::figures::Measured;
use anyhow::{Context, Result, bail};
use postgres_cluster::{Cluster, TestDatabase};
use std::process::Command;
use std::time::Duration;
use tempfile::NamedTempFile;

const SCHEMA: &str = include_str!("schema.sql");
const PAYMENT: &str = include_str!("payment.sql");

/// How many wallets the schema makes.
pub(crate) const ACCOUNTS: usize = 1000;

/// A million rows, about 150 MB.
const READS_SCALE: &str = "10";

/// Payments as plain transactions.
#[derive(Debug)]
pub(crate) struct Payments<'a> {
    cluster: &'a Cluster,
    database: TestDatabase,
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

    /// Payments per second from so many accounts over so many connections.
    pub(crate) fn run(&self, accounts: usize, connections: usize, time: Duration) -> Result<f64> {
        per_second(self.pgbench(accounts, connections, time))
    }

    /// How long a payment takes over one connection: the median, as the gateway's is.
    pub(crate) fn lone(&self, accounts: usize, time: Duration) -> Result<Duration> {
        let folder = tempfile::tempdir()?;
        let mut pgbench = self.pgbench(accounts, 1, time);
        pgbench.arg("--log").current_dir(folder.path());
        per_second(pgbench)?;
        let mut latencies = Vec::new();
        for file in std::fs::read_dir(folder.path())? {
            let log = std::fs::read_to_string(file?.path())?;
            // The client, the number of the transaction, how long it took in microseconds.
            let took = log
                .lines()
                .filter_map(|line| line.split(' ').nth(2)?.parse().ok());
            latencies.extend(took.map(Duration::from_micros));
        }
        Ok(Measured::of(latencies, 0, 1.0).p50)
    }

    fn pgbench(&self, accounts: usize, connections: usize, time: Duration) -> Command {
        let mut pgbench = pgbench(self.cluster, connections, time);
        pgbench
            .arg("--file")
            .arg(self.script.path())
            .arg(format!("--define=accounts={accounts}"))
            .arg(self.database.name());
        pgbench
    }
}

/// Reads of one row by its key.
#[derive(Debug)]
pub(crate) struct PgbenchReads<'a> {
    cluster: &'a Cluster,
    database: TestDatabase,
}

impl<'a> PgbenchReads<'a> {
    /// Makes the table in a database of its own.
    pub(crate) fn prepare(cluster: &'a Cluster) -> Result<Self> {
        let database = cluster.database();
        let mut fill = cluster.client("pgbench");
        fill.args(["--initialize", "--quiet", "--scale", READS_SCALE])
            .arg(database.name());
        said(fill)?;
        Ok(Self { cluster, database })
    }

    /// Reads per second over so many connections.
    pub(crate) fn run(&self, connections: usize, time: Duration) -> Result<f64> {
        let mut pgbench = pgbench(self.cluster, connections, time);
        pgbench.arg("--select-only").arg(self.database.name());
        per_second(pgbench)
    }
}

/// Runs with prepared statements for a while.
fn pgbench(cluster: &Cluster, connections: usize, time: Duration) -> Command {
    let mut pgbench = cluster.client("pgbench");
    pgbench
        .args(["--no-vacuum", "--protocol=prepared"])
        .arg(format!("--jobs={}", connections.min(2)))
        .arg(format!("--client={connections}"))
        .arg(format!("--time={}", time.as_secs().max(1)));
    pgbench
}

/// Runs of the whole script per second; none may fail.
fn per_second(pgbench: Command) -> Result<f64> {
    SpeedBench::settle();
    let text = said(pgbench)?;
    if !text.contains("number of failed transactions: 0 ") {
        bail!("pgbench failed in part:\n{text}");
    }
    let rate = text.lines().find_map(|line| line.strip_prefix("tps = "));
    let rate = rate.and_then(|rest| rest.split_whitespace().next());
    Ok(rate.context("pgbench says no rate")?.parse()?)
}

fn said(mut command: Command) -> Result<String> {
    let output = command.output().context("pgbench did not start")?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("pgbench: {complaint}");
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
