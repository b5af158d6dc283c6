//! Payments and reports beside many stored transactions, and beside none. The many are copies of a
//! real one, written straight into the tables; they must be what the gateway would have written, or
//! the audit says so.

use crate::bench::{Common, SpeedBench};
use crate::books::BenchStore;
use crate::gateway::BenchGateway;
use crate::load::{self, BenchLoad, payment};
use crate::sheet::{Sheet, SheetValue};
use anyhow::{Context, Result, bail};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use tests::rng::SeededRng;

#[derive(Debug, clap::Args)]
pub(crate) struct BenchStoredOptions {
    #[command(flatten)]
    common: Common,
    /// How many transactions are stored; ten million take some 15 GB in a file, 25 in PostgreSQL
    #[arg(long, default_value_t = 1_000_000)]
    stored: usize,
    /// How many connections ask at a time
    #[arg(long, default_value_t = 64)]
    connections: usize,
    /// How many accounts pay
    #[arg(long, default_value_t = 1000)]
    accounts: usize,
    /// Check the books at the end, which takes longer the more is stored
    #[arg(long)]
    audit: bool,
}

/// Books of a store without and with much in them.
struct Pair {
    empty: BenchGateway,
    full: BenchGateway,
    /// How many transactions each account of the full one has.
    each: usize,
}

pub(crate) async fn measure(options: &BenchStoredOptions) -> Result<()> {
    let bench = SpeedBench::prepare(&options.common)?;
    let mut pairs = Vec::new();
    for store in &options.common.store {
        let gateway = |kind: &'static str| {
            let bench = &bench;
            async move {
                let name = format!("{kind}-{store}");
                bench.gateway(&name, *store, options.accounts).await
            }
        };
        let (empty, mut full) = (gateway("empty").await?, gateway("full").await?);
        fill(&mut full, options).await?;
        let each = options.stored / options.accounts;
        pairs.push(Pair { empty, full, each });
    }
    let mut sheet = bench.sheet();
    for number in 0..options.common.rounds {
        for pair in &pairs {
            let round = Round {
                bench: &bench,
                options,
                pair,
                number,
            };
            round.measure(&mut sheet).await?;
        }
    }
    for pair in &mut pairs {
        pair.empty.stop().await?;
        pair.full.stop().await?;
        if options.audit {
            pair.full.audit()?;
        }
    }
    sheet.print(bench.form());
    Ok(())
}

/// One round on one store.
struct Round<'a> {
    bench: &'a SpeedBench,
    options: &'a BenchStoredOptions,
    pair: &'a Pair,
    number: usize,
}

impl Round<'_> {
    async fn measure(&self, sheet: &mut Sheet) -> Result<()> {
        let Pair { empty, full, .. } = self.pair;
        let stored = self.options.stored.to_string();
        // The first of a round is the last of the next: neither has the warmer disk.
        let (empty, full) = if self.number.is_multiple_of(2) {
            let empty = self.pay(empty, "none").await?;
            (empty, self.pay(full, &stored).await?)
        } else {
            let full = self.pay(full, &stored).await?;
            (self.pay(empty, "none").await?, full)
        };
        sheet.add(&empty);
        sheet.add(&full.over(&empty));
        sheet.add(&self.report().await?);
        Ok(())
    }

    async fn pay(&self, gateway: &BenchGateway, beside: &str) -> Result<SheetValue> {
        let payers = gateway.payers.clone();
        let load = self.bench.load(gateway, self.options.connections);
        let measured = load.run(move |number| payment(&payers, number)).await?;
        if measured.other > 0 {
            bail!("{} payments were refused", measured.other);
        }
        let store = gateway.books.store();
        let name = format!("payments beside {beside} stored, {store}");
        Ok(SheetValue::new(name, measured.per_second, "payments/s"))
    }

    /// Reports of what is stored, of all accounts in scattered order.
    async fn report(&self) -> Result<SheetValue> {
        let Pair { full, each, .. } = self.pair;
        let load = BenchLoad {
            numbers: Arc::new(AtomicU64::new(1)),
            ..self.bench.load(full, self.options.connections)
        };
        let (payers, each) = (full.payers.clone(), *each);
        let ask = move |number| {
            let mut chance = SeededRng::new(number);
            let mut below = |bound: usize| {
                let bound = u64::try_from(bound).unwrap_or(u64::MAX);
                usize::try_from(chance.below(bound)).unwrap_or(0)
            };
            let payer = payers.get(below(payers.len()))?;
            let reference = 1 + below(each);
            let target = format!("/payment/airtime/transaction?mrcReference=stored-{reference}");
            Some(load::get(payer, &target))
        };
        let reports = load.run(ask).await?;
        if reports.other > 0 {
            bail!("{} reports were refused", reports.other);
        }
        let (stored, store) = (self.options.stored, full.books.store());
        let name = format!("reports of {stored} stored, scattered, {store}");
        Ok(SheetValue::new(name, reports.per_second, "requests/s"))
    }
}

/// Has the gateway buy once, and copies that.
async fn fill(gateway: &mut BenchGateway, options: &BenchStoredOptions) -> Result<()> {
    let first = gateway.payers.first().context("no account")?.clone();
    let request = payment(&[first], 0).context("no payment")?;
    load::ask(gateway.server()?, &request).await?;
    gateway.stop().await?;
    let sql = match gateway.books.store() {
        BenchStore::Sqlite => include_str!("stored/sqlite.sql"),
        BenchStore::Postgres => include_str!("stored/postgres.sql"),
    };
    let each = options.stored / options.accounts;
    gateway
        .books
        .run(&sql.replace("{each}", &each.to_string()))?;
    gateway.authenticate_copies()?;
    gateway.restart().await?;
    Ok(())
}
