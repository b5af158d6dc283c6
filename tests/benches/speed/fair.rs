//! How long the payments of others take beside one account that does its worst within its limits,
//! or beside strangers who hold connections. It must measure with and without in the same round.

use crate::bench::{Common, SpeedBench};
use crate::figures::{Measured, ms};
use crate::gateway::BenchGateway;
use crate::load::{BenchLoad, get, payment, post};
use crate::sheet::{Sheet, SheetValue};
use crate::strangers;
use anyhow::{Result, bail};

/// Connections of the account that does its worst.
const GREEDY_CONNECTIONS: usize = 150;

/// A number the sandbox takes 25 seconds to deliver to.
const SLOW_NUMBER: &str = "2348031230007";

const METER: &str = "/payment/electricity/meter?disco=101&number=04123456789&billing=prepaid";

#[derive(Debug, clap::Args)]
pub(crate) struct BenchFairOptions {
    #[command(flatten)]
    common: Common,
    /// How many connections the others pay over
    #[arg(long, default_value_t = 64)]
    connections: usize,
    /// How many accounts there are
    #[arg(long, default_value_t = 1000)]
    accounts: usize,
    /// The load of the others: part of the most the gateway can do, in percent
    #[arg(long, default_value_t = 30)]
    percent: u32,
    /// How many connections strangers hold
    #[arg(long, default_value_t = 4096)]
    strangers: usize,
}

/// What an account does to the others.
#[derive(Debug, Clone, Copy)]
enum Worst {
    Reads,
    SlowReads,
    Payments,
    Lookups,
}

impl Worst {
    const ALL: [Self; 4] = [Self::Reads, Self::SlowReads, Self::Payments, Self::Lookups];

    const fn name(self) -> &'static str {
        match self {
            Self::Reads => "reads",
            Self::SlowReads => "reads taken slowly",
            Self::Payments => "slow payments",
            Self::Lookups => "lookups",
        }
    }
}

pub(crate) async fn measure(options: &BenchFairOptions) -> Result<()> {
    let bench = SpeedBench::prepare(&options.common)?;
    let mut sheet = bench.sheet();
    for store in &options.common.store {
        let name = store.to_string();
        let mut gateway = bench.gateway(&name, *store, options.accounts).await?;
        let payers = gateway.payers.clone();
        let load = bench.load(&gateway, options.connections);
        let most = load.run(move |number| payment(&payers, number)).await?;
        gateway.restart_with_limits().await?;
        let rate = most.per_second * f64::from(options.percent) / 100.0;
        for _ in 0..options.common.rounds {
            round((&bench, options), &gateway, rate, &mut sheet).await?;
        }
        gateway.stop().await?;
        gateway.audit()?;
        sheet.note(format!("audit, {store}: clean"));
    }
    sheet.print(bench.form());
    Ok(())
}

async fn round(
    (bench, options): (&SpeedBench, &BenchFairOptions),
    gateway: &BenchGateway,
    rate: f64,
    sheet: &mut Sheet,
) -> Result<()> {
    let store = gateway.books.store();
    let pay = async || others((bench, options), gateway, rate).await;
    let alone = pay().await?;
    let alone = SheetValue::new(format!("p99 alone, {store}"), ms(alone.p99), "ms");
    sheet.add(&alone);
    for worst in Worst::ALL {
        let beside = {
            let doing = do_worst(bench, gateway, worst);
            tokio::select! {
                beside = pay() => beside?,
                done = doing => bail!("{} ended early: {done:?}", worst.name()),
            }
        };
        let name = format!("p99 beside {}, {store}", worst.name());
        sheet.add(&SheetValue::new(name, ms(beside.p99), "ms").over(&alone));
    }
    let held = strangers::open(gateway.server()?, options.strangers).await?;
    let name = format!("p99 beside held connections, {store}");
    let beside = SheetValue::new(name, ms(pay().await?.p99), "ms");
    sheet.add(&beside.over(&alone));
    drop(held);
    Ok(())
}

/// Payments of all accounts but the first, at a pace.
async fn others(
    (bench, options): (&SpeedBench, &BenchFairOptions),
    gateway: &BenchGateway,
    rate: f64,
) -> Result<Measured> {
    let payers = gateway.payers.get(1..).unwrap_or_default().to_vec();
    let load = bench.load(gateway, options.connections);
    let paid = load.run_paced(rate, move |number| payment(&payers, number));
    let paid = paid.await?;
    if paid.other > 0 {
        bail!("{} payments of others were refused", paid.other);
    }
    Ok(paid)
}

/// The worst that the first account can do, until dropped.
async fn do_worst(bench: &SpeedBench, gateway: &BenchGateway, worst: Worst) -> Result<()> {
    let Some(greedy) = gateway.payers.first().cloned() else {
        bail!("no account");
    };
    let server = gateway.server()?;
    let list = get(&greedy, "/account/statement?length=100");
    let load = BenchLoad {
        // Longer than the others pay.
        time: bench.time() * 100,
        ..bench.load(gateway, GREEDY_CONNECTIONS)
    };
    match worst {
        Worst::Reads => {
            load.run(move |_| Some(list.clone())).await?;
        }
        Worst::Lookups => {
            let lookup = get(&greedy, METER);
            load.run(move |_| Some(lookup.clone())).await?;
        }
        Worst::Payments => {
            let slow = move |number| {
                let body = format!(
                    "{{\"mrcReference\":\"greedy-{number}\",\"countryCode\":566,\
                     \"number\":\"{SLOW_NUMBER}\",\"amount\":\"100.00\",\
                     \"billing\":\"prepaid\"}}"
                );
                Some(post(&greedy, "/payment/airtime", &body))
            };
            load.run(slow).await?;
        }
        Worst::SlowReads => strangers::read_slowly(server, GREEDY_CONNECTIONS, &list).await?,
    }
    Ok(())
}
