//! Payments per second of the whole gateway, beside what `SQLite` itself can do with two commits
//! per payment on the same disk. It must end with the audit: fast and wrong is no figure.

use crate::Common;
use crate::ceiling;
use crate::figures::{Measured, median, ms};
use crate::gateway::Gateway;
use crate::load::{Load, payment};
use anyhow::{Context, Result};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    #[command(flatten)]
    common: Common,
    /// How many connections pay at a time, one measurement each
    #[arg(long, value_delimiter = ',', default_values_t = [1, 8, 64, 256])]
    connections: Vec<usize>,
    /// How many accounts pay; one is the hardest, for its wallet is in every commit
    #[arg(long, default_value_t = 1)]
    accounts: usize,
}

/// One round: the ceiling and every measurement, in one run on one machine.
#[derive(Debug)]
struct Round {
    ceiling: f64,
    measured: Vec<Measured>,
}

pub(crate) async fn measure(options: &Options) -> Result<()> {
    let common = &options.common;
    let folder = tempfile::tempdir().context("no folder for the data")?;
    let mut gateway = Gateway::start(&common.binary()?, folder.path(), options.accounts).await?;
    let idle = gateway.resident_kib()?;
    // References never repeat within a run.
    let numbers = Arc::new(AtomicU64::new(1));
    let payers = gateway.payers.clone();
    let mut rounds = Vec::new();
    for round in 1..=common.rounds {
        let ceiling = ceiling::payments_per_second(folder.path(), common.time())?;
        println!("round {round}: SQLite, two commits per payment: {ceiling:.0} payments/s");
        let mut measured = Vec::new();
        for connections in &options.connections {
            let load = Load {
                server: gateway.server()?,
                connections: *connections,
                time: common.time(),
                numbers: Arc::clone(&numbers),
            };
            let payers = payers.clone();
            let result = load.run(move |number| payment(&payers, number)).await?;
            println!("round {round}: {connections} connections: {result}");
            measured.push(result);
        }
        rounds.push(Round { ceiling, measured });
    }
    let peak = gateway.resident_kib()?;
    gateway.stop().await?;
    let mut starts = Vec::new();
    for _ in 0..common.rounds {
        starts.push(gateway.restart().await?.as_secs_f64() * 1000.0);
        gateway.stop().await?;
    }
    report(&options.connections, &rounds);
    println!(
        "start to first answered request, existing data: {:.0} ms",
        median(&mut starts)
    );
    println!(
        "resident memory: {} MiB idle, {} MiB after peak load",
        idle / 1024,
        peak / 1024
    );
    println!("audit: {}", gateway.audit()?);
    Ok(())
}

/// Prints the medians over all rounds.
fn report(connections: &[usize], rounds: &[Round]) {
    let mut ceilings: Vec<f64> = rounds.iter().map(|round| round.ceiling).collect();
    println!("\nmedians of {} rounds", rounds.len());
    println!(
        "SQLite, two commits per payment: {:.0} payments/s",
        median(&mut ceilings)
    );
    for (index, count) in connections.iter().enumerate() {
        let of = |pick: fn(&Round, &Measured) -> f64| {
            let picked = |round: &Round| Some(pick(round, round.measured.get(index)?));
            median(&mut rounds.iter().filter_map(picked).collect::<Vec<_>>())
        };
        println!(
            "{count:>4} connections: {:>6.0} payments/s, {:.2} of the ceiling, \
             p50 {:.2} ms, p99 {:.2} ms, {:.0} other answers",
            of(|_, measured| measured.per_second),
            of(|round, measured| measured.per_second / round.ceiling),
            of(|_, measured| ms(measured.p50)),
            of(|_, measured| ms(measured.p99)),
            of(|_, measured| measured.other as f64),
        );
    }
}
