//! Payments per second of the whole gateway over HTTPS, beside what `SQLite` itself can do with two
//! commits per payment on the same disk in the same run. It measures; it must never judge: the
//! figures are for people to compare.
//!
//! Run it with `cargo xtask bench`, or `cargo bench -p tests --bench payments -- --help`.
#![expect(
    clippy::print_stdout,
    reason = "the figures are the output of a benchmark"
)]
#![expect(
    clippy::cast_precision_loss,
    clippy::float_arithmetic,
    reason = "rates and ratios are shown, never booked"
)]

mod ceiling;
mod figures;
mod gateway;
mod load;

use anyhow::{Context, Result};
use clap::Parser;
use figures::{Round, median, report};
use gateway::Gateway;
use load::Load;
use std::time::Duration;

/// Measures payments per second over HTTPS against the ceiling of the embedded database.
#[derive(Debug, Parser)]
struct Options {
    /// How long each measurement takes, in seconds
    #[arg(long, default_value_t = 5)]
    seconds: u64,
    /// How many rounds; the medians are shown
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// How many connections pay at a time, one measurement each
    #[arg(long, value_delimiter = ',', default_values_t = [1, 8, 64, 256])]
    connections: Vec<usize>,
    /// How many accounts pay; one is the hardest, for its wallet is in every commit
    #[arg(long, default_value_t = 1)]
    accounts: usize,
    /// The gateway to measure, a release build; by default the one this workspace builds
    #[arg(long)]
    binary: Option<std::path::PathBuf>,
    /// Given by `cargo bench`; means nothing here
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(measure(&options))
}

async fn measure(options: &Options) -> Result<()> {
    let binary = options
        .binary
        .clone()
        .map_or_else(gateway::built_binary, Ok)?;
    let time = Duration::from_secs(options.seconds);
    let folder = tempfile::tempdir().context("no folder for the data")?;
    let mut gateway = Gateway::start(&binary, folder.path(), options.accounts).await?;
    let idle = gateway.resident_kib()?;
    let mut rounds = Vec::new();
    for round in 1..=options.rounds {
        let ceiling = ceiling::payments_per_second(folder.path(), time)?;
        println!("round {round}: SQLite, two commits per payment: {ceiling:.0} payments/s");
        let mut measured = Vec::new();
        for connections in &options.connections {
            let load = Load {
                gateway: &gateway,
                connections: *connections,
                time,
            };
            let result = load.run().await?;
            println!("round {round}: {connections} connections: {result}");
            measured.push(result);
        }
        rounds.push(Round { ceiling, measured });
    }
    let peak = gateway.resident_kib()?;
    gateway.stop().await?;
    let mut starts = Vec::new();
    for _ in 0..options.rounds {
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
