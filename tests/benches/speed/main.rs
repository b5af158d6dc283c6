//! How fast the gateway is over HTTPS, beside something simpler in the same run on the same
//! machine: payments beside what `SQLite` alone can do, reads beside a bare route. It measures; it
//! must never judge: the figures are for people to compare.
//!
//! Run it with `cargo xtask bench`, or `cargo bench -p tests --bench speed -- --help`.
#![expect(
    clippy::print_stdout,
    reason = "the figures are the output of a benchmark"
)]
#![expect(
    clippy::cast_precision_loss,
    clippy::float_arithmetic,
    reason = "rates and ratios are shown, never booked"
)]

mod bare;
mod ceiling;
mod figures;
mod gateway;
mod load;
mod payments;
mod reads;
mod server;

use anyhow::Result;
use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::time::Duration;

/// Measures the gateway over HTTPS; without a command, its payments.
#[derive(Debug, Parser)]
#[command(bin_name = "cargo xtask bench", args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    what: Option<What>,
    #[command(flatten)]
    payments: payments::Options,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Payments per second, beside the ceiling of the embedded database
    Payments(payments::Options),
    /// Reports and lookups per second, beside a bare route of the same framework
    Reads(reads::Options),
    /// Serve the bare route; `reads` starts this by itself
    #[command(hide = true)]
    Bare(bare::Options),
}

/// What every measurement is told.
#[derive(Debug, clap::Args)]
struct Common {
    /// How long each measurement takes, in seconds
    #[arg(long, default_value_t = 5)]
    seconds: u64,
    /// How many rounds; the medians are shown
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// The gateway to measure, a release build; by default the one this workspace builds
    #[arg(long)]
    binary: Option<PathBuf>,
}

impl Common {
    const fn time(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }

    fn binary(&self) -> Result<PathBuf> {
        self.binary.clone().map_or_else(gateway::built_binary, Ok)
    }
}

fn main() -> Result<()> {
    // `cargo bench` adds a flag for harnesses, which means nothing here.
    let arguments = std::env::args_os().filter(|argument| argument != "--bench");
    let cli = Cli::parse_from(arguments);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        match cli.what.unwrap_or(What::Payments(cli.payments)) {
            What::Payments(options) => payments::measure(&options).await,
            What::Reads(options) => reads::measure(&options).await,
            What::Bare(options) => bare::serve(&options).await,
        }
    })
}
