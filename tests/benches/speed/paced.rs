//! How long a payment takes at a part of the most the gateway can do, as merchants do not wait for
//! each other. It must measure from the moment a request was due: a request that waits behind a
//! late answer is late too.

use crate::bench::{Common, SpeedBench};
use crate::figures::ms;
use crate::load::payment;
use crate::sheet::SheetValue;
use anyhow::{Result, bail};

#[derive(Debug, clap::Args)]
pub(crate) struct BenchPacedOptions {
    #[command(flatten)]
    common: Common,
    /// How many connections pay
    #[arg(long, default_value_t = 256)]
    connections: usize,
    /// How many accounts pay
    #[arg(long, default_value_t = 1000)]
    accounts: usize,
    /// Part of the most it can do, in percent
    #[arg(long, default_value_t = 70)]
    percent: u32,
}

pub(crate) async fn measure(options: &BenchPacedOptions) -> Result<()> {
    let bench = SpeedBench::prepare(&options.common)?;
    let mut gateways = Vec::new();
    for store in &options.common.store {
        let name = store.to_string();
        gateways.push(bench.gateway(&name, *store, options.accounts).await?);
    }
    let mut sheet = bench.sheet();
    let percent = options.percent;
    for _ in 0..options.common.rounds {
        for gateway in &gateways {
            let store = gateway.books.store();
            let payers = gateway.payers.clone();
            let pay = move |number| payment(&payers, number);
            let load = bench.load(gateway, options.connections);
            let most = load.run(pay.clone()).await?;
            let most_name = format!("payments at most, {store}");
            let most = SheetValue::new(most_name, most.per_second, "payments/s");
            sheet.add(&most);

            let rate = most.amount * f64::from(percent) / 100.0;
            let paced = load.run_paced(rate, pay).await?;
            if paced.other > 0 {
                bail!("{} payments were refused", paced.other);
            }
            let at = format!("at {percent} % of that, {store}");
            let rate = SheetValue::new(format!("payments {at}"), paced.per_second, "payments/s");
            sheet.add(&rate.over(&most));
            sheet.add(&SheetValue::new(format!("p50 {at}"), ms(paced.p50), "ms"));
            sheet.add(&SheetValue::new(format!("p99 {at}"), ms(paced.p99), "ms"));
        }
    }
    for gateway in &mut gateways {
        gateway.stop().await?;
        gateway.audit()?;
    }
    sheet.print(bench.form());
    Ok(())
}
