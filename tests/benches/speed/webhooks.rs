//! Events delivered per second, beside the client alone; how long they take on an idle system; and
//! how long healthy endpoints wait while one of them never answers. It must count what arrived, not
//! what was sent.

mod client;
mod receiver;
mod settled;
mod shop;

use crate::bench::{Common, SpeedBench};
use crate::books::BenchStore;
use crate::figures::ms;
use crate::load::{BenchLoad, payment};
use crate::sheet::{Sheet, SheetValue};
use anyhow::{Result, bail};
use client::{BareClient, LOOPS};
use receiver::Arrived;
use settled::SettledRun;
use shop::BenchShop;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Endpoints of one account: as many as it may have.
const OF_ACCOUNT: usize = 20;

/// How many connections pay: enough to share commits.
const PAYING: usize = 64;

/// Far longer than paying takes.
const WITHIN: Duration = Duration::from_mins(30);

#[derive(Debug, clap::Args)]
pub(crate) struct BenchWebhooksOptions {
    #[command(flatten)]
    common: Common,
    /// How many endpoints, at most 20 of them of one account
    #[arg(long, default_value_t = 100)]
    endpoints: usize,
    /// How many events are delivered as fast as possible, and again beside an endpoint that hangs
    #[arg(long, default_value_t = 20_000)]
    events: usize,
    /// How many events per second are delivered while the wait for them is measured
    #[arg(long, default_value_t = 1000)]
    rate: usize,
    /// How many pending payments are settled while nothing else happens; 0 leaves that out
    #[arg(long, default_value_t = 200)]
    settled: usize,
}

pub(crate) async fn measure(options: &BenchWebhooksOptions) -> Result<()> {
    let bench = SpeedBench::prepare(&options.common)?;
    let mut sheet = bench.sheet();
    for store in &options.common.store {
        if options.settled > 0 {
            let mut settled = SettledRun::prepare(&bench, *store).await?;
            for _ in 0..options.common.rounds {
                settled.round(options.settled, &mut sheet).await?;
            }
            settled.close().await?;
        }
        let mut run = Run::prepare(&bench, options, *store).await?;
        for _ in 0..options.common.rounds {
            run.round(&mut sheet).await?;
        }
        run.close(&mut sheet).await?;
    }
    sheet.print(bench.form());
    Ok(())
}

/// A gateway under load.
struct Run<'a> {
    bench: &'a SpeedBench,
    options: &'a BenchWebhooksOptions,
    store: BenchStore,
    shop: BenchShop,
    alone: BareClient,
    numbers: Arc<AtomicU64>,
    /// Deliveries that were waited for, and how many of them came once more.
    total: (usize, usize),
}

/// What a number of deliveries came to.
struct Delivered {
    arrived: Arrived,
    /// Memory of the gateway in MiB, when a quarter had arrived and when all had.
    quarter_mib: f64,
    end_mib: f64,
}

impl<'a> Run<'a> {
    async fn prepare(
        bench: &'a SpeedBench,
        options: &'a BenchWebhooksOptions,
        store: BenchStore,
    ) -> Result<Self> {
        let accounts = options.endpoints.div_ceil(OF_ACCOUNT);
        let shop = BenchShop::open(bench, (&store.to_string(), store), accounts, "").await?;
        for place in 0..options.endpoints {
            let url = shop.receiver.url(place);
            shop.endpoint(place % accounts, &url).await?;
        }
        let alone = BareClient::new(&shop.receiver, options.endpoints)?;
        Ok(Self {
            bench,
            options,
            store,
            shop,
            alone,
            numbers: Arc::new(AtomicU64::new(1)),
            total: (0, 0),
        })
    }

    async fn round(&mut self, sheet: &mut Sheet) -> Result<()> {
        let store = self.store;
        let many = self.alone(LOOPS, sheet).await?;
        let one = self.alone(1, sheet).await?;
        self.all(sheet, (&many, &one)).await?;

        let paced = Some(self.options.rate as f64);
        let alone = self.deliver(paced).await?.arrived;
        let name = format!("p99 from event to arrival, {store}");
        let alone = SheetValue::new(name, ms(alone.p99), "ms");
        sheet.add(&alone);

        let account = 0;
        let victim = self.shop.receiver.url(0);
        let hanging = self.shop.receiver.hanging();
        let id = self.shop.replaced(account, &victim, &hanging).await?;
        let beside = self.deliver(paced).await?.arrived;
        let name = format!("p99 from event to arrival beside one that hangs, {store}");
        sheet.add(&SheetValue::new(name, ms(beside.p99), "ms").over(&alone));
        self.shop.remove(account, id).await?;
        self.shop.endpoint(account, &victim).await?;
        Ok(())
    }

    /// What the client does by itself, in so many loops.
    async fn alone(&self, loops: usize, sheet: &mut Sheet) -> Result<SheetValue> {
        let rate = self.alone.per_second(loops, self.bench.time()).await?;
        let loops = crate::figures::counted(loops, "loop");
        let name = format!("the client alone, {loops}, {}", self.store);
        let value = SheetValue::new(name, rate, "posts/s");
        sheet.add(&value);
        Ok(value)
    }

    /// As fast as possible, beside the client alone in many loops and in one.
    async fn all(
        &mut self,
        sheet: &mut Sheet,
        (many, one): (&SheetValue, &SheetValue),
    ) -> Result<()> {
        let (store, events) = (self.store, self.options.events);
        let all = self.deliver(None).await?;
        let rate = all.arrived.per_second;
        let name = format!("deliveries, {store}");
        sheet.add(&SheetValue::new(name, rate, "deliveries/s").over(many));
        let name = format!("deliveries ÷ the client alone, one loop, {store}");
        sheet.add(&SheetValue::new(name, rate / one.amount, "×"));
        let name = format!("resident memory after a quarter of {events}, {store}");
        let quarter = SheetValue::new(name, all.quarter_mib, "MiB");
        sheet.add(&quarter);
        let name = format!("resident memory after all of {events}, {store}");
        sheet.add(&SheetValue::new(name, all.end_mib, "MiB").over(&quarter));
        Ok(())
    }

    /// Pays until there are enough events, as fast as possible or so many events per second, and
    /// waits until all of them have arrived at healthy endpoints.
    async fn deliver(&mut self, rate: Option<f64>) -> Result<Delivered> {
        let gateway = &self.shop.gateway;
        let accounts = gateway.payers.len();
        let each = self.options.endpoints / accounts;
        let payments = u64::try_from(self.options.events / each.max(1))?;
        let first = self.numbers.load(Ordering::Relaxed);
        let payers = gateway.payers.clone();
        let pay = move |number: u64| {
            let payment = || payment(&payers, number);
            (number < first + payments).then(payment).flatten()
        };
        SpeedBench::settle();
        let receiver = &self.shop.receiver;
        receiver.begin()?;
        let load = BenchLoad {
            servers: gateway.servers(),
            connections: PAYING,
            time: WITHIN,
            numbers: Arc::clone(&self.numbers),
        };
        // Accounts take turns, so those with an endpoint that hangs are known beforehand.
        let healthy = receiver.healthy_of(payments, accounts, each);
        let paying = async {
            match rate {
                None => load.run(pay).await,
                Some(rate) => load.run_paced(rate / each as f64, pay).await,
            }
        };
        let (paid, quarter_mib) = tokio::try_join!(paying, self.memory_after(healthy / 4))?;
        if paid.other > 0 {
            bail!("{} payments were refused", paid.other);
        }
        self.numbers.store(first + payments, Ordering::Relaxed);
        let arrived = receiver.arrived(healthy).await?;
        arrived.all()?;
        let (end_mib, _) = self.shop.resident_mib()?;
        self.total.0 += arrived.count;
        self.total.1 += arrived.again;
        Ok(Delivered {
            arrived,
            quarter_mib,
            end_mib,
        })
    }

    /// Memory of the gateway in MiB, when so many have arrived.
    async fn memory_after(&self, count: usize) -> Result<f64> {
        self.shop.receiver.until(count).await?;
        Ok(self.shop.resident_mib()?.0)
    }

    async fn close(self, sheet: &mut Sheet) -> Result<()> {
        let store = self.store;
        let (_, peak) = self.shop.resident_mib()?;
        let name = format!("resident memory, peak, {store}");
        sheet.add(&SheetValue::new(name, peak, "MiB"));
        let (awaited, again) = self.total;
        sheet.note(format!(
            "deliveries awaited, {store}: {awaited}, missing: 0, twice: {again}"
        ));
        self.shop.close().await?;
        sheet.note(format!("audit, {store}: clean"));
        Ok(())
    }
}
