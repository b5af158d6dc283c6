//! How fast the gateway is over HTTPS, beside something simpler in the same run on the same
//! machine: payments beside what the databases alone can do, reads beside a bare route. It
//! measures; it must never judge: the figures are for people to compare.
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

mod accounts;
mod bare;
mod bench;
mod beside;
mod books;
mod bulk;
mod callbacks;
mod ceiling;
mod fair;
mod figures;
mod gateway;
mod instances;
mod load;
mod paced;
mod payments;
mod profile;
mod providers;
mod reads;
mod reports;
mod server;
mod sheet;
mod stored;
mod strangers;
mod transfers;
mod webhooks;

use anyhow::Result;
use clap::{Parser, Subcommand};

const EXAMPLES: &str = "\
Examples:
  cargo xtask bench                                      payments on both stores
  cargo xtask bench payments --store postgres --rounds 1 --seconds 2
  cargo xtask bench payments --profile target/profile    the same, then where the time goes
  cargo xtask bench paced                                p99 at 70 % of the most it can do
  cargo xtask bench fair                                 beside an account at its worst
  cargo xtask bench bulk                                 bulk transfers beside single payouts
  cargo xtask bench transfers                            wallet transfers beside payments
  cargo xtask bench reads --json                         reports and lookups, as JSON
  cargo xtask bench beside --other /opt/manilla-1.0      what a change costs
  cargo xtask bench instances --instances 3              several processes over one database
  cargo xtask bench providers                            a provider process, and callbacks
  cargo xtask bench stored --stored 10000000             beside ten million transactions
  cargo xtask bench reports --rows 1000000               a file of a million rows
  cargo xtask bench webhooks                             events delivered to 100 endpoints

Standard output has the figures alone: medians over the rounds, ratios taken within each round, and
how far the rounds were apart. Everything that is measured is started by the benchmark itself.
docs/PERFORMANCE.md says what each figure is.";

/// Measures the gateway over HTTPS; without a command, its payments.
#[derive(Debug, Parser)]
#[command(
    bin_name = "cargo xtask bench",
    args_conflicts_with_subcommands = true,
    after_help = EXAMPLES
)]
struct Cli {
    #[command(subcommand)]
    what: Option<What>,
    #[command(flatten)]
    payments: payments::BenchPaymentsOptions,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Payments per second, beside the ceilings of the databases; memory, starts, the audit
    Payments(payments::BenchPaymentsOptions),
    /// How long payments take at a part of the most the gateway can do
    Paced(paced::BenchPacedOptions),
    /// How long payments take beside one account, or strangers, doing their worst
    Fair(fair::BenchFairOptions),
    /// Payouts of bulk transfers, beside single ones, and others who pay meanwhile
    Bulk(bulk::BenchBulkOptions),
    /// Transfers that the gateway books alone, beside payments
    Transfers(transfers::BenchTransfersOptions),
    /// Reports and lookups per second, beside a bare route and `pgbench -S`
    Reads(reads::BenchReadsOptions),
    /// Payments of this build beside those of another, in the same rounds
    Beside(beside::BenchBesideOptions),
    /// Payments through a provider process, and beside the callbacks of providers
    Providers(providers::BenchProvidersOptions),
    /// Several processes over one database, beside one
    Instances(instances::BenchInstancesOptions),
    /// Payments and reports beside many stored transactions, and beside none
    Stored(stored::BenchStoredOptions),
    /// Rows per second of a file of a report, and the memory meanwhile
    Reports(reports::BenchReportsOptions),
    /// Events delivered per second, and how long they wait: idle, and beside an endpoint that hangs
    Webhooks(webhooks::BenchWebhooksOptions),
    /// Serve the bare route; `reads` starts this by itself
    #[command(hide = true)]
    Bare(bare::BenchBareOptions),
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
            What::Paced(options) => paced::measure(&options).await,
            What::Fair(options) => fair::measure(&options).await,
            What::Bulk(options) => bulk::measure(&options).await,
            What::Transfers(options) => transfers::measure(&options).await,
            What::Reads(options) => reads::measure(&options).await,
            What::Beside(options) => beside::measure(&options).await,
            What::Providers(options) => providers::measure(&options).await,
            What::Instances(options) => instances::measure(&options).await,
            What::Stored(options) => stored::measure(&options).await,
            What::Reports(options) => reports::measure(&options).await,
            What::Webhooks(options) => webhooks::measure(&options).await,
            What::Bare(options) => bare::serve(&options).await,
        }
    })
}
