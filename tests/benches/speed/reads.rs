//! Reports by reference and lookups of addresses per second, beside a bare route of the same
//! framework over the same TLS, and beside reads by key of PostgreSQL alone. It must not count an
//! answer that is none: what failed fast is not fast.

use crate::bare;
use crate::bench::{Common, SpeedBench};
use crate::books::BenchStore;
use crate::ceiling::pgbench;
use crate::figures::{Measured, ms};
use crate::gateway::BenchGateway;
use crate::load::{self, BenchLoad, payment};
use crate::server::BenchServer;
use crate::sheet::{Sheet, SheetValue};
use anyhow::{Context, Result, bail};
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;
use tests::rng::SeededRng;

/// Far longer than a machine needs to store what is reported on.
const STORED_WITHIN: Duration = Duration::from_mins(10);

/// How many connections store it: enough to share commits.
const STORED_BY: usize = 64;

/// How many connections read from PostgreSQL alone.
const CEILING_CONNECTIONS: usize = 8;

#[derive(Debug, clap::Args)]
pub(crate) struct BenchReadsOptions {
    #[command(flatten)]
    common: Common,
    /// How many connections ask at a time
    #[arg(long, default_value_t = 64)]
    connections: usize,
    /// How many transactions of the account are stored, and reported on
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    stored: u64,
}

/// What is asked for.
#[derive(Debug, Clone, Copy)]
enum Route {
    Bare,
    Report,
    Lookup,
}

impl Route {
    /// What request of a number asks for: scattered, and the same in every run.
    fn target(self, number: u64, stored: u64) -> String {
        let mut chance = SeededRng::new(number);
        match self {
            Self::Bare => bare::PATH.to_owned(),
            Self::Report => {
                let reference = 1 + chance.below(stored);
                format!("/payment/airtime/transaction?mrcReference=bench-{reference}")
            }
            Self::Lookup => {
                let [_, second, third, fourth, ..] = chance.number().to_be_bytes();
                // Above 223 there are no hosts (RFC 5771, RFC 1112 §4).
                let first = u8::try_from(1 + chance.below(223)).unwrap_or(1);
                let address = Ipv4Addr::new(first, second, third, fourth);
                format!("/geolocation/ipaddress?ipAddress={address}")
            }
        }
    }
}

/// Everything a round needs.
struct Run<'a> {
    bench: &'a SpeedBench,
    options: &'a BenchReadsOptions,
    gateways: Vec<BenchGateway>,
    bare: BenchServer,
    ceiling: Option<pgbench::PgbenchReads<'a>>,
    sheet: Sheet,
}

pub(crate) async fn measure(options: &BenchReadsOptions) -> Result<()> {
    let bench = SpeedBench::prepare(&options.common)?;
    let mut gateways = Vec::new();
    let mut ceiling = None;
    for store in &options.common.store {
        let gateway = bench.gateway(&store.to_string(), *store, 1).await?;
        buy(&gateway, options.stored).await?;
        gateways.push(gateway);
        if *store == BenchStore::Postgres {
            ceiling = Some(pgbench::PgbenchReads::prepare(bench.cluster()?)?);
        }
    }
    let first = gateways.first().context("no store is measured")?;
    let payer = first.payers.first().context("no account")?;
    let target = Route::Report.target(1, options.stored);
    let report = load::ask(first.server()?, &load::get(payer, &target)).await?;
    let bare = bare::start(&first.data, &report).await?;
    let mut run = Run {
        bench: &bench,
        options,
        gateways,
        bare,
        ceiling,
        sheet: bench.sheet(),
    };
    let bytes = report.len();
    run.sheet.note(format!(
        "a report, and what the bare route sends: {bytes} bytes"
    ));
    for _ in 0..options.common.rounds {
        run.round().await?;
    }
    run.profile().await?;
    for gateway in &mut run.gateways {
        gateway.stop().await?;
        gateway.audit()?;
    }
    run.sheet.print(bench.form());
    Ok(())
}

/// Buys what is reported on.
async fn buy(gateway: &BenchGateway, count: u64) -> Result<()> {
    let load = BenchLoad {
        servers: gateway.servers(),
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

impl Run<'_> {
    /// Measures everything once.
    async fn round(&mut self) -> Result<()> {
        let gateway = self.gateways.first().context("no gateway")?;
        let bare = self.ask(&self.bare, gateway, Route::Bare).await?;
        let lookups = self.ask(gateway.server()?, gateway, Route::Lookup).await?;
        let bare = add(&mut self.sheet, "a bare route", &bare, None);
        add(
            &mut self.sheet,
            "lookups of addresses",
            &lookups,
            Some(&bare),
        );
        let ceiling = match &self.ceiling {
            None => None,
            Some(ceiling) => {
                let rate = ceiling.run(CEILING_CONNECTIONS, self.bench.time())?;
                let name = format!("pgbench -S, {CEILING_CONNECTIONS} connections");
                let ceiling = SheetValue::new(name, rate, "requests/s");
                self.sheet.add(&ceiling);
                Some(ceiling)
            }
        };
        for place in 0..self.gateways.len() {
            let gateway = self.gateways.get(place).context("no gateway")?;
            let store = gateway.books.store();
            let reports = self.ask(gateway.server()?, gateway, Route::Report).await?;
            let over = match store {
                BenchStore::Sqlite => Some(&bare),
                BenchStore::Postgres => ceiling.as_ref(),
            };
            let name = format!("reports by reference, {store}");
            add(&mut self.sheet, &name, &reports, over);
        }
        Ok(())
    }

    /// Where the time of reports goes.
    async fn profile(&self) -> Result<()> {
        for gateway in &self.gateways {
            if let Some(profile) = self.bench.profile(gateway, "reads")? {
                self.ask(gateway.server()?, gateway, Route::Report).await?;
                profile.finish()?;
            }
        }
        Ok(())
    }

    async fn ask(
        &self,
        server: &BenchServer,
        gateway: &BenchGateway,
        route: Route,
    ) -> Result<Measured> {
        let load = BenchLoad {
            servers: vec![server],
            connections: self.options.connections,
            time: self.bench.time(),
            // From the beginning each time: every round asks for the same.
            numbers: Arc::new(AtomicU64::new(1)),
        };
        let payer = gateway.payers.first().context("no account")?.clone();
        let stored = self.options.stored;
        let ask = move |number| Some(load::get(&payer, &route.target(number, stored)));
        let measured = load.run(ask).await?;
        if measured.other > 0 {
            bail!("{} answers of {route:?} were not 200", measured.other);
        }
        Ok(measured)
    }
}

fn add(
    sheet: &mut Sheet,
    name: &str,
    measured: &Measured,
    over: Option<&SheetValue>,
) -> SheetValue {
    let rate = SheetValue::new(name, measured.per_second, "requests/s");
    let rate = match over {
        Some(ceiling) => rate.over(ceiling),
        None => rate,
    };
    sheet.add(&rate);
    sheet.add(&SheetValue::new(
        format!("p50, {name}"),
        ms(measured.p50),
        "ms",
    ));
    sheet.add(&SheetValue::new(
        format!("p99, {name}"),
        ms(measured.p99),
        "ms",
    ));
    rate
}
