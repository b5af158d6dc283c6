//! Payments per second of the whole gateway, beside what the database itself can do with two plain
//! transactions per payment on the same disk. It must end with the audit: fast and wrong is no
//! figure.

use crate::bench::{Common, SpeedBench};
use crate::books::BenchStore;
use crate::ceiling::pgbench;
use crate::figures::{Measured, counted, ms};
use crate::gateway::BenchGateway;
use crate::load::payment;
use crate::sheet::{Sheet, SheetValue};
use anyhow::{Context, Result, bail};

#[derive(Debug, clap::Args)]
pub(crate) struct BenchPaymentsOptions {
    #[command(flatten)]
    common: Common,
    /// How many connections pay at a time, one measurement each
    #[arg(long, value_delimiter = ',', default_values_t = [1, 8, 64, 256])]
    connections: Vec<usize>,
    /// How many accounts pay, one measurement each; one is the hardest, for its wallet is in every
    /// commit
    #[arg(long, value_delimiter = ',', default_values_t = [1000, 1])]
    accounts: Vec<usize>,
}

/// How many connections the plain transactions of the ceiling use, and with one account also.
const CEILING_CONNECTIONS: usize = 8;
const CEILING_CONNECTIONS_HOT: usize = 32;

/// How many connections are profiled: enough to share commits.
const PROFILED_CONNECTIONS: usize = 64;

/// One run.
struct Run<'a> {
    bench: &'a SpeedBench,
    options: &'a BenchPaymentsOptions,
    gateways: Vec<BenchGateway>,
    ceiling: Option<pgbench::Payments<'a>>,
    sheet: Sheet,
}

pub(crate) async fn measure(options: &BenchPaymentsOptions) -> Result<()> {
    let bench = SpeedBench::prepare(&options.common)?;
    let most = options.accounts.iter().copied().max().unwrap_or(1);
    if most > pgbench::ACCOUNTS {
        bail!("the ceiling has {} accounts, no more", pgbench::ACCOUNTS);
    }
    let mut run = Run {
        bench: &bench,
        options,
        gateways: Vec::new(),
        ceiling: None,
        sheet: bench.sheet(),
    };
    for store in &options.common.store {
        let gateway = bench.gateway(&store.to_string(), *store, most).await?;
        let (idle, _) = gateway.server()?.resident_mib()?;
        let name = format!("resident memory, idle, {store}");
        run.sheet.add(&SheetValue::new(name, idle, "MiB"));
        run.gateways.push(gateway);
        if *store == BenchStore::Postgres {
            run.ceiling = Some(pgbench::Payments::prepare(bench.cluster()?)?);
        }
    }
    for _ in 0..options.common.rounds {
        run.round().await?;
    }
    run.finish().await
}

impl Run<'_> {
    async fn round(&mut self) -> Result<()> {
        let options = self.options;
        for place in 0..self.gateways.len() {
            for accounts in &options.accounts {
                let store = self.gateway(place)?.books.store();
                let ceilings = self.ceilings(store, *accounts)?;
                for connections in &options.connections {
                    let measured = self.pay(place, *accounts, *connections).await?;
                    let of = what(store, *accounts, *connections);
                    let rate = measured.per_second;
                    let rate = SheetValue::new(format!("payments, {of}"), rate, "payments/s");
                    self.sheet.add(&rate.over(&ceilings.shared));
                    let p50 = SheetValue::new(format!("p50, {of}"), ms(measured.p50), "ms");
                    self.sheet.add(&match connections {
                        1 => p50.over(&ceilings.lone),
                        // A shared commit waits for others, which is no fair comparison.
                        _ => p50,
                    });
                    let p99 = SheetValue::new(format!("p99, {of}"), ms(measured.p99), "ms");
                    self.sheet.add(&p99);
                }
            }
            self.compare(self.gateway(place)?.books.store());
        }
        Ok(())
    }

    fn gateway(&self, place: usize) -> Result<&BenchGateway> {
        self.gateways.get(place).context("no gateway")
    }

    /// What the database of a store does by itself.
    fn ceilings(&mut self, store: BenchStore, accounts: usize) -> Result<Ceilings> {
        let name = |connections| {
            let accounts = counted(accounts, "account");
            format!(
                "pgbench, {accounts}, {}",
                counted(connections, "connection")
            )
        };
        let time = self.bench.time();
        let ceilings = match (store, &self.ceiling) {
            (BenchStore::Sqlite, _) => {
                let payments = self.bench.sqlite_ceiling()?;
                let name = "SQLite, two commits per payment";
                Ceilings {
                    shared: SheetValue::new(name, payments.per_second, "payments/s"),
                    lone: SheetValue::new(format!("p50, {name}"), ms(payments.p50), "ms"),
                }
            }
            (BenchStore::Postgres, Some(ceiling)) => {
                let lone = ceiling.lone(accounts, time)?;
                let shared = ceiling.run(accounts, CEILING_CONNECTIONS, time)?;
                let name_of_shared = name(CEILING_CONNECTIONS);
                if accounts == 1 {
                    let crowded = ceiling.run(1, CEILING_CONNECTIONS_HOT, time)?;
                    let name = name(CEILING_CONNECTIONS_HOT);
                    self.sheet
                        .add(&SheetValue::new(name, crowded, "payments/s"));
                }
                Ceilings {
                    shared: SheetValue::new(name_of_shared, shared, "payments/s"),
                    lone: SheetValue::new(format!("p50, {}", name(1)), ms(lone), "ms"),
                }
            }
            (BenchStore::Postgres, None) => bail!("PostgreSQL is not measured"),
        };
        self.sheet.add(&ceilings.shared);
        self.sheet.add(&ceilings.lone);
        Ok(ceilings)
    }

    async fn pay(&self, place: usize, accounts: usize, connections: usize) -> Result<Measured> {
        let gateway = self.gateway(place)?;
        let payers: Vec<_> = gateway.payers.iter().take(accounts).cloned().collect();
        let pay = move |number| payment(&payers, number);
        let measured = self.bench.load(gateway, connections).run(pay).await?;
        if measured.other > 0 {
            bail!("{} payments were refused", measured.other);
        }
        Ok(measured)
    }

    /// One account beside many, in the same round.
    fn compare(&mut self, store: BenchStore) {
        let [many, one] = self.options.accounts.as_slice() else {
            return;
        };
        for connections in &self.options.connections {
            let rate = |accounts| {
                self.sheet.last(&format!(
                    "payments, {}",
                    what(store, accounts, *connections)
                ))
            };
            if let (Some(many), Some(one)) = (rate(*many), rate(*one)) {
                let connections = counted(*connections, "connection");
                let name = format!("one account ÷ many, {store}, {connections}");
                self.sheet.add(&SheetValue::new(name, one / many, "×"));
            }
        }
    }

    /// What is looked at once: memory, starts, the books.
    async fn finish(mut self) -> Result<()> {
        for place in 0..self.gateways.len() {
            let gateway = self.gateway(place)?;
            let store = gateway.books.store();
            let (_, peak) = gateway.server()?.resident_mib()?;
            if let Some(profile) = self.bench.profile(gateway, "payments")? {
                self.pay(place, usize::MAX, PROFILED_CONNECTIONS).await?;
                profile.finish()?;
            }
            let name = format!("resident memory, peak, {store}");
            self.sheet.add(&SheetValue::new(name, peak, "MiB"));
            let gateway = self.gateways.get_mut(place).context("no gateway")?;
            gateway.stop().await?;
            for _ in 0..self.options.common.rounds {
                let took = ms(gateway.restart().await?);
                let name = format!("start to first answer, existing data, {store}");
                self.sheet.add(&SheetValue::new(name, took, "ms"));
                gateway.stop().await?;
            }
            gateway.audit()?;
            self.sheet.note(format!("audit, {store}: clean"));
        }
        self.sheet.print(self.bench.form());
        Ok(())
    }
}

/// What a database does by itself.
struct Ceilings {
    /// Payments per second over several connections.
    shared: SheetValue,
    /// How long a payment takes when there is no other.
    lone: SheetValue,
}

fn what(store: BenchStore, accounts: usize, connections: usize) -> String {
    let connections = counted(connections, "connection");
    format!("{store}, {}, {connections}", counted(accounts, "account"))
}
