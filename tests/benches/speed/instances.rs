//! Several processes of the gateway over the same books, beside one. On one machine they share its
//! processors, so what is measured is what sharing costs. It must end with the audit.

use crate::bench::{Common, SpeedBench};
use crate::books::BenchStore;
use crate::figures::counted;
use crate::load::payment;
use crate::server::BenchServer;
use crate::sheet::SheetValue;
use anyhow::{Result, bail};

#[derive(Debug, clap::Args)]
pub(crate) struct BenchInstancesOptions {
    #[command(flatten)]
    common: Common,
    /// How many connections pay, in all
    #[arg(long, default_value_t = 64)]
    connections: usize,
    /// How many accounts pay, one measurement each
    #[arg(long, value_delimiter = ',', default_values_t = [1000, 1])]
    accounts: Vec<usize>,
    /// How many processes
    #[arg(long, default_value_t = 2)]
    instances: usize,
}

pub(crate) async fn measure(options: &BenchInstancesOptions) -> Result<()> {
    let mut common = options.common.clone();
    common.store = vec![BenchStore::Postgres];
    let bench = SpeedBench::prepare(&common)?;
    let most = options.accounts.iter().copied().max().unwrap_or(1);
    let mut gateway = bench.gateway("shared", BenchStore::Postgres, most).await?;
    for _ in 1..options.instances {
        gateway.restart().await?;
    }
    let mut sheet = bench.sheet();
    for round in 0..common.rounds {
        for accounts in &options.accounts {
            let payers: Vec<_> = gateway.payers.iter().take(*accounts).cloned().collect();
            let pay = move |number| payment(&payers, number);
            let among = async |servers: Vec<&BenchServer>| {
                let mut load = bench.load(&gateway, options.connections);
                let instances = counted(servers.len(), "instance");
                let name = format!("payments, {}, {instances}", counted(*accounts, "account"));
                load.servers = servers;
                let measured = load.run(pay.clone()).await?;
                if measured.other > 0 {
                    bail!("{} payments were refused", measured.other);
                }
                Ok(SheetValue::new(name, measured.per_second, "payments/s"))
            };
            // The first of a round is the last of the next: neither has the warmer disk.
            let (one, all) = if round.is_multiple_of(2) {
                let one = among(vec![gateway.server()?]).await?;
                (one, among(gateway.servers()).await?)
            } else {
                let all = among(gateway.servers()).await?;
                (among(vec![gateway.server()?]).await?, all)
            };
            sheet.add(&one);
            sheet.add(&all.over(&one));
        }
    }
    gateway.stop().await?;
    gateway.audit()?;
    sheet.note("audit: clean".to_owned());
    sheet.print(bench.form());
    Ok(())
}
