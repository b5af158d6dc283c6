//! Reports by reference and lookups of addresses per second, beside a bare route of the same
//! framework over the same TLS. It must not count an answer that is none: what failed fast is not
//! fast.

use crate::Common;
use crate::bare;
use crate::figures::{Measured, median, ms, spread};
use crate::gateway::{Gateway, Payer};
use crate::load::{self, Load, payment};
use crate::server::Server;
use anyhow::{Context, Result, bail};
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;
use tests::chance::Chance;

/// Far longer than a machine needs to store what is reported on.
const STORED_WITHIN: Duration = Duration::from_mins(10);

/// How many connections store it: enough to share commits.
const STORED_BY: usize = 64;

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    #[command(flatten)]
    common: Common,
    /// How many connections ask at a time
    #[arg(long, default_value_t = 64)]
    connections: usize,
    /// How many transactions of the account are stored, and reported on
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    stored: u64,
}

/// What is measured, in the order of a round.
#[derive(Debug, Clone, Copy)]
enum Route {
    Bare,
    Report,
    Lookup,
}

const ROUTES: [Route; 3] = [Route::Bare, Route::Report, Route::Lookup];

impl Route {
    const fn name(self) -> &'static str {
        match self {
            Self::Bare => "a bare route",
            Self::Report => "a report by reference",
            Self::Lookup => "a lookup of an address",
        }
    }

    /// What request of a number asks for: scattered, and the same in every run.
    fn target(self, number: u64, stored: u64) -> String {
        let mut chance = Chance::new(number);
        match self {
            Self::Bare => bare::PATH.to_owned(),
            Self::Report => {
                let reference = 1 + chance.below(stored);
                format!("/payment/airtime/transaction?mrcReference=bench-{reference}")
            }
            Self::Lookup => {
                let [_, second, third, fourth, ..] = chance.number().to_be_bytes();
                // Behind 223 nobody has an address (RFC 5771, RFC 1112 §4).
                let first = u8::try_from(1 + chance.below(223)).unwrap_or(1);
                let address = Ipv4Addr::new(first, second, third, fourth);
                format!("/geolocation/ipaddress?ipAddress={address}")
            }
        }
    }
}

/// Everything a round needs.
struct Bench<'a> {
    options: &'a Options,
    gateway: Gateway,
    payer: Payer,
    bare: Server,
}

pub(crate) async fn measure(options: &Options) -> Result<()> {
    let common = &options.common;
    let folder = tempfile::tempdir().context("no folder for the data")?;
    let gateway = Gateway::start(&common.binary()?, folder.path(), 1).await?;
    let payer = gateway.payers.first().context("no account")?.clone();
    store(&gateway, options.stored).await?;
    let target = |route: Route| load::get(&payer, &route.target(1, options.stored));
    let report = load::ask(gateway.server()?, &target(Route::Report)).await?;
    let lookup = load::ask(gateway.server()?, &target(Route::Lookup)).await?;
    println!(
        "{} transactions stored; bodies: report and bare route {} bytes, lookup {}",
        options.stored,
        report.len(),
        lookup.len()
    );
    let bare = bare::start(&gateway.data, &report).await?;
    let mut bench = Bench {
        options,
        gateway,
        payer,
        bare,
    };
    let mut rounds = Vec::new();
    for round in 1..=common.rounds {
        rounds.push(bench.round(round).await?);
    }
    bench.gateway.stop().await?;
    print_table(options, &rounds);
    Ok(())
}

/// Buys what is reported on.
async fn store(gateway: &Gateway, count: u64) -> Result<()> {
    let load = Load {
        server: gateway.server()?,
        connections: STORED_BY,
        time: STORED_WITHIN,
        numbers: Arc::new(AtomicU64::new(1)),
    };
    let payers = gateway.payers.clone();
    let buy = move |number| {
        let payment = || payment(&payers, number);
        (number <= count).then(payment).flatten()
    };
    let stored = load.run(buy).await?;
    if stored.other > 0 {
        bail!("{} of {count} payments were refused", stored.other);
    }
    Ok(())
}

impl Bench<'_> {
    /// Measures every route once.
    async fn round(&self, round: usize) -> Result<Vec<Measured>> {
        let mut measured = Vec::new();
        for route in ROUTES {
            let result = self.run(route).await?;
            println!("round {round}: {}: {result}", route.name());
            if result.other > 0 {
                bail!("{} must always be answered 200", route.name());
            }
            measured.push(result);
        }
        Ok(measured)
    }

    async fn run(&self, route: Route) -> Result<Measured> {
        let server = match route {
            Route::Bare => &self.bare,
            Route::Report | Route::Lookup => self.gateway.server()?,
        };
        let load = Load {
            server,
            connections: self.options.connections,
            time: self.options.common.time(),
            // From the beginning each time: every round asks for the same.
            numbers: Arc::new(AtomicU64::new(1)),
        };
        let (payer, stored) = (self.payer.clone(), self.options.stored);
        load.run(move |number| Some(load::get(&payer, &route.target(number, stored))))
            .await
    }
}

/// Prints the medians over all rounds; the ratios are those of each round.
fn print_table(options: &Options, rounds: &[Vec<Measured>]) {
    println!(
        "\nmedians of {} rounds, {} connections",
        rounds.len(),
        options.connections
    );
    println!("\n| route | requests/s | of the bare route | p50 | p99 | spread of requests/s |");
    println!("|---|---|---|---|---|---|");
    for (index, route) in ROUTES.iter().enumerate() {
        let all = |pick: fn(&Measured, &Measured) -> f64| {
            let picked = |round: &Vec<Measured>| Some(pick(round.get(index)?, round.first()?));
            rounds.iter().filter_map(picked).collect::<Vec<_>>()
        };
        let of = |pick| median(&mut all(pick));
        println!(
            "| {} | {:.0} | {:.2} | {:.2} ms | {:.2} ms | {:.0} % |",
            route.name(),
            of(|it, _| it.per_second),
            of(|it, bare| it.per_second / bare.per_second),
            of(|it, _| ms(it.p50)),
            of(|it, _| ms(it.p99)),
            100.0 * spread(&mut all(|it, _| it.per_second)),
        );
    }
}
